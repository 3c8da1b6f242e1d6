//! A worker's runs on the 9×9 board in registers, with joins in between.

use crate::board::groups::houses_of;
use crate::board::simd::{self, BAND, Kernel, Lanes, Planes, lane};
use crate::board::{Cell, Cells, Clash, Digit, Grid};
use crate::trace::{Outcome, Report};

use super::join::Ended;
use super::nine::{Memo, Passes, Record, Recorded, Run, RunNumbers, Stop};
use super::shape::Effect;
use super::worker::Worker;

/// The board of a run, and what goes with it.
pub(super) struct Fast {
    board: Planes,
    placed: Planes,
    memo: Memo,
    passes: Passes,
    cut_off: Vec<usize>,
    /// The same board for the joins; made when one is needed.
    grid: Option<Grid>,
}

impl Fast {
    pub(super) fn new(instances: usize) -> Fast {
        Fast {
            board: Planes::EMPTY,
            placed: Planes::EMPTY,
            memo: Memo::default(),
            passes: Passes { firings: vec![0; instances], ..Passes::default() },
            cut_off: Vec::new(),
            grid: None,
        }
    }

    /// Another puzzle begins.
    fn clear(&mut self) {
        self.memo.clear();
        self.passes.clear();
        self.cut_off.clear();
        self.grid = None;
    }

    /// Takes over a grid; whether its placed cells leave their peers alone, as the tables of tight
    /// sets suppose.
    fn load(&mut self, grid: &Grid) -> bool {
        self.board = Planes::from_cells(grid.planes());
        self.placed = everywhere(grid.placed());
        simd::run(IsTidy { board: &self.board, placed: &self.placed })
    }

    /// The placed cells.
    fn placed_cells(&self) -> Cells {
        let bits = (0..3).map(|band| u128::from(self.placed.0[lane(0, band)]) << (27 * band));
        let bits = bits.fold(0, |all, band| all | band);
        let mut words = *Cells::EMPTY.words();
        (words[0], words[1]) = (bits as u64, (bits >> 64) as u64);
        Cells::from_words(words)
    }
}

/// Cells in the lanes of all digits.
fn everywhere(cells: Cells) -> Planes {
    Planes::from_cells(&[cells; 9])
}

/// Whether no cell outside the placed ones sees its candidate placed.
struct IsTidy<'a> {
    board: &'a Planes,
    placed: &'a Planes,
}

impl Kernel for IsTidy<'_> {
    type Output = bool;
    #[inline(always)]
    fn run<L: Lanes>(self) -> bool {
        let (x, placed) = (L::load(self.board) & L::all(BAND), L::load(self.placed));
        (houses_of(x & placed) & (x - placed)).is_empty()
    }
}

impl Worker {
    /// Deduces from digits, 0 for blanks, what the rules alone decide; what is not decided stays
    /// 0. Nothing is allocated on the 9×9 board while no join is needed.
    ///
    /// Afterwards [`Worker::planes`] has the candidates and [`Worker::firings`] the counts.
    ///
    /// # Panics
    /// If the lengths are not those of the layout.
    pub fn deduce_digits(&mut self, givens: &[u8], digits: &mut [u8]) -> Result<Outcome, Clash> {
        self.digits(givens, digits, &mut ())
    }

    /// As [`Worker::deduce_digits`], and records what each pass changed. Of a contradictory
    /// puzzle nothing is recorded.
    pub fn record_digits(
        &mut self,
        givens: &[u8],
        digits: &mut [u8],
        record: &mut Vec<Recorded>,
    ) -> Result<Outcome, Clash> {
        record.clear();
        let outcome = self.digits(givens, digits, record);
        if !matches!(outcome, Ok(Outcome::Solved | Outcome::Stuck)) {
            record.clear();
        }
        outcome
    }

    /// The candidates after a run on the 9×9 board.
    pub fn planes(&self) -> &Planes {
        &self.fast.board
    }

    /// Matches that changed something in the last run, by instance.
    pub fn firings(&self) -> &[u64] {
        &self.fast.passes.firings
    }

    fn digits<R: Record>(
        &mut self,
        givens: &[u8],
        digits: &mut [u8],
        record: &mut R,
    ) -> Result<Outcome, Clash> {
        assert_eq!(givens.len(), self.engine.layout().cell_count(), "a digit a cell");
        let array: (Result<&[u8; 81], _>, Result<&mut [u8; 81], _>) =
            (givens.try_into(), (&mut *digits).try_into());
        if let (true, (Ok(givens), Ok(numbers))) = (self.engine.uses_registers(), array) {
            self.fast.clear();
            let Fast { board, placed, memo, passes, .. } = &mut self.fast;
            let plans = self.engine.plans();
            let run = Run { plans, board, placed, memo, passes, record, from: 0 };
            match simd::run(RunNumbers { givens, numbers, run }) {
                Stop::Solved => return Ok(Outcome::Solved),
                Stop::Stuck => return Ok(Outcome::Stuck),
                Stop::Join(from) => {
                    let given = givens.iter().enumerate().filter(|(_, d)| **d > 0);
                    let given = given.map(|(i, _)| Cell::at(i)).collect();
                    if let Some(outcome) = self.go_on(from, given, record) {
                        simd::run(Numbers { fast: &self.fast, numbers });
                        return Ok(outcome);
                    }
                }
                Stop::Doubtful | Stop::Fires(_) => {}
            }
        }
        let mut grid = Grid::from_givens(self.engine.layout().clone(), givens)?;
        let report = self.run(&mut grid, None);
        digits.copy_from_slice(&grid.digits());
        self.take_report(&grid, &report);
        Ok(report.outcome)
    }

    /// The fixpoint of a grid in registers; nothing if it has to be done on plain bit sets.
    pub(super) fn fast_fixpoint(&mut self, grid: &mut Grid) -> Option<Report> {
        self.fast.clear();
        if !self.fast.load(grid) {
            return None;
        }
        if grid.is_solved() && grid.hole().is_none() {
            return Some(self.report(Outcome::Solved));
        }
        let outcome = self.go_on(0, grid.given(), &mut ())?;
        self.store(grid);
        Some(self.report(outcome))
    }

    /// Runs on from an instance, with joins where they are needed; nothing if the board turns
    /// out to be wrong.
    fn go_on<R: Record>(&mut self, from: usize, given: Cells, record: &mut R) -> Option<Outcome> {
        let mut from = from;
        loop {
            let Fast { board, placed, memo, passes, .. } = &mut self.fast;
            let plans = self.engine.plans();
            let run = Run::<R, false> { plans, board, placed, memo, passes, record, from };
            let steps = run.passes.steps;
            let instance = match simd::run(run) {
                Stop::Solved => return Some(Outcome::Solved),
                Stop::Stuck => return Some(Outcome::Stuck),
                Stop::Join(instance) => instance,
                Stop::Doubtful | Stop::Fires(_) => return None,
            };
            if self.fast.passes.steps != steps || self.fast.grid.is_none() {
                self.fast.grid = Some(self.grid(given));
                self.loaded = false;
            }
            from = if self.join(instance, record)? { 0 } else { instance + 1 };
        }
    }

    /// A pass of a join on the board; whether it changed something. Nothing if it found that there
    /// is no solution.
    fn join<R: Record>(&mut self, instance: usize, record: &mut R) -> Option<bool> {
        let mut grid = self.fast.grid.take()?;
        self.fast.passes.tried += 1;
        let fired = self.fire(instance, &mut grid);
        if fired.ended == Ended::CutOff && !self.fast.cut_off.contains(&instance) {
            self.fast.cut_off.push(instance);
        }
        if fired.firings == 0 {
            self.fast.grid = Some(grid);
            return Some(false);
        }
        if fired.contradiction {
            return None;
        }
        let before = (self.fast.board, self.fast.placed);
        let is_tidy = self.fast.load(&grid);
        simd::run(RecordJoin { before, fast: &self.fast, record, instance });
        let passes = &mut self.fast.passes;
        passes.firings[instance] += fired.firings;
        passes.steps += 1;
        passes.last = Some(instance);
        is_tidy.then_some(true)
    }

    /// The board as a grid.
    fn grid(&self, given: Cells) -> Grid {
        let planes = (0..9).map(|d| self.fast.board.cells(Digit::at(d))).collect();
        Grid::from_parts(self.engine.layout().clone(), planes, self.fast.placed_cells(), given)
    }

    fn store(&self, grid: &mut Grid) {
        *grid = self.grid(grid.given());
    }

    fn report(&self, outcome: Outcome) -> Report {
        let mut cut_off = self.fast.cut_off.clone();
        cut_off.sort_unstable();
        let Passes { firings, tried, .. } = &self.fast.passes;
        Report { outcome, firings: firings.clone(), passes: *tried, inferences: None, cut_off }
    }

    /// Keeps what a run on plain bit sets found where callers look for it.
    fn take_report(&mut self, grid: &Grid, report: &Report) {
        if self.engine.layout().is_classic_nine() {
            self.fast.board = Planes::from_cells(grid.planes());
        }
        self.fast.passes.firings.copy_from_slice(&report.firings);
        self.fast.cut_off.clone_from(&report.cut_off);
    }

    /// The first instance from `from` on that has an effective match, as far as registers can
    /// tell: one that needs a join may have none.
    pub(super) fn first_to_fire(&mut self, grid: &Grid, from: usize) -> Option<Stop> {
        self.fast.clear();
        if !self.fast.load(grid) {
            return None;
        }
        let Fast { board, placed, memo, passes, .. } = &mut self.fast;
        let plans = self.engine.plans();
        let record = &mut ();
        Some(simd::run(Run::<(), true> { plans, board, placed, memo, passes, record, from }))
    }
}

/// The numbers placed.
struct Numbers<'a> {
    fast: &'a Fast,
    numbers: &'a mut [u8; 81],
}

impl Kernel for Numbers<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        (L::load(&self.fast.board) & L::load(&self.fast.placed)).to_numbers(self.numbers);
    }
}

/// Records what a join changed.
struct RecordJoin<'a, R> {
    before: (Planes, Planes),
    fast: &'a Fast,
    record: &'a mut R,
    instance: usize,
}

impl<R: Record> Kernel for RecordJoin<'_, R> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let (x, placed) = (L::load(&self.fast.board), L::load(&self.fast.placed));
        let new = x & (placed - L::load(&self.before.1));
        if new.is_empty() {
            let gone = L::load(&self.before.0) - x;
            self.record.pass(self.instance, Effect::Eliminate, gone);
        } else {
            self.record.pass(self.instance, Effect::Place, new);
        }
    }
}
