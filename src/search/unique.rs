//! Whether a puzzle has one solution: what rules that assume it have to know first.

use crate::board::Grid;

use super::last_resort::Auto;
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
