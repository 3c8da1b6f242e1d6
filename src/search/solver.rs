//! What every solver is asked and answers, so that they can be raced side by side.

use crate::board::Grid;

/// What a solver is asked for.
///
/// ```
/// use dokulog::board::{Grid, Layout};
/// use dokulog::search::{Auto, Ending, Limits, Solver};
///
/// let grid = Grid::empty(Layout::classic(4).expect("there are 4×4 puzzles"));
/// let limits = Limits { solutions: 1000, work: u64::MAX, seed: 0 };
/// let answer = Auto::default().solve(&grid, &limits);
/// assert_eq!((answer.solutions.len(), answer.ending), (288, Ending::Complete));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Stop after so many solutions.
    pub solutions: usize,
    /// Stop after so much work, in the solver's own [`Effort::work`].
    pub work: u64,
    /// Where the random numbers begin, for solvers that draw any.
    pub seed: u64,
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Everything was searched: there are no other solutions.
    Complete,
    /// As many solutions as asked for; there may be others.
    Enough,
    /// The budget ran out, or the method found nothing; there may be others.
    GaveUp,
}

/// What a search cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Inferences, tests or moves: [`super::Method::unit`] says which.
    pub work: u64,
    /// Nodes of the search tree, or grids looked at.
    pub nodes: u64,
    /// Cells decided, once for each time, for solvers that count them.
    pub placements: u64,
    /// Branches given up, for solvers that count them.
    pub backtracks: u64,
    /// Restarts, the first start included.
    pub tries: u64,
    /// Conflicts left in the best grid, for solvers that may end with a wrong one.
    pub conflicts: u64,
}

impl Effort {
    /// Adds what another search cost.
    pub fn add(&mut self, other: &Effort) {
        self.work += other.work;
        self.nodes += other.nodes;
        self.placements += other.placements;
        self.backtracks += other.backtracks;
        self.tries += other.tries;
    }
}

/// What a solver found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The solutions by number, one number a cell.
    pub solutions: Vec<Vec<u8>>,
    /// How it ended.
    pub ending: Ending,
    /// What it cost.
    pub effort: Effort,
}

/// A way to solve a puzzle.
pub trait Solver {
    /// Searches. The grid's candidates are respected, not only its placed digits.
    fn solve(&mut self, grid: &Grid, limits: &Limits) -> Answer;
    /// The method that the last search ended with, for a solver that chooses.
    fn took(&self) -> Option<&'static str> {
        None
    }
    /// One try: for solvers that start again and again, a single start.
    fn attempt(&mut self, grid: &Grid, limits: &Limits) -> Answer {
        self.solve(grid, limits)
    }
}
