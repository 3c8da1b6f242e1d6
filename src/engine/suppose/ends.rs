//! Where hypotheses lead on one state.

use std::collections::HashMap;

use crate::board::Grid;
use crate::language::RuleSet;
use crate::meaning::{Hypothesis, Supposed};

use crate::engine::compiled::{Engine, Options};
use crate::engine::plan::Plan;
use crate::engine::worker::{Closed, Worker};
use crate::trace::Branch;

use super::net::Net;
use super::reason::Guide;

/// Where a hypothesis leads, and how many passes of the rules lead there.
#[derive(Clone, Debug)]
pub struct Led {
    /// Where it leads.
    pub end: End,
    /// The passes.
    pub passes: usize,
}

/// Where a hypothesis leads.
#[derive(Clone, Debug)]
pub enum End {
    /// There is no solution with it.
    Contradiction,
    /// The state when nothing fires any more.
    State(Grid),
}

/// Which rules run under a hypothesis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// Those that look at the whole board at once, and the furthest of those that try one
    /// hypothesis: what they lead to follows, if not all of it.
    Little,
    /// All of them.
    Full,
}

/// Work that the hypotheses of one run may take, for each binding that a pass may try: enough for
/// what people wait for.
const WORK_A_BINDING: u64 = 4_000;

/// The ends of the hypotheses of one state, found when asked for.
pub struct Ends {
    rules: RuleSet,
    options: Options,
    /// The state at hand.
    state: Option<Grid>,
    levels: Vec<Level>,
    /// What may still be spent in this run: cells looked at, squared.
    left: u64,
    spent: u64,
    /// Whether some rule under a hypothesis was cut off in this run.
    is_incomplete: bool,
}

/// The rules under one level, and where they led.
struct Level {
    below: i64,
    effort: Effort,
    /// Whether some of them suppose.
    is_deep: bool,
    /// Whether all of them look at the whole board at once.
    is_quick: bool,
    worker: Worker,
    /// Of one placement, by cell and digit.
    places: Vec<Option<Led>>,
    others: HashMap<Vec<Supposed>, Led>,
}

impl Ends {
    /// For hypotheses under these rules.
    pub fn new(rules: &RuleSet, options: Options) -> Ends {
        let options = Options { assume_unique: true, ..options };
        let (rules, levels) = (rules.clone(), Vec::new());
        let (left, spent, is_incomplete) = (0, 0, false);
        let mut ends = Ends { rules, options, state: None, levels, left, spent, is_incomplete };
        ends.begin();
        ends
    }

    /// Another run begins.
    pub fn begin(&mut self) {
        self.left = self.options.budget.saturating_mul(WORK_A_BINDING);
        self.is_incomplete = false;
    }

    /// Whether too much was asked: some hypothesis has no end then, or not all of it.
    pub fn is_cut_off(&self) -> bool {
        self.left == 0 || self.is_incomplete
    }

    /// What all hypotheses took so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Makes a state the one at hand.
    pub fn at(&mut self, grid: &Grid) {
        if self.state.as_ref() == Some(grid) {
            return;
        }
        if self.state.as_ref().is_some_and(|state| state.layout() != grid.layout()) {
            self.levels.clear();
        }
        for level in &mut self.levels {
            level.places.fill(None);
            level.others.clear();
        }
        self.state = Some(grid.clone());
    }

    /// Whether the rules under a level suppose themselves, so that each end takes long; and
    /// whether little effort runs them all.
    pub fn nature(&mut self, below: i64) -> (bool, bool) {
        match self.level(below, Effort::Full) {
            Some(level) => (self.levels[level].is_deep, self.levels[level].is_quick),
            None => (false, true),
        }
    }

    /// Where a hypothesis leads from the state at hand; nothing if that takes too much.
    pub fn end(&mut self, hypothesis: &Hypothesis, effort: Effort) -> Option<&End> {
        self.led(hypothesis, effort).map(|led| &led.end)
    }

    /// The same, and how many passes led there.
    pub fn led(&mut self, hypothesis: &Hypothesis, effort: Effort) -> Option<&Led> {
        let level = self.level(hypothesis.below, effort)?;
        let place = match hypothesis.supposed[..] {
            [Supposed::Place(place)] => {
                let digits = self.state.as_ref()?.layout().size();
                Some(place.cell.index() * digits + place.digit.index())
            }
            _ => None,
        };
        let known = match place {
            Some(place) => self.levels[level].places[place].is_some(),
            None => self.levels[level].others.contains_key(&hypothesis.supposed),
        };
        if !known {
            let end = self.close(level, hypothesis)?;
            match place {
                Some(place) => self.levels[level].places[place] = Some(end),
                None => drop(self.levels[level].others.insert(hypothesis.supposed.clone(), end)),
            }
        }
        match place {
            Some(place) => self.levels[level].places[place].as_ref(),
            None => self.levels[level].others.get(&hypothesis.supposed),
        }
    }

    /// Whether a hypothesis leads to a contradiction or to the goal; nothing if that takes too
    /// much.
    pub fn leads(&mut self, grid: &Grid, hypothesis: &Hypothesis, goal: &Supposed) -> Option<bool> {
        self.at(grid);
        Some(match self.end(hypothesis, Effort::Full)? {
            End::Contradiction => true,
            End::State(end) => goal.holds(end),
        })
    }

    /// Runs the rules under a level from the state with the hypothesis.
    fn close(&mut self, level: usize, hypothesis: &Hypothesis) -> Option<Led> {
        if self.left == 0 {
            return None;
        }
        let mut grid = hypothesis.on(self.state.as_ref()?);
        let Level { worker, .. } = &mut self.levels[level];
        let Closed { is_contradiction, passes, work } = worker.close(&mut grid);
        self.is_incomplete |= !worker.cut_off().is_empty();
        self.left = self.left.saturating_sub(work);
        self.spent = self.spent.saturating_add(work);
        let end = if is_contradiction { End::Contradiction } else { End::State(grid) };
        Some(Led { end, passes })
    }

    /// The steps by which a hypothesis leads from a state to what is asked; nothing if it does not.
    pub fn branch(
        &mut self,
        grid: &Grid,
        hypothesis: &Hypothesis,
        goal: &Supposed,
    ) -> Option<Branch> {
        self.at(grid);
        self.guide(hypothesis.below)?.branch(grid, hypothesis, goal)
    }

    /// Whoever tells the steps under a level.
    pub fn guide(&mut self, below: i64) -> Option<Guide<'_>> {
        let level = self.level(below, Effort::Full)?;
        let rules = self.rules.below(below);
        let worker = &mut self.levels[level].worker;
        Some(Guide::new(rules, worker, self.options.budget))
    }

    /// The place of a level among those at hand.
    fn level(&mut self, below: i64, effort: Effort) -> Option<usize> {
        let is = |level: &Level| level.below == below && level.effort == effort;
        if let Some(place) = self.levels.iter().position(is) {
            return Some(place);
        }
        let layout = self.state.as_ref()?.layout().clone();
        let mut engine = Engine::with(&self.rules.below(below), &layout, self.options).ok()?;
        if effort == Effort::Little {
            let rules = engine.rules().in_order(&quick(&engine)).into_loaded();
            engine = Engine::with(&rules, &layout, self.options).ok()?;
        }
        let rules = engine.rules();
        self.levels.push(Level {
            below,
            effort,
            is_deep: rules.instances().iter().any(|i| rules.rule(i.rule).supposes()),
            is_quick: quick(&engine).len() == engine.plans().len(),
            worker: engine.worker().nested(),
            places: vec![None; layout.cell_count() * layout.size()],
            others: HashMap::new(),
        });
        Some(self.levels.len() - 1)
    }
}

/// Variables of a net's conditions besides the hypothesis that are still gone through quickly.
const FEW_VARIABLES: usize = 2;

/// The instances that are run by looking at the whole board at once; of those that look for
/// contradictions of one hypothesis, those that look furthest.
fn quick(engine: &Engine) -> Vec<usize> {
    let rules = engine.rules();
    let looks = |instance: usize| -> Option<i64> {
        let chosen = &rules.instances()[instance];
        let mut below = i64::MAX;
        for clause in &rules.rule(chosen.rule).clauses {
            let net = Net::of(clause, chosen.parameter)?;
            if !net.is_contradiction() || net.free_variables() > FEW_VARIABLES {
                return None;
            }
            below = below.min(net.level());
        }
        Some(below)
    };
    let count = engine.plans().len();
    let looks: Vec<Option<i64>> = (0..count).map(looks).collect();
    let furthest = looks.iter().flatten().max().copied();
    let is_quick = |&instance: &usize| {
        engine.plans()[instance] != Plan::Join
            || looks[instance].is_some() && looks[instance] == furthest
    };
    (0..count).filter(is_quick).collect()
}
