//! Where hypotheses lead on one state.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::board::{Candidate, Cell, Cells, Digit, Grid};
use crate::language::RuleSet;
use crate::meaning::{Hypothesis, Supposed};

use crate::engine::compiled::{Engine, Options};
use crate::engine::naive;
use crate::engine::plan::Plan;
use crate::engine::whole::{Reached, Trials};
use crate::engine::worker::{Closed, Worker};
use crate::trace::Branch;

use super::net::Net;
use super::reason::Guide;

/// Where a hypothesis leads, and how many passes of the rules lead there.
#[derive(Clone, Debug)]
pub(crate) struct Led {
    /// Where it leads.
    pub end: End,
    /// The passes.
    pub passes: usize,
}

/// Where a hypothesis leads.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// There is no solution with it.
    Contradiction,
    /// The state when nothing fires any more.
    State(Grid),
    /// The same, as registers leave it.
    Reached(Reached),
}

impl End {
    /// The cells where a digit is possible.
    pub(crate) fn plane(&self, digit: Digit) -> Cells {
        match self {
            End::Contradiction => Cells::EMPTY,
            End::State(grid) => grid.plane(digit),
            End::Reached(reached) => reached.cells(digit),
        }
    }

    /// The state, if it is one; as a grid, given that it was reached from this one.
    pub(crate) fn grid(&self, start: &Grid) -> Option<Cow<'_, Grid>> {
        match self {
            End::Contradiction => None,
            End::State(grid) => Some(Cow::Borrowed(grid)),
            End::Reached(reached) => Some(Cow::Owned(reached.grid(start))),
        }
    }

    /// Whether it is a contradiction.
    pub(crate) fn is_contradiction(&self) -> bool {
        matches!(self, End::Contradiction)
    }
}

/// Which rules run under a hypothesis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effort {
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
pub(crate) struct Ends {
    rules: RuleSet,
    options: Options,
    /// The state at hand.
    state: Option<Grid>,
    /// Whether some ends are those of a larger state.
    is_stale: bool,
    levels: Vec<Level>,
    /// What helpers say of ends that were asked about.
    facts: HashMap<Hypothesis, naive::OnState>,
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
    /// Where all of them run in registers: the state as they have it.
    trials: Option<Trials>,
    /// Whether that is the state at hand; false if it is none for them.
    started: Option<bool>,
    /// Of one placement, by cell and digit: its place among the ends, from 1 on; 0 if not known.
    places: Vec<u16>,
    ends: Vec<Led>,
    others: HashMap<Vec<Supposed>, Led>,
}

impl Level {
    /// The state is another one.
    fn forget(&mut self) {
        self.places.fill(0);
        self.ends.clear();
        self.others.clear();
        self.started = None;
    }

    /// Runs the rules from a state with a hypothesis.
    fn close(&mut self, state: &Grid, hypothesis: &[Supposed]) -> (Led, u64) {
        if let (Some(trials), [Supposed::Place(place)]) = (&mut self.trials, hypothesis) {
            let plans = self.worker.engine().plans();
            if *self.started.get_or_insert_with(|| trials.start(state, plans)) {
                let reached = trials.place(state.layout(), plans, *place);
                let passes = trials.passes();
                let looks = 1 + passes.tried + passes.steps as u64;
                let work = looks * (state.layout().cell_count() as u64).pow(2);
                let end = reached.map_or(End::Contradiction, End::Reached);
                return (Led { end, passes: passes.steps }, work);
            }
        }
        let mut grid = state.clone();
        hypothesis.iter().for_each(|supposed| supposed.apply(&mut grid));
        let Closed { is_contradiction, passes, work } = self.worker.close(&mut grid);
        let end = if is_contradiction { End::Contradiction } else { End::State(grid) };
        (Led { end, passes }, work)
    }
}

impl Ends {
    /// For hypotheses under these rules.
    pub(crate) fn new(rules: &RuleSet, options: Options) -> Ends {
        let options = Options { assume_unique: true, is_exhausted: None, ..options };
        let mut ends = Ends {
            rules: rules.clone(),
            options,
            state: None,
            is_stale: false,
            levels: Vec::new(),
            facts: HashMap::new(),
            left: 0,
            spent: 0,
            is_incomplete: false,
        };
        ends.begin();
        ends
    }

    /// Another run begins.
    pub(crate) fn begin(&mut self) {
        self.left = self.options.budget.saturating_mul(WORK_A_BINDING);
        self.is_incomplete = false;
    }

    /// Whether too much was asked: some hypothesis has no end then, or not all of it.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.left == 0 || self.is_incomplete
    }

    /// What all hypotheses took so far.
    pub(crate) fn spent(&self) -> u64 {
        self.spent
    }

    /// Makes a state the one at hand.
    pub(crate) fn at(&mut self, grid: &Grid) {
        if !self.is_stale && self.state.as_ref() == Some(grid) {
            return;
        }
        if self.state.as_ref().is_some_and(|state| state.layout() != grid.layout()) {
            self.levels.clear();
        }
        self.levels.iter_mut().for_each(Level::forget);
        self.facts.clear();
        self.state = Some(grid.clone());
        self.is_stale = false;
    }

    /// Whether the rules under a level suppose themselves, so that each end takes long; and
    /// whether little effort runs them all.
    pub(crate) fn nature(&mut self, below: i64) -> (bool, bool) {
        match self.level(below, Effort::Full) {
            Some(level) => (self.levels[level].is_deep, self.levels[level].is_quick),
            None => (false, true),
        }
    }

    /// Where a hypothesis leads from the state at hand; nothing if that takes too much.
    pub(crate) fn end(&mut self, hypothesis: &Hypothesis, effort: Effort) -> Option<&End> {
        self.led(hypothesis, effort).map(|led| &led.end)
    }

    /// The same, and how many passes led there.
    pub(crate) fn led(&mut self, hypothesis: &Hypothesis, effort: Effort) -> Option<&Led> {
        let level = self.level(hypothesis.below, effort)?;
        let supposed = &hypothesis.supposed;
        if let [Supposed::Place(place)] = supposed[..] {
            return self.placed(level, place);
        }
        if !self.levels[level].others.contains_key(supposed) {
            let led = self.close(level, supposed)?;
            self.levels[level].others.insert(supposed.clone(), led);
        }
        self.levels[level].others.get(supposed)
    }

    /// The same for one placement.
    fn placed(&mut self, level: usize, place: Candidate) -> Option<&Led> {
        let digits = self.state.as_ref()?.layout().size();
        let at = place.cell.index() * digits + place.digit.index();
        if self.levels[level].places[at] == 0 {
            let led = self.close(level, &[Supposed::Place(place)])?;
            let Level { ends, places, .. } = &mut self.levels[level];
            ends.push(led);
            places[at] = ends.len() as u16;
        }
        let Level { ends, places, .. } = &self.levels[level];
        Some(&ends[usize::from(places[at]) - 1])
    }

    /// The candidates whose placement leads to a contradiction, or the first of them alone; cells
    /// with few candidates first. Each is taken from the state before the next is tried, so the
    /// state at hand is another one afterwards if there are any.
    pub(crate) fn refuted(&mut self, below: i64, effort: Effort, one: bool) -> Vec<Candidate> {
        let mut refuted = Vec::new();
        let Some(level) = self.level(below, effort) else { return refuted };
        let Some(state) = &self.state else { return refuted };
        let count = |cell: Cell| (state.candidates(cell).len(), cell);
        let mut cells: Vec<(usize, Cell)> = state.unsolved().iter().map(count).collect();
        cells.sort_unstable();
        'all: for (_, cell) in cells {
            let digits = self.state.as_ref().map(|state| state.candidates(cell));
            for digit in digits.into_iter().flatten() {
                let candidate = Candidate { cell, digit };
                let Some(led) = self.placed(level, candidate) else { break 'all };
                if !led.end.is_contradiction() {
                    continue;
                }
                refuted.push(candidate);
                if one {
                    break 'all;
                }
                if let Some(state) = &mut self.state {
                    state.eliminate(candidate);
                }
                if let Some(trials) = &mut self.levels[level].trials {
                    trials.eliminate(candidate);
                }
            }
        }
        self.is_stale |= !refuted.is_empty() && !one;
        refuted
    }

    /// Whether a hypothesis leads to a contradiction or to the goal; nothing if that takes too
    /// much.
    pub(crate) fn leads(
        &mut self,
        grid: &Grid,
        hypothesis: &Hypothesis,
        goal: &Supposed,
    ) -> Option<bool> {
        self.at(grid);
        let end = self.end(hypothesis, Effort::Full)?;
        let Some(end) = end.grid(grid).map(Cow::into_owned) else { return Some(true) };
        let Ends { rules, options, facts, .. } = self;
        goal.holds(&end, |helper, arguments| {
            let new = || naive::OnState::new(rules, &end, options.budget);
            facts.entry(hypothesis.clone()).or_insert_with(new).holds(helper, arguments)
        })
    }

    /// Runs the rules under a level from the state with the hypothesis.
    fn close(&mut self, level: usize, hypothesis: &[Supposed]) -> Option<Led> {
        if self.left == 0 {
            return None;
        }
        let level = &mut self.levels[level];
        let (led, work) = level.close(self.state.as_ref()?, hypothesis);
        self.is_incomplete |= !level.worker.cut_off().is_empty();
        self.left = self.left.saturating_sub(work);
        self.spent = self.spent.saturating_add(work);
        Some(led)
    }

    /// The steps by which a hypothesis leads from a state to what is asked; nothing if it does not.
    pub(crate) fn branch(
        &mut self,
        grid: &Grid,
        hypothesis: &Hypothesis,
        goal: &Supposed,
    ) -> Option<Branch> {
        self.at(grid);
        self.guide(grid, hypothesis.below)?.branch(hypothesis, goal)
    }

    /// Whoever tells the steps under a level, from a state.
    pub(crate) fn guide<'a>(&'a mut self, grid: &'a Grid, below: i64) -> Option<Guide<'a>> {
        let level = self.level(below, Effort::Full)?;
        let rules = self.rules.below(below);
        let worker = &mut self.levels[level].worker;
        Some(Guide::new(grid, rules, worker, self.options.budget))
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
        let (rules, count) = (engine.rules(), engine.plans().len());
        let in_registers = engine.uses_registers() && !engine.plans().contains(&Plan::Join);
        self.levels.push(Level {
            below,
            effort,
            is_deep: rules.instances().iter().any(|i| rules.rule(i.rule).supposes()),
            is_quick: quick(&engine).len() == count,
            worker: engine.worker().nested(),
            trials: in_registers.then(|| Trials::new(count)),
            started: None,
            places: vec![0; layout.cell_count() * layout.size()],
            ends: Vec::new(),
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
