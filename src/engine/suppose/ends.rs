//! Where hypotheses lead on one state.

use std::collections::HashMap;

use crate::board::Grid;
use crate::language::RuleSet;
use crate::meaning::{Hypothesis, Supposed};

use crate::engine::compiled::{Engine, Options};
use crate::engine::plan::Plan;
use crate::engine::worker::Worker;

use super::net::Net;

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
    /// Those that look at the whole board at once: what they lead to follows, if not all of it.
    Little,
    /// All of them.
    Full,
}

/// Work that the hypotheses of one run may take, for each binding that a pass may try: enough for
/// what people wait for.
const WORK_A_BINDING: u64 = 2_000;

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
    places: Vec<Option<End>>,
    others: HashMap<Vec<Supposed>, End>,
}

impl Ends {
    /// For hypotheses under these rules.
    pub fn new(rules: &RuleSet, options: Options) -> Ends {
        let options = Options { assume_unique: true, ..options };
        let (rules, levels) = (rules.clone(), Vec::new());
        let mut ends = Ends { rules, options, state: None, levels, left: 0, spent: 0 };
        ends.begin();
        ends
    }

    /// Another run begins.
    pub fn begin(&mut self) {
        self.left = self.options.budget.saturating_mul(WORK_A_BINDING);
    }

    /// Whether too much was asked: some hypothesis has no end then.
    pub fn is_cut_off(&self) -> bool {
        self.left == 0
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
    fn close(&mut self, level: usize, hypothesis: &Hypothesis) -> Option<End> {
        if self.left == 0 {
            return None;
        }
        let mut grid = hypothesis.on(self.state.as_ref()?);
        let Level { worker, .. } = &mut self.levels[level];
        let (is_contradiction, work) = worker.close(&mut grid);
        self.left = self.left.saturating_sub(work);
        self.spent = self.spent.saturating_add(work);
        Some(if is_contradiction { End::Contradiction } else { End::State(grid) })
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
            let quick = (0..engine.plans().len()).filter(|&i| is_quick(&engine, i));
            let rules = engine.rules().in_order(&quick.collect::<Vec<_>>()).as_loaded();
            engine = Engine::with(&rules, &layout, self.options).ok()?;
        }
        let rules = engine.rules();
        self.levels.push(Level {
            below,
            effort,
            is_deep: rules.instances().iter().any(|i| rules.rule(i.rule).supposes()),
            is_quick: (0..engine.plans().len()).all(|instance| is_quick(&engine, instance)),
            worker: engine.worker(),
            places: vec![None; layout.cell_count() * layout.size()],
            others: HashMap::new(),
        });
        Some(self.levels.len() - 1)
    }
}

/// Variables of a net's conditions besides the hypothesis that are still gone through quickly.
const FEW_VARIABLES: usize = 2;

/// Whether an instance is run by looking at the whole board, or at the ends of few hypotheses.
fn is_quick(engine: &Engine, instance: usize) -> bool {
    if engine.plans()[instance] != Plan::Join {
        return true;
    }
    let rules = engine.rules();
    let chosen = &rules.instances()[instance];
    rules.rule(chosen.rule).clauses.iter().all(|clause| {
        Net::of(clause, chosen.parameter).is_some_and(|net| net.free_variables() <= FEW_VARIABLES)
    })
}
