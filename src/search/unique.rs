//! How many solutions a puzzle has, and whether it has one: what rules that assume it have to know
//! first.

use crate::board::{Candidate, Grid};

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

/// Guesses that a candidate may take to be in a solution.
const GUESSES: u64 = 2_000;

/// Whether it is clear that no sound rule has anything to say: every candidate is in a solution.
pub(super) fn is_exhausted(grid: &Grid) -> bool {
    if !grid.layout().is_classic_nine() {
        return false;
    }
    let mut open = grid.planes().to_vec();
    for digit in grid.layout().digits() {
        while let Some(cell) = open[digit.index()].first() {
            let mut with = grid.clone();
            with.conclude_place(Candidate { cell, digit });
            let Ok(Some(solution)) = Enumerator::of_grid(&with).next_within(GUESSES) else {
                return false;
            };
            for (cell, digit) in grid.layout().all_cells().into_iter().zip(solution) {
                open[usize::from(digit) - 1].remove(cell);
            }
        }
    }
    true
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Layout;

    #[test]
    fn exhausted_is_what_all_solutions_leave() {
        // Without the clue in cell 78 it has 90 solutions.
        let line =
            "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7......";
        let digits: Vec<u8> =
            line.bytes().map(|sign| if sign == b'.' { 0 } else { sign - b'0' }).collect();
        let nine = Layout::classic(9).expect("9 is a classic size");
        let start = Grid::from_givens(nine.clone(), &digits).expect("no clash");
        assert!(!is_exhausted(&start));
        let solutions: Vec<[u8; 81]> = Enumerator::of_grid(&start).collect();
        assert_eq!(solutions.len(), 90);
        let mut left = start.clone();
        let mut gone = Vec::new();
        for cell in nine.all_cells() {
            for digit in start.candidates(cell) {
                if !solutions.iter().any(|s| usize::from(s[cell.index()]) == digit.number()) {
                    left.eliminate(Candidate { cell, digit });
                    gone.push(Candidate { cell, digit });
                }
            }
        }
        assert!(is_exhausted(&left));
        // One more than there is in any solution.
        for more in gone.into_iter().take(20) {
            let mut other = start.clone();
            for cell in nine.all_cells() {
                for digit in start.candidates(cell) {
                    let candidate = Candidate { cell, digit };
                    if candidate != more && !left.is_possible(candidate) {
                        other.eliminate(candidate);
                    }
                }
            }
            assert!(!is_exhausted(&other), "{more:?}");
        }
    }
}
