//! The board of a run at rest, on whichever representation suits the layout.

use std::sync::Arc;

use crate::board::groups::houses_of;
use crate::board::simd::{self, BAND, Kernel, Lanes, Planes};
use crate::board::{Cells, Digit, Grid, Layout};
use crate::engine::plan::Plan;

use super::bits::{self, Bits};
use super::lanes::Nine;
use super::memo::Memo;
use super::questions::is_tidy;
use super::run::{Passes, Purpose, Record, Run, Stop, WholeState};

/// Candidates, placed cells, and what the board remembers.
pub enum WholeBoard {
    /// The 9×9 board for vector registers.
    Nine(Box<Held<Planes, Memo>>),
    /// Any board as bit sets.
    Any(Bits, Box<Held<bits::Planes, ()>>),
}

/// What is held in memory between runs.
#[derive(Clone)]
pub struct Held<AtRest, Memo> {
    /// The candidates.
    pub x: AtRest,
    /// The placed cells, for each digit.
    pub placed: AtRest,
    /// What the board remembers.
    pub memo: Memo,
}

impl Default for Held<Planes, Memo> {
    fn default() -> Self {
        Held { x: Planes::EMPTY, placed: Planes::EMPTY, memo: Memo::default() }
    }
}

impl Held<Planes, Memo> {
    /// Takes over a grid.
    pub fn load(&mut self, grid: &Grid) {
        self.x = Planes::from_cells(grid.planes());
        self.placed = Planes::splat(grid.placed());
    }
}

/// What to run, and what to count.
pub struct Task<'a> {
    /// The plans of all instances.
    pub plans: &'a [Plan],
    /// What the run is for.
    pub purpose: Purpose,
    /// The first instance to try.
    pub from: usize,
    /// What is counted.
    pub passes: &'a mut Passes,
}

impl WholeBoard {
    /// An empty board.
    pub fn new(layout: &Arc<Layout>, registers: bool) -> WholeBoard {
        if registers {
            WholeBoard::Nine(Box::default())
        } else {
            let none = bits::Planes::EMPTY;
            WholeBoard::Any(Bits::new(layout), Box::new(Held { x: none, placed: none, memo: () }))
        }
    }

    /// Takes over a grid; whether what is placed has left its cell and its houses, as plane
    /// programs and the Hall operator suppose.
    pub fn load(&mut self, grid: &Grid) -> bool {
        match self {
            WholeBoard::Nine(held) => {
                held.load(grid);
                simd::run(IsTidy { held, layout: grid.layout() })
            }
            WholeBoard::Any(board, held) => {
                held.x = bits::Planes::new(grid.planes());
                held.placed = bits::Planes::new(&vec![grid.placed(); grid.layout().size()]);
                is_tidy(board, held.x, held.placed)
            }
        }
    }

    /// Forgets what the board remembers of the last puzzle.
    pub fn clear(&mut self) {
        if let WholeBoard::Nine(held) = self {
            held.memo.clear();
        }
    }

    /// The state as a grid.
    pub fn grid(&self, layout: &Arc<Layout>, given: Cells) -> Grid {
        let planes = self.planes(layout.size());
        Grid::from_parts(layout.clone(), planes, self.placed(), given)
    }

    fn planes(&self, size: usize) -> Vec<Cells> {
        match self {
            WholeBoard::Nine(held) => (0..size).map(|d| held.x.cells(Digit::at(d))).collect(),
            WholeBoard::Any(_, held) => held.x.cells()[..size].to_vec(),
        }
    }

    fn placed(&self) -> Cells {
        match self {
            WholeBoard::Nine(held) => held.placed.cells(Digit::at(0)),
            WholeBoard::Any(_, held) => held.placed.cells()[0],
        }
    }

    /// The 9×9 board.
    pub fn nine(&self) -> Planes {
        match self {
            WholeBoard::Nine(held) => held.x,
            WholeBoard::Any(_, held) => Planes::from_cells(&held.x.cells()[..9]),
        }
    }

    /// Runs on. Passes are recorded on the 9×9 board only.
    pub fn run<R: Record<Planes>>(&mut self, layout: &Layout, task: Task, record: &mut R) -> Stop {
        match self {
            WholeBoard::Nine(held) => simd::run(OnLanes { held, layout, task, record }),
            WholeBoard::Any(board, held) => {
                let Task { plans, purpose, from, passes } = task;
                // Nothing is gained by looking at the end only.
                let purpose = if purpose == Purpose::End { Purpose::Holes } else { purpose };
                let mut state = WholeState { board, x: held.x, placed: held.placed };
                let memo = &mut held.memo;
                let run = Run { plans, purpose, from, memo, passes, record: &mut () };
                let stop = state.go(run);
                (held.x, held.placed) = (state.x, state.placed);
                stop
            }
        }
    }

    /// Runs on the 9×9 board from givens on, 0 where none, to the numbers placed in the end,
    /// which is all that counts.
    ///
    /// Nothing where the board is not in registers.
    #[inline]
    pub fn run_numbers<R: Record<Planes>>(
        &mut self,
        layout: &Layout,
        givens: &[u8; 81],
        numbers: &mut [u8; 81],
        task: Task,
        record: &mut R,
    ) -> Option<Stop> {
        let WholeBoard::Nine(held) = self else { return None };
        let run = OnLanes { held, layout, task, record };
        Some(simd::run(Numbers { givens, numbers, run }))
    }

    /// The numbers placed, where the board is in registers.
    pub fn write_numbers(&self, numbers: &mut [u8; 81]) {
        if let WholeBoard::Nine(held) = self {
            simd::run(Placed { held, numbers });
        }
    }
}

/// Whether what is placed has left its cell and its houses.
pub(super) struct IsTidy<'a> {
    /// The board.
    pub held: &'a Held<Planes, Memo>,
    /// Its layout.
    pub layout: &'a Layout,
}

impl Kernel for IsTidy<'_> {
    type Output = bool;
    #[inline(always)]
    fn run<L: Lanes>(self) -> bool {
        let (x, placed) = (L::load(&self.held.x), L::load(&self.held.placed));
        is_tidy(&Nine::<L>::new(self.layout), x, placed)
    }
}

/// A run on the board as it is.
pub(super) struct OnLanes<'a, R> {
    /// The board.
    pub held: &'a mut Held<Planes, Memo>,
    /// Its layout.
    pub layout: &'a Layout,
    /// What to run.
    pub task: Task<'a>,
    /// What is recorded.
    pub record: &'a mut R,
}

impl<R: Record<Planes>> OnLanes<'_, R> {
    /// From these candidates and placed cells on; where it ends, and what is placed there.
    #[inline(always)]
    pub(super) fn go<L: Lanes>(self, x: L, placed: L) -> (Stop, L) {
        let Task { plans, purpose, from, passes } = self.task;
        let Held { x: x_at_rest, placed: placed_at_rest, memo } = self.held;
        let board = Nine::<L>::new(self.layout);
        let mut state = WholeState { board: &board, x, placed };
        let stop = state.go(Run { plans, purpose, from, memo, passes, record: self.record });
        state.x.store(x_at_rest);
        state.placed.store(placed_at_rest);
        (stop, state.x & state.placed)
    }
}

impl<R: Record<Planes>> Kernel for OnLanes<'_, R> {
    type Output = Stop;
    #[inline(always)]
    fn run<L: Lanes>(self) -> Stop {
        let (x, placed) = (L::load(&self.held.x), L::load(&self.held.placed));
        self.go(x, placed).0
    }
}

/// A run from the givens on.
struct Numbers<'a, R> {
    givens: &'a [u8; 81],
    numbers: &'a mut [u8; 81],
    run: OnLanes<'a, R>,
}

impl<R: Record<Planes>> Kernel for Numbers<'_, R> {
    type Output = Stop;
    #[inline(always)]
    fn run<L: Lanes>(self) -> Stop {
        let given = L::from_numbers(self.givens);
        let cells = given.any_digit();
        let open = L::all(BAND) - (cells | houses_of(given));
        // Known when compiled: only the code for this purpose is left in the kernel.
        let task = Task { purpose: Purpose::End, ..self.run.task };
        let (stop, placed) = OnLanes { task, ..self.run }.go(open | given, cells);
        placed.to_numbers(self.numbers);
        stop
    }
}

struct Placed<'a> {
    held: &'a Held<Planes, Memo>,
    numbers: &'a mut [u8; 81],
}

impl Kernel for Placed<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Held { x, placed, .. } = self.held;
        (L::load(x) & L::load(placed)).to_numbers(self.numbers);
    }
}
