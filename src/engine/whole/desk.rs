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
use super::run::{Passes, Purpose, Record, Run, State, Stop};

/// Candidates, placed cells, and what the board remembers.
pub enum Desk {
    /// The 9×9 board for vector registers.
    Nine(Box<Papers<Planes, Memo>>),
    /// Any board as bit sets.
    Any(Bits, Box<Papers<bits::Planes, ()>>),
}

/// What lies on a desk.
pub struct Papers<AtRest, Memo> {
    x: AtRest,
    /// The placed cells, for each digit.
    placed: AtRest,
    memo: Memo,
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

impl Desk {
    /// An empty desk.
    pub fn new(layout: &Arc<Layout>, registers: bool) -> Desk {
        if registers {
            let (x, placed) = (Planes::EMPTY, Planes::EMPTY);
            Desk::Nine(Box::new(Papers { x, placed, memo: Memo::default() }))
        } else {
            let none = bits::Planes::EMPTY;
            Desk::Any(Bits::new(layout), Box::new(Papers { x: none, placed: none, memo: () }))
        }
    }

    /// Takes over a grid; whether what is placed has left its cell and its houses, as plane
    /// programs and the Hall operator suppose.
    pub fn load(&mut self, grid: &Grid) -> bool {
        match self {
            Desk::Nine(papers) => {
                papers.x = Planes::from_cells(grid.planes());
                papers.placed = Planes::from_cells(&[grid.placed(); 9]);
                simd::run(IsTidy { papers, layout: grid.layout() })
            }
            Desk::Any(board, papers) => {
                papers.x = bits::Planes::new(grid.planes());
                papers.placed = bits::Planes::new(&vec![grid.placed(); grid.layout().size()]);
                is_tidy(board, papers.x, papers.placed)
            }
        }
    }

    /// Forgets what the board remembers of the last puzzle.
    pub fn clear(&mut self) {
        if let Desk::Nine(papers) = self {
            papers.memo.clear();
        }
    }

    /// The state as a grid.
    pub fn grid(&self, layout: &Arc<Layout>, given: Cells) -> Grid {
        let planes = self.planes(layout.size());
        Grid::from_parts(layout.clone(), planes, self.placed(), given)
    }

    fn planes(&self, size: usize) -> Vec<Cells> {
        match self {
            Desk::Nine(papers) => (0..size).map(|d| papers.x.cells(Digit::at(d))).collect(),
            Desk::Any(_, papers) => papers.x.cells()[..size].to_vec(),
        }
    }

    fn placed(&self) -> Cells {
        match self {
            Desk::Nine(papers) => papers.placed.cells(Digit::at(0)),
            Desk::Any(_, papers) => papers.placed.cells()[0],
        }
    }

    /// The 9×9 board.
    pub fn nine(&self) -> Planes {
        match self {
            Desk::Nine(papers) => papers.x,
            Desk::Any(_, papers) => Planes::from_cells(&papers.x.cells()[..9]),
        }
    }

    /// Runs on. Passes are recorded on the 9×9 board only.
    pub fn run<R: Record<Planes>>(&mut self, layout: &Layout, task: Task, record: &mut R) -> Stop {
        match self {
            Desk::Nine(papers) => simd::run(OnLanes { papers, layout, task, record }),
            Desk::Any(board, papers) => {
                let Task { plans, purpose, from, passes } = task;
                // Nothing is gained by looking at the end only.
                let purpose = if purpose == Purpose::End { Purpose::Holes } else { purpose };
                let mut state = State { board, x: papers.x, placed: papers.placed };
                let memo = &mut papers.memo;
                let run = Run { plans, purpose, from, memo, passes, record: &mut () };
                let stop = state.go(run);
                (papers.x, papers.placed) = (state.x, state.placed);
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
        let Desk::Nine(papers) = self else { return None };
        let run = OnLanes { papers, layout, task, record };
        Some(simd::run(Numbers { givens, numbers, run }))
    }

    /// The numbers placed, where the board is in registers.
    pub fn write_numbers(&self, numbers: &mut [u8; 81]) {
        if let Desk::Nine(papers) = self {
            simd::run(Placed { papers, numbers });
        }
    }
}

struct IsTidy<'a> {
    papers: &'a Papers<Planes, Memo>,
    layout: &'a Layout,
}

impl Kernel for IsTidy<'_> {
    type Output = bool;
    #[inline(always)]
    fn run<L: Lanes>(self) -> bool {
        let (x, placed) = (L::load(&self.papers.x), L::load(&self.papers.placed));
        is_tidy(&Nine::<L>::new(self.layout), x, placed)
    }
}

/// A run on the board as it is.
struct OnLanes<'a, R> {
    papers: &'a mut Papers<Planes, Memo>,
    layout: &'a Layout,
    task: Task<'a>,
    record: &'a mut R,
}

impl<R: Record<Planes>> OnLanes<'_, R> {
    #[inline(always)]
    fn go<L: Lanes>(self, x: L, placed: L) -> (Stop, L) {
        let Task { plans, purpose, from, passes } = self.task;
        let Papers { x: x_at_rest, placed: placed_at_rest, memo } = self.papers;
        let board = Nine::<L>::new(self.layout);
        let mut state = State { board: &board, x, placed };
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
        let (x, placed) = (L::load(&self.papers.x), L::load(&self.papers.placed));
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
    papers: &'a Papers<Planes, Memo>,
    numbers: &'a mut [u8; 81],
}

impl Kernel for Placed<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Papers { x, placed, .. } = self.papers;
        (L::load(x) & L::load(placed)).to_numbers(self.numbers);
    }
}
