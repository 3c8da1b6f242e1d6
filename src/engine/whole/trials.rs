//! Hypotheses of one state of the 9×9 board, each closed in registers.
//!
//! What is known of the state's houses is worked out once: a hypothesis looks again only at those
//! that it changes.

use crate::board::groups::houses_of;
use crate::board::simd::{self, Kernel, Lanes, Planes};
use crate::board::{Candidate, Cells, Digit, Grid, Layout};
use crate::engine::plan::Plan;

use super::held::{Held, IsTidy, OnLanes, Task};
use super::memo::Memo;
use super::run::{Passes, Purpose, Stop};

/// A state, and the board on which hypotheses run.
pub struct Trials {
    state: Held<Planes, Memo>,
    desk: Held<Planes, Memo>,
    passes: Passes,
}

/// Where a hypothesis leads: the candidates, and the placed cells for each digit.
#[derive(Clone, Debug)]
pub struct Reached {
    /// The candidates.
    pub candidates: Planes,
    placed: Planes,
}

impl Trials {
    /// For so many instances.
    pub fn new(instances: usize) -> Trials {
        let passes = Passes { firings: vec![0; instances], ..Passes::default() };
        Trials { state: Held::default(), desk: Held::default(), passes }
    }

    /// Makes a state the one that hypotheses are added to; whether it is tidy, as runs suppose.
    pub fn start(&mut self, grid: &Grid, plans: &[Plan]) -> bool {
        self.state.load(grid);
        let layout = grid.layout();
        if !simd::run(IsTidy { held: &self.state, layout }) {
            return false;
        }
        self.desk = self.state.clone();
        let task = Task { plans, purpose: Purpose::End, from: 0, passes: &mut self.passes };
        simd::run(OnLanes { held: &mut self.desk, layout, task, record: &mut () });
        self.state.memo = self.desk.memo.clone();
        true
    }

    /// Takes a candidate from the state.
    pub fn eliminate(&mut self, Candidate { cell, digit }: Candidate) {
        self.state.x.remove(cell, digit);
    }

    /// Where a placement leads; nothing if that is a contradiction.
    pub fn place(
        &mut self,
        layout: &Layout,
        plans: &[Plan],
        Candidate { cell, digit }: Candidate,
    ) -> Option<Reached> {
        self.passes.clear();
        if !self.state.x.contains(cell, digit) {
            return None;
        }
        self.desk.clone_from(&self.state);
        let mut new = Planes::EMPTY;
        new.insert(cell, digit);
        let task = Task { plans, purpose: Purpose::End, from: 0, passes: &mut self.passes };
        let run = OnLanes { held: &mut self.desk, layout, task, record: &mut () };
        match simd::run(Place { new: &new, run }) {
            Stop::Doubtful | Stop::Hole => None,
            _ => Some(Reached { candidates: self.desk.x, placed: self.desk.placed }),
        }
    }

    /// What the last hypothesis took.
    pub fn passes(&self) -> &Passes {
        &self.passes
    }
}

impl Reached {
    /// The cells where a digit is possible.
    pub fn cells(&self, digit: Digit) -> Cells {
        self.candidates.cells(digit)
    }

    /// As a grid, with the givens of the state it was reached from.
    pub fn grid(&self, start: &Grid) -> Grid {
        let planes = start.layout().digits().map(|digit| self.cells(digit)).collect();
        let placed = self.placed.cells(Digit::at(0));
        Grid::from_parts(start.layout().clone(), planes, placed, start.given())
    }
}

/// A run with one candidate placed first.
struct Place<'a> {
    new: &'a Planes,
    run: OnLanes<'a, ()>,
}

impl Kernel for Place<'_> {
    type Output = Stop;
    #[inline(always)]
    fn run<L: Lanes>(self) -> Stop {
        let (x, placed) = (L::load(&self.run.held.x), L::load(&self.run.held.placed));
        let new = L::load(self.new);
        let cells = new.any_digit();
        let x = (x - (cells | houses_of(new))) | new;
        // Known when compiled: only the code for this purpose is left in the kernel.
        let task = Task { purpose: Purpose::End, ..self.run.task };
        OnLanes { task, ..self.run }.go(x, placed | cells).0
    }
}
