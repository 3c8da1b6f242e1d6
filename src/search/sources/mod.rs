//! The solvers of the source texts, for teaching and comparison. None is in the way of the fast
//! path; each is small enough to be read in one go.

mod anneal;
mod backtrack;
mod entropy;
mod learned;
mod prolog;
mod rows;
mod tree;

pub use anneal::Annealing;
pub use backtrack::{Backtracking, Version};
pub use entropy::{CrossEntropy, Family};
pub use learned::LearnedEntropy;
pub use prolog::{FirstEnumerator, SecondEnumerator};
pub use tree::TreeSearch;

use crate::board::{Cell, Digits, Grid, Layout};
use crate::random::Random;

use super::solver::{Answer, Effort, Ending, Limits};

/// What the searches share: the placed digits, what each cell may hold, the solutions found, and
/// the work done so far.
struct Record<'a> {
    layout: &'a Layout,
    numbers: Vec<u8>,
    allowed: Vec<Digits>,
    limits: Limits,
    effort: Effort,
    solutions: Vec<Vec<u8>>,
}

impl<'a> Record<'a> {
    fn new(grid: &'a Grid, limits: &Limits) -> Record<'a> {
        let layout = grid.layout();
        Record {
            layout,
            numbers: grid.digits(),
            allowed: layout.all_cells().iter().map(|cell| grid.candidates(cell)).collect(),
            limits: *limits,
            effort: Effort { tries: 1, ..Effort::default() },
            solutions: Vec::new(),
        }
    }

    /// The cells to be filled, in reading order.
    fn blanks(&self) -> Vec<Cell> {
        self.layout.all_cells().iter().filter(|cell| self.numbers[cell.index()] == 0).collect()
    }

    /// Takes a solution down.
    fn found(&mut self) {
        self.solutions.push(self.numbers.clone());
    }

    /// Whether there is nothing more to be done.
    fn is_over(&self) -> bool {
        self.solutions.len() >= self.limits.solutions || self.effort.work >= self.limits.work
    }

    /// The answer of a search of everything; cut short if `is_over` said so while more was left.
    fn answer(self, cut_short: bool) -> Answer {
        let ending = match cut_short {
            false => Ending::Complete,
            true if self.solutions.len() >= self.limits.solutions => Ending::Enough,
            true => Ending::GaveUp,
        };
        Answer { solutions: self.solutions, ending, effort: self.effort }
    }
}

/// Starts again and again, with new random numbers each time, until there is a solution, the
/// budget of work is spent, or `starts` have been made.
fn restarted(
    limits: &Limits,
    starts: u64,
    mut start: impl FnMut(&mut Effort, &mut Random) -> Option<Vec<u8>>,
) -> Answer {
    let mut effort = Effort { conflicts: u64::MAX, ..Effort::default() };
    let mut solutions = Vec::new();
    let wanted = limits.solutions.min(1);
    while solutions.len() < wanted && effort.work < limits.work && effort.tries < starts {
        let mut random = Random::for_item(limits.seed, effort.tries);
        effort.tries += 1;
        solutions.extend(start(&mut effort, &mut random));
    }
    effort.nodes = effort.work;
    let ending = if solutions.is_empty() { Ending::GaveUp } else { Ending::Enough };
    Answer { solutions, ending, effort }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::full_grid;
    use crate::search::{Solver, plain};

    /// Puzzles with none, one or many solutions.
    fn puzzles(layout: &Layout) -> Vec<Vec<u8>> {
        let mut random = Random::new(9);
        (0..20)
            .map(|i| {
                let mut puzzle = full_grid(layout, &mut random);
                for _ in 0..layout.cell_count() {
                    puzzle[random.below(layout.cell_count())] = 0;
                }
                if i % 4 == 0 {
                    puzzle[random.below(layout.cell_count())] = 0;
                }
                puzzle
            })
            .collect()
    }

    #[test]
    fn all_searches_find_the_solutions_of_the_plain_counter() {
        for size in [4, 6, 9] {
            let layout = Layout::classic(size).expect("a classic size");
            for puzzle in puzzles(&layout) {
                let mut expected = Vec::new();
                plain::each_solution(&layout, &puzzle, &mut |solution| {
                    expected.push(solution.to_vec());
                    expected.len() <= 200
                });
                if expected.len() > 200 {
                    continue;
                }
                expected.sort();
                let grid = Grid::from_givens(layout.clone(), &puzzle).expect("no clash");
                let solvers: [&mut dyn Solver; 5] = [
                    &mut TreeSearch,
                    &mut Backtracking(Version::Plain),
                    &mut Backtracking(Version::Sorted),
                    &mut Backtracking(Version::Memorised),
                    &mut SecondEnumerator,
                ];
                for solver in solvers {
                    let limits = Limits { solutions: 1000, work: u64::MAX, seed: 0 };
                    let mut answer = solver.solve(&grid, &limits);
                    answer.solutions.sort();
                    assert_eq!(answer.solutions, expected);
                    assert_eq!(answer.ending, Ending::Complete);
                }
            }
        }
    }

    #[test]
    fn a_budget_ends_every_search() {
        let layout = Layout::classic(9).expect("9 is a classic size");
        let grid = Grid::empty(layout);
        let limits = Limits { solutions: 1_000_000, work: 10_000, seed: 0 };
        assert_eq!(TreeSearch.solve(&grid, &limits).ending, Ending::GaveUp);
        assert_eq!(SecondEnumerator.solve(&grid, &limits).ending, Ending::GaveUp);
        let enough = Limits { solutions: 1, ..limits };
        assert_eq!(SecondEnumerator.solve(&grid, &enough).ending, Ending::Enough);
    }
}
