//! A worker's runs: whole-board operations as far as they go, joins in between.
//!
//! Lowest level first; after a pass that changed something, again from the easiest. Without a
//! trace a pass fires all its matches; with one, the least match of the first instance that has
//! any. The end is the same.

use std::borrow::Cow;

use crate::board::simd::Planes;
use crate::board::{Cell, Cells, Clash, Grid, Hole};
use crate::trace::{Changes, Outcome, Report, Step, Trace};

use super::shape::Effect;
use super::whole::{Purpose, Record, Recorded, Stop, Task};
use super::worker::Worker;

impl Worker {
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

    /// Another run begins.
    pub(super) fn begin(&mut self) {
        self.desk.clear();
        self.passes.clear();
        self.cut_off.clear();
        self.inferences = 0;
        self.loaded = false;
    }

    /// To the fixpoint, all matches a pass.
    pub(super) fn run(&mut self, grid: &mut Grid) -> Report {
        let outcome = self
            .run_for(Purpose::End, grid, &mut ())
            .or_else(|| self.run_for(Purpose::Holes, grid, &mut ()))
            .unwrap_or(Outcome::Stuck);
        self.report(outcome)
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
        let mut from = from;
        // The same state for the joins, made when one is needed.
        let mut grid: Option<Cow<Grid>> = start.map(Cow::Borrowed);
        loop {
            let steps = self.passes.steps;
            let instance = match self.look(purpose, from, joins_only, record) {
                Stop::Solved => return Some(Outcome::Solved),
                Stop::Hole => {
                    let hole = self.desk.grid(self.engine.layout(), given).hole();
                    return Some(self.contradiction(hole));
                }
                Stop::Doubtful => return None,
                Stop::Join(instance) => instance,
                Stop::Stuck | Stop::Fires(_) => return Some(Outcome::Stuck),
            };
            if self.passes.steps != steps {
                grid = None;
                self.loaded = false;
            }
            let grid =
                grid.get_or_insert_with(|| Cow::Owned(self.desk.grid(self.engine.layout(), given)));
            self.passes.tried += 1;
            self.infer(instance, grid);
            let changes = self.changes(instance, grid);
            let is_effective =
                !changes.is_empty() && changes.apply(grid.to_mut()) || changes.contradiction;
            from = instance + 1;
            if is_effective {
                self.passes.fired(instance);
                self.loaded = false;
                self.desk.load(grid);
                record_changes(&changes, instance, record);
                from = 0;
            }
            if changes.contradiction {
                return Some(self.contradiction(None));
            }
        }
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
        let mut cut_off = self.cut_off.clone();
        cut_off.sort_unstable();
        Report {
            outcome,
            firings: self.passes.firings.clone(),
            passes: self.passes.tried,
            inferences: self.count_inferences.then_some(self.inferences),
            cut_off,
        }
    }

    /// To the fixpoint, one match a step.
    pub(super) fn run_by_steps(&mut self, grid: &mut Grid) -> (Report, Trace) {
        self.begin();
        let mut trace = Trace::new();
        let outcome = loop {
            if let Some(hole) = grid.hole() {
                break self.contradiction(Some(hole));
            }
            if grid.is_solved() {
                break Outcome::Solved;
            }
            let Some(step) = self.first_step(grid) else { break Outcome::Stuck };
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

    /// The least match of the first instance that has an effective one: whole-board operations
    /// see at once which have none, the join finds the least.
    pub(super) fn first_step(&mut self, grid: &Grid) -> Option<Step> {
        self.loaded = false;
        let joins_only = !self.desk.load(grid) || self.count_inferences;
        let mut from = 0;
        loop {
            let instance = match self.look(Purpose::First, from, joins_only, &mut ()) {
                Stop::Fires(instance) => instance,
                Stop::Join(instance) => {
                    self.passes.tried += 1;
                    instance
                }
                _ => return None,
            };
            self.infer(instance, grid);
            let step = self.least(instance, grid);
            if step.is_some() {
                return step;
            }
            from = instance + 1;
        }
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
