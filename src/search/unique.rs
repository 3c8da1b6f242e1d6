//! How many solutions a puzzle has, and whether it has one: what rules that assume it have to know
//! first.

use crate::board::Grid;

use super::last_resort::Auto;
use super::methods::SEARCH;
use super::nine::Enumerator;
use super::solver::{Ending, Limits, Solver};

/// More than any puzzle of people needs; an answer that needs more is taken for "no".
const WORK: u64 = 10_000_000;

/// Whether the givens alone have exactly one solution. What was placed or eliminated later does
/// not count: it may rest on the very assumption.
pub fn has_one_solution(grid: &Grid) -> bool {
    let mut givens = grid.digits();
    for cell in grid.layout().all_cells() - grid.given() {
        givens[cell.index()] = 0;
    }
    let Ok(puzzle) = Grid::from_givens(grid.layout().clone(), &givens) else { return false };
    let limits = Limits { solutions: 2, work: WORK, seed: 0 };
    let answer = Auto::default().solve(&puzzle, &limits);
    answer.ending == Ending::Complete && answer.solutions.len() == 1
}

/// Bytes for the solutions of a puzzle that is not 9×9: they stand in memory while they are
/// counted.
const MOST_MEMORY: usize = 64 << 20;

/// How many solutions there are, up to a limit, and whether there may be more.
pub fn count(grid: &Grid, limit: usize) -> (usize, bool) {
    if grid.layout().is_classic_nine() {
        let count = Enumerator::of_grid(grid).count_up_to(limit.saturating_add(1));
        return (count.min(limit), count > limit);
    }
    let limit = limit.min(MOST_MEMORY / grid.layout().cell_count());
    let limits = Limits { solutions: limit + 1, work: SEARCH, seed: 0 };
    let answer = Auto::default().solve(grid, &limits);
    let more = answer.solutions.len() > limit || answer.ending == Ending::GaveUp;
    (answer.solutions.len().min(limit), more)
}
