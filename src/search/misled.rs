//! Where a rule is wrong: it takes a digit of a solution away.

use crate::board::{Candidate, Cell, Digit, Grid};
use crate::trace::{Conclusion, Outcome, Report};

use super::standing::solutions;

/// A step that takes a digit of a solution away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongStep {
    /// Which one, from 1.
    pub number: usize,
    /// The digit, and where the solution has it.
    pub lost: Candidate,
}

impl WrongStep {
    /// The first that is wrong of those that lead on from a grid.
    pub fn find<'a>(
        grid: &Grid,
        steps: impl IntoIterator<Item = &'a Conclusion>,
    ) -> Option<WrongStep> {
        let solution = first_solution(grid)?;
        let mut state = grid.clone();
        (1..).zip(steps).find_map(|(number, conclusion)| {
            conclusion.apply(&mut state);
            Some(WrongStep { number, lost: lost(&state, &solution)? })
        })
    }
}

/// Whether rules that have made this of a grid have lost a solution of it, or say that it has none.
pub(super) fn has_lost_one(grid: &Grid, report: &Report, end: &Grid) -> bool {
    let is_denied = matches!(report.outcome, Outcome::Contradiction { .. });
    first_solution(grid).is_some_and(|solution| is_denied || lost(end, &solution).is_some())
}

fn first_solution(grid: &Grid) -> Option<Vec<u8>> {
    solutions(grid, 1)?.pop()
}

/// The first digit of a solution that is no candidate.
pub fn lost(grid: &Grid, solution: &[u8]) -> Option<Candidate> {
    let wanted = (0..).map(Cell::at).zip(solution.iter().map(|&n| Digit::new(usize::from(n))));
    let mut wanted = wanted.map(|(cell, digit)| Candidate { cell, digit });
    wanted.find(|candidate| !grid.is_possible(*candidate))
}
