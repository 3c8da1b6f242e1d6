//! The workers that run an engine's rules, one a thread: whole-board operations as far as they go,
//! matches one by one in between.
//!
//! Lowest level first; after a pass that changed something, again from the easiest. Without a
//! trace a pass fires all its matches, and the dear ones come late, hardest first; with one, the
//! least match of the first instance that has any. The end is the same.

use std::borrow::Cow;

use crate::board::simd::Planes;
use crate::board::{Candidate, Cell, Cells, Clash, Digit, Grid, Hole};
use crate::language::RuleSet;
use crate::trace::{Changes, Conclusion, Match, Outcome, Report, Step, Trace, counted};

use super::Deducer;
use super::compiled::{Engine, Exhausted};
use super::join;
use super::late::Late;
use super::matcher::Matcher;
use super::plan::Plan;
use super::shape::Effect;
use super::whole::{Passes, Purpose, Record, Recorded, Stop, Task, WholeBoard};

/// Runs an engine's rules; has the scratch memory for it.
pub struct Worker {
    engine: Engine,
    matcher: Matcher,
    /// As many plans as instances: what a run uses that is not to ask the whole board.
    joins_only: Vec<Plan>,
    /// Instances that come when nothing else has anything to say.
    late: Late,
    /// Asked before hypotheses.
    is_exhausted: Option<Exhausted>,
    count_inferences: bool,
    desk: WholeBoard,
    passes: Passes,
}

/// Times as long that a look at a cell takes where the board is not in registers.
const WITHOUT_REGISTERS: u64 = 10;

/// How a run under a hypothesis ended.
pub(super) struct Closed {
    /// Whether there is no solution.
    pub is_contradiction: bool,
    /// Passes that changed something.
    pub passes: usize,
    /// What it took: cells looked at, squared.
    pub work: u64,
}

impl Deducer for Worker {
    fn fixpoint(&mut self, grid: &mut Grid) -> Report {
        if !self.engine.fits(grid) {
            return self.matcher.naive.fixpoint(grid);
        }
        let outcome = if log::log_enabled!(log::Level::Debug) && self.engine.uses_registers() {
            let rules = self.engine.rules().clone();
            self.run(grid, &mut Logged(&rules))
        } else {
            self.run(grid, &mut ())
        };
        self.report(outcome)
    }

    fn trace(&mut self, grid: &mut Grid) -> (Report, Trace) {
        if !self.engine.fits(grid) {
            return self.matcher.naive.trace(grid);
        }
        self.begin();
        let mut trace = Trace::new();
        let outcome = loop {
            let Some(step) = self.first_step(grid) else {
                break match grid.hole() {
                    Some(hole) => self.contradiction(Some(hole)),
                    None if grid.is_solved() => Outcome::Solved,
                    None => Outcome::Stuck,
                };
            };
            step.conclusion.apply(grid);
            self.passes.fired(step.instance);
            let is_contradiction = step.conclusion.contradiction;
            trace.push(step);
            if is_contradiction {
                break self.contradiction(None);
            }
        };
        (self.report(outcome), trace)
    }

    fn next_step(&mut self, grid: &Grid) -> Option<Step> {
        if !self.engine.fits(grid) {
            return self.matcher.naive.next_step(grid);
        }
        self.begin();
        self.first_step(grid)
    }

    fn matches(&mut self, instance: usize, grid: &Grid) -> Vec<Match> {
        match self.engine.fits(grid) {
            true if matches!(self.engine.plans()[instance], Plan::Off(_)) => Vec::new(),
            true => self.matcher.matches(instance, grid),
            false => self.matcher.naive.matches(instance, grid),
        }
    }

    fn witness(&mut self, step: &Step, before: &Grid) -> Option<Match> {
        match self.engine.fits(before) {
            true => self.matcher.witness(step, before),
            false => self.matcher.naive.witness(step, before),
        }
    }
}

impl Worker {
    pub(super) fn new(engine: Engine) -> Worker {
        let count = engine.rules().instances().len();
        let matcher = Matcher::new(&engine);
        let is_net = |instance: usize| matcher.is_net(instance);
        let has_nets = (0..count).any(is_net);
        Worker {
            late: Late::of(&engine, &matcher),
            is_exhausted: engine.is_exhausted().filter(|_| has_nets),
            matcher,
            joins_only: engine.plans().iter().map(Plan::by_join).collect(),
            count_inferences: false,
            desk: WholeBoard::new(engine.layout(), engine.uses_registers()),
            passes: Passes { firings: vec![0; count], ..Passes::default() },
            engine,
        }
    }

    /// The engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Whether to count inferences: what a Prolog would have called, whatever the back end. All
    /// of it is then done match by match, which takes many times as long.
    pub fn count_inferences(&mut self, wanted: bool) {
        self.count_inferences = wanted;
    }

    /// What was done so far: bindings that joins tried, steps of the naive evaluator.
    pub fn spent(&self) -> (u64, u64) {
        self.matcher.spent()
    }

    /// The plan of an instance in words: the back end, then its details, a line each.
    pub fn describe(&mut self, instance: usize) -> Vec<String> {
        let plan = self.engine.plans()[instance].clone();
        let is_joined =
            plan == Plan::Join && self.matcher.is_joinable(instance, join::Purpose::Effects);
        let mut lines = match plan {
            Plan::Join if self.matcher.is_net(instance) => {
                vec!["hypotheses, each closed once, and what their ends have in common".to_string()]
            }
            Plan::Join if !is_joined => vec!["naive evaluator".to_string()],
            _ => vec![plan.back_end().to_string()],
        };
        lines.extend(plan.describe(self.engine.layout()));
        if is_joined {
            lines.extend(self.matcher.describe(instance));
        }
        lines
    }

    /// The instances that were cut off in the last run, and those of which not all matches were
    /// listed since: once, for they are not tried again.
    pub fn cut_off(&self) -> &[usize] {
        &self.matcher.cut_off
    }

    /// Deduces from digits, 0 for blanks, what the rules alone decide; what is not decided stays
    /// 0. Nothing is allocated on the 9×9 board while no join is needed.
    ///
    /// Afterwards [`Worker::planes`] has the candidates and [`Worker::firings`] the counts.
    ///
    /// # Panics
    /// If the lengths are not those of the layout.
    pub fn deduce_digits(&mut self, givens: &[u8], digits: &mut [u8]) -> Result<Outcome, Clash> {
        self.digits(givens, digits, &mut (), |()| {})
    }

    /// As [`Worker::deduce_digits`], and records what each pass changed, on the 9×9 board.
    pub fn record_digits(
        &mut self,
        givens: &[u8],
        digits: &mut [u8],
        record: &mut Vec<Recorded>,
    ) -> Result<Outcome, Clash> {
        record.clear();
        self.digits(givens, digits, record, Vec::clear)
    }

    /// The candidates after a run on the 9×9 board.
    pub fn planes(&self) -> Planes {
        self.desk.nine()
    }

    /// How often each instance fired in the last run.
    pub fn firings(&self) -> &[u64] {
        &self.passes.firings
    }

    fn digits<R: Record<Planes>>(
        &mut self,
        givens: &[u8],
        digits: &mut [u8],
        record: &mut R,
        forget: fn(&mut R),
    ) -> Result<Outcome, Clash> {
        assert_eq!(givens.len(), self.engine.layout().cell_count(), "a digit a cell");
        self.begin();
        let array: (Result<&[u8; 81], _>, Result<&mut [u8; 81], _>) =
            (givens.try_into(), (&mut *digits).try_into());
        if let (Ok(givens), Ok(numbers)) = array {
            let (plans, purpose) = (self.engine.plans(), Purpose::End);
            let task = Task { plans, purpose, from: 0, passes: &mut self.passes };
            let layout = self.engine.layout();
            match self.desk.run_numbers(layout, givens, numbers, task, record) {
                Some(Stop::Solved) => return Ok(Outcome::Solved),
                Some(Stop::Stuck) => return Ok(Outcome::Stuck),
                Some(Stop::Join(from)) => {
                    let given = givens.iter().enumerate().filter(|(_, digit)| **digit > 0);
                    let given = given.map(|(i, _)| Cell::at(i)).collect();
                    if let Some(outcome) = self.go_on(purpose, from, (given, None), false, record) {
                        self.desk.write_numbers(numbers);
                        return Ok(outcome);
                    }
                }
                _ => {}
            }
            forget(record);
        }
        let mut grid = Grid::from_givens(self.engine.layout().clone(), givens)?;
        let outcome = self.run_for(Purpose::Holes, &mut grid, record);
        digits.copy_from_slice(&grid.digits());
        Ok(outcome.unwrap_or(Outcome::Stuck))
    }

    /// The same for runs under a hypothesis, where the first reason will do.
    pub(super) fn nested(mut self) -> Worker {
        self.matcher.is_nested = true;
        self
    }

    /// To the fixpoint. After a contradiction the grid means nothing.
    pub(super) fn close(&mut self, grid: &mut Grid) -> Closed {
        let before = self.matcher.supposed();
        let outcome = match self.engine.fits(grid) {
            true => self.run_for(Purpose::End, grid, &mut ()),
            false => Some(self.matcher.naive.fixpoint(grid).outcome),
        };
        let cells = self.engine.layout().cell_count() as u64;
        let registers = if self.engine.uses_registers() { 1 } else { WITHOUT_REGISTERS };
        let passes = 1 + self.passes.tried + self.passes.steps as u64;
        let own = passes * cells * cells * registers;
        let work = own.saturating_add(self.matcher.supposed() - before);
        let is_contradiction = matches!(outcome, None | Some(Outcome::Contradiction { .. }));
        Closed { is_contradiction, passes: self.passes.steps, work }
    }

    /// Another run begins.
    fn begin(&mut self) {
        self.desk.clear();
        self.passes.clear();
        self.matcher.begin();
    }

    /// To the fixpoint, all matches a pass.
    fn run<R: Record<Planes>>(&mut self, grid: &mut Grid, record: &mut R) -> Outcome {
        self.run_for(Purpose::End, grid, record)
            .or_else(|| self.run_for(Purpose::Holes, grid, record))
            .unwrap_or(Outcome::Stuck)
    }

    /// To the fixpoint of a grid; nothing, and the grid as it was, if something went wrong and
    /// the purpose does not tell what.
    fn run_for<R: Record<Planes>>(
        &mut self,
        purpose: Purpose,
        grid: &mut Grid,
        record: &mut R,
    ) -> Option<Outcome> {
        self.begin();
        let joins_only = !self.desk.load(grid) || self.count_inferences;
        let start = (grid.given(), Some(&*grid));
        let outcome = self.go_on(purpose, 0, start, joins_only, record)?;
        if self.passes.steps > 0 {
            *grid = self.desk.grid(self.engine.layout(), grid.given());
        }
        Some(outcome)
    }

    /// Runs on from an instance, with joins where they are needed. The state at the start as a
    /// grid saves making one.
    fn go_on<R: Record<Planes>>(
        &mut self,
        purpose: Purpose,
        from: usize,
        (given, start): (Cells, Option<&Grid>),
        joins_only: bool,
        record: &mut R,
    ) -> Option<Outcome> {
        let (mut from, mut has_asked) = (from, false);
        let is_told = R::WANTED || self.count_inferences || self.matcher.is_nested;
        // How many of the late ones were tried, once nothing else has anything to say.
        let mut tried_late: Option<usize> = None;
        // The same state for the joins, made when one is needed.
        let mut grid: Option<Cow<Grid>> = start.map(Cow::Borrowed);
        loop {
            let instance = if let Some(tried) = &mut tried_late {
                let late = self.late.where_told(is_told).get(*tried);
                let Some(&instance) = late else { return Some(Outcome::Stuck) };
                *tried += 1;
                instance
            } else {
                let steps = self.passes.steps;
                let stop = self.look(purpose, from, joins_only, record);
                if self.passes.steps != steps {
                    grid = None;
                    self.matcher.forget();
                }
                match stop {
                    Stop::Solved => return Some(Outcome::Solved),
                    Stop::Hole => {
                        let hole = self.desk.grid(self.engine.layout(), given).hole();
                        return Some(self.contradiction(hole));
                    }
                    Stop::Doubtful => return None,
                    Stop::Fires(_) => return Some(Outcome::Stuck),
                    Stop::Stuck => {
                        tried_late = Some(0);
                        continue;
                    }
                    Stop::Join(instance) => {
                        from = instance + 1;
                        if self.late.where_told(is_told).contains(&instance) {
                            continue;
                        }
                        instance
                    }
                }
            };
            let grid =
                grid.get_or_insert_with(|| Cow::Owned(self.desk.grid(self.engine.layout(), given)));
            if self.is_over(instance, grid, &mut has_asked) {
                return Some(Outcome::Stuck);
            }
            self.passes.tried += 1;
            if self.count_inferences {
                self.matcher.infer(instance, grid);
            }
            let changes = self.matcher.changes(instance, grid);
            let is_effective =
                !changes.is_empty() && changes.apply(grid.to_mut()) || changes.contradiction;
            if is_effective {
                self.passes.fired(instance);
                self.matcher.forget();
                self.desk.load(grid);
                record_changes(&changes, instance, record);
                (from, tried_late, has_asked) = (0, None, false);
            }
            if changes.contradiction {
                return Some(self.contradiction(None));
            }
        }
    }

    /// Whether no rule has anything to say of a state: asked before the first hypothesis on it.
    fn is_over(&self, instance: usize, grid: &Grid, has_asked: &mut bool) -> bool {
        let asks = !*has_asked && self.matcher.is_net(instance);
        *has_asked |= asks;
        asks && self.is_exhausted.is_some_and(|is_exhausted| is_exhausted.0(grid))
    }

    /// Whole-board operations from an instance on.
    fn look<R: Record<Planes>>(
        &mut self,
        purpose: Purpose,
        from: usize,
        joins_only: bool,
        record: &mut R,
    ) -> Stop {
        let plans = if joins_only { &self.joins_only } else { self.engine.plans() };
        let task = Task { plans, purpose, from, passes: &mut self.passes };
        self.desk.run(self.engine.layout(), task, record)
    }

    fn contradiction(&self, hole: Option<Hole>) -> Outcome {
        let Self { passes, .. } = self;
        Outcome::Contradiction { hole, instance: passes.last, step: passes.steps }
    }

    fn report(&self, outcome: Outcome) -> Report {
        let mut cut_off = self.matcher.cut_off.clone();
        cut_off.sort_unstable();
        log::debug!("{outcome:?} after {}", counted(self.passes.steps, "step", "steps"));
        Report {
            outcome,
            firings: self.passes.firings.clone(),
            inferences: self.count_inferences.then_some(self.matcher.inferences),
            cut_off,
        }
    }

    /// The least match of the first instance that has an effective one: whole-board operations
    /// see at once which have none, the join finds the least. None on a state with a hole, or a
    /// solved one.
    fn first_step(&mut self, grid: &Grid) -> Option<Step> {
        self.matcher.forget();
        let joins_only = !self.desk.load(grid) || self.count_inferences;
        let (mut from, mut has_asked) = (0, false);
        let mut found: Vec<Recorded> = Vec::new();
        loop {
            found.clear();
            let (instance, is_sure) = match self.look(Purpose::First, from, joins_only, &mut found)
            {
                Stop::Fires(instance) => match self.least_place(instance, &found) {
                    Some(step) => return Some(step),
                    None => (instance, true),
                },
                Stop::Join(instance) => {
                    if self.is_over(instance, grid, &mut has_asked) {
                        return None;
                    }
                    self.passes.tried += 1;
                    (instance, false)
                }
                _ => return None,
            };
            if self.count_inferences {
                self.matcher.infer(instance, grid);
            }
            let step = self.matcher.least(instance, grid, is_sure);
            if step.is_some() {
                return step;
            }
            from = instance + 1;
        }
    }

    /// The least of the placements that the whole board found for a rule of one clause: each is the
    /// conclusion of a match, so no join need look for them.
    fn least_place(&self, instance: usize, found: &[Recorded]) -> Option<Step> {
        let [Recorded { candidates, effect: Effect::Place, .. }] = found else { return None };
        let rules = self.engine.rules();
        if rules.rule(rules.instances()[instance].rule).clauses.len() > 1 {
            return None;
        }
        let first =
            |digit: Digit| candidates.cells(digit).first().map(|cell| Candidate { cell, digit });
        let places = vec![self.engine.layout().digits().filter_map(first).min()?];
        let conclusion = Conclusion { places, ..Conclusion::default() };
        Some(Step { instance, clause: 0, conclusion })
    }
}

/// Records what a join changed.
fn record_changes<R: Record<Planes>>(changes: &Changes, instance: usize, record: &mut R) {
    if !R::WANTED {
        return;
    }
    if changes.eliminates.iter().any(|cells| !cells.is_empty()) {
        let gone = Planes::from_cells(&changes.eliminates);
        record.pass(instance, Effect::Eliminate, gone);
    }
    if !changes.places.is_empty() {
        let mut new = Planes::EMPTY;
        changes.places.iter().for_each(|place| new.insert(place.cell, place.digit));
        record.pass(instance, Effect::Place, new);
    }
}

/// Says what each pass changed.
struct Logged<'a>(&'a RuleSet);

impl Record<Planes> for Logged<'_> {
    const WANTED: bool = true;
    fn pass(&mut self, instance: usize, effect: Effect, candidates: Planes) {
        let name = &self.0.instances()[instance].name;
        let what = match effect {
            Effect::Place => "places",
            Effect::Eliminate => "eliminates",
        };
        let count: usize = (0..9).map(|digit| candidates.cells(Digit::at(digit)).len()).sum();
        log::debug!("{name} {what} {}", counted(count, "candidate", "candidates"));
    }
}
