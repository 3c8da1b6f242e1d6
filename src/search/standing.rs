//! Whether a grid has one solution; what is to blame if it has none, and where they differ if it
//! has several.

use std::sync::Arc;

use crate::board::{Candidate, Cell, Cells, Digit, Grid, Layout};

use super::last_resort::Auto;
use super::solver::{Ending, Limits, Solver};

/// What the solutions of a grid are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// There is one.
    One,
    /// There is none.
    Impossible(Blame),
    /// There are several: the first two.
    Several(Vec<u8>, Vec<u8>),
    /// It takes too long to find out.
    Unknown,
}

/// Why a grid has no solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Blame {
    /// Without any one of these entries there is a solution.
    AnyOf(Vec<Candidate>),
    /// Without all of these entries there is one, and not with fewer taken back.
    AllOf(Vec<Candidate>),
    /// These entries cannot all be right.
    Together(Vec<Candidate>),
    /// The entries have a solution, but these candidates of it were crossed out.
    CrossedOut(Vec<Candidate>),
}

/// Guesses for one question. 9×9 grids need a few hundred at the most.
const WORK: u64 = 100_000;
/// Questions about a 9×9 grid: half a second. A question about a larger one takes longer.
const QUESTIONS: usize = 40_000;
/// Entries to be taken back that are looked for.
const MOST_WRONG: usize = 4;

/// What the solutions of a grid are, with its candidates as they are.
///
/// ```
/// use dokulog::board::{Grid, Layout};
/// use dokulog::search::{Blame, Standing, standing};
///
/// let four = Layout::classic(4).expect("there are 4×4 puzzles");
/// assert!(matches!(standing(&Grid::empty(four.clone())), Standing::Several(..)));
/// let wrong = Grid::from_givens(four, &[1, 2, 3, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0]);
/// let wrong = wrong.expect("no digit twice");
/// assert!(matches!(standing(&wrong), Standing::Impossible(Blame::AnyOf(_))));
/// ```
pub fn standing(grid: &Grid) -> Standing {
    let mut solutions = match solutions(grid, 2) {
        Some(found) => found,
        None => return Standing::Unknown,
    };
    match (solutions.pop(), solutions.pop()) {
        (Some(second), Some(first)) => Standing::Several(first, second),
        (Some(_), None) => Standing::One,
        _ => Standing::Impossible(blame(grid)),
    }
}

/// The cells where two solutions differ, with the digits that they have there.
pub fn differences(first: &[u8], second: &[u8]) -> Vec<(Cell, [Digit; 2])> {
    let pairs = (0..).map(Cell::at).zip(first.iter().zip(second));
    let differing = pairs.filter(|(_, (a, b))| a != b);
    differing.map(|(cell, (a, b))| (cell, [a, b].map(|n| Digit::new(usize::from(*n))))).collect()
}

/// The first solutions, no more than so many; nothing if it takes too long.
pub(super) fn solutions(grid: &Grid, most: usize) -> Option<Vec<Vec<u8>>> {
    let limits = Limits { solutions: most, work: WORK, seed: 0 };
    let answer = Auto::default().solve(grid, &limits);
    (answer.ending != Ending::GaveUp || answer.solutions.len() == most).then_some(answer.solutions)
}

fn blame(grid: &Grid) -> Blame {
    let (layout, digits) = (grid.layout(), grid.digits());
    let mut court = Court { layout, digits: &digits, questions: 0 };
    let placed = grid.placed();
    if let Some(solution) = court.solutions(placed, 1).pop() {
        let needed = |cell: Cell| {
            let digit = Digit::new(usize::from(solution[cell.index()]));
            Candidate { cell, digit }
        };
        let lost = layout.all_cells().iter().map(needed).filter(|c| !grid.is_possible(*c));
        return Blame::CrossedOut(lost.collect());
    }
    // What the puzzle gives is above suspicion as long as it can be.
    let fixed = if court.is_possible(grid.given()) { grid.given() } else { Cells::EMPTY };
    court.judge(fixed, placed - fixed)
}

/// Asks which entries go together.
struct Court<'a> {
    layout: &'a Arc<Layout>,
    digits: &'a [u8],
    questions: usize,
}

impl Court<'_> {
    fn judge(&mut self, fixed: Cells, suspects: Cells) -> Blame {
        let core = self.core(fixed, suspects);
        let one = |court: &mut Self, most: usize| -> Vec<Cell> {
            let all = fixed | suspects;
            let without = |cell: &Cell| {
                let count = court.solutions(all - Cells::only(*cell), 2).len();
                (1..=most).contains(&count)
            };
            core.iter().filter(without).collect()
        };
        // Who made one mistake in a good puzzle is left with one solution without it.
        for most in [1, 2] {
            let found = one(self, most);
            if !found.is_empty() {
                return Blame::AnyOf(self.entries(found));
            }
        }
        let mut gone = Vec::new();
        for count in 2..=MOST_WRONG {
            if self.take_back(fixed, suspects, count, &mut gone) {
                gone.sort_unstable();
                return Blame::AllOf(self.entries(gone));
            }
        }
        Blame::Together(self.entries(core.iter().collect()))
    }

    /// Looks for so many entries without which there is a solution: one of them is in any core.
    fn take_back(
        &mut self,
        fixed: Cells,
        suspects: Cells,
        count: usize,
        gone: &mut Vec<Cell>,
    ) -> bool {
        if self.is_possible(fixed | suspects) {
            return true;
        }
        let scale = self.digits.len() * self.digits.len() / (81 * 81);
        if count == 0 || self.questions * scale.max(1) > QUESTIONS {
            return false;
        }
        for cell in self.core(fixed, suspects).iter() {
            gone.push(cell);
            if self.take_back(fixed, suspects - Cells::only(cell), count - 1, gone) {
                return true;
            }
            gone.pop();
        }
        false
    }

    /// Some of the suspects that cannot be right together, each of them needed for that.
    fn core(&mut self, fixed: Cells, suspects: Cells) -> Cells {
        let mut core = suspects;
        for cell in suspects.iter() {
            let fewer = core - Cells::only(cell);
            if !self.is_possible(fixed | fewer) {
                core = fewer;
            }
        }
        core
    }

    fn is_possible(&mut self, entries: Cells) -> bool {
        !self.solutions(entries, 1).is_empty()
    }

    /// What takes too long to find counts as none.
    fn solutions(&mut self, entries: Cells, most: usize) -> Vec<Vec<u8>> {
        self.questions += 1;
        let digit = |cell| if entries.contains(Cell::at(cell)) { self.digits[cell] } else { 0 };
        let digits: Vec<u8> = (0..self.digits.len()).map(digit).collect();
        let grid = Grid::from_givens(self.layout.clone(), &digits);
        grid.ok().and_then(|grid| solutions(&grid, most)).unwrap_or_default()
    }

    fn entries(&self, cells: Vec<Cell>) -> Vec<Candidate> {
        let digit = |cell: Cell| Digit::new(usize::from(self.digits[cell.index()]));
        cells.into_iter().map(|cell| Candidate { cell, digit: digit(cell) }).collect()
    }
}
