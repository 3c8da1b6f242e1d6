//! Text 004's cross-entropy with what it needs to solve 9×9 grids.
//!
//! Still cross-entropy: draw many fillings from a law, keep the best, move the law towards them.
//! Added to the text:
//!
//! - the rules first: only candidates that they leave are drawn;
//! - a row is drawn as a whole, from the family's law on condition that each missing digit comes
//!   once ([`Row`]); under this condition the multinomial over the sum is a law of orders with one
//!   parameter a cell, large where large digits belong, and can close in on any of them;
//! - the law moves a part of the way (smoothing), so that no digit is lost by chance;
//! - the more candidates, the more fillings; few of them are learned from;
//! - a new start remembers where the last one was caught: what its best filling lacked counts for
//!   more from then on.

use crate::board::{Cell, Grid, HouseKind};
use crate::engine::{Deducer, Engine};
use crate::language::RuleSet;
use crate::random::Random;
use crate::trace::Outcome;

use super::entropy::Family;
use super::restarted;
use super::rows::{Row, bits};
use crate::search::solver::{Answer, Effort, Ending, Limits, Solver};

/// Fillings drawn a round, for each candidate.
const DRAWN: usize = 8;
/// And no more than this, for their memory.
const MOST_DRAWN: usize = 20_000;
/// One filling in so many is learned from.
const LEARNED: usize = 33;
/// How far a cell's chances move towards the best fillings.
const SMOOTHING: f64 = 0.6;
/// How large a cell's parameter becomes at most in the sum's family.
const STEEPEST: f64 = 8.0;
/// Rounds in a row without a better filling before a new start.
const PATIENCE: usize = 5;
/// How much more a digit counts in a house that lacked it at the end of a start.
const MEMORY: u64 = 2;

/// The course work's solver as it works.
pub struct LearnedEntropy {
    family: Family,
    rules: RuleSet,
}

impl LearnedEntropy {
    /// With those of the rules that are true of puzzles with several solutions.
    pub fn new(family: Family, rules: &RuleSet) -> LearnedEntropy {
        LearnedEntropy { family, rules: rules.keep(|rule, _| !rule.assumes_unique) }
    }

    fn starts(&self, grid: &Grid, limits: &Limits, starts: u64) -> Answer {
        let mut treated = grid.clone();
        let engine = Engine::new(&self.rules, grid.layout());
        let mut worker = engine.expect("rules that assume one solution are left out").worker();
        let report = worker.fixpoint(&mut treated);
        if report.outcome == Outcome::Solved {
            let effort = Effort { tries: 1, ..Effort::default() };
            return Answer { solutions: vec![treated.digits()], ending: Ending::Enough, effort };
        }
        let mut task = Task::new(&treated);
        let has_no_filling = !task.weigh(&Law::new(self.family, &treated).weights(&treated));
        if matches!(report.outcome, Outcome::Contradiction { .. }) || has_no_filling {
            let effort = Effort { tries: 1, ..Effort::default() };
            return Answer { solutions: vec![], ending: Ending::Complete, effort };
        }
        restarted(limits, starts, |effort, random| {
            let law = Law::new(self.family, &treated);
            task.start(law, limits.work, effort, random)
        })
    }
}

impl Solver for LearnedEntropy {
    fn solve(&mut self, grid: &Grid, limits: &Limits) -> Answer {
        self.starts(grid, limits, u64::MAX)
    }

    fn attempt(&mut self, grid: &Grid, limits: &Limits) -> Answer {
        self.starts(grid, limits, 1)
    }
}

/// The parameters of a family.
struct Law {
    family: Family,
    /// By cell and digit, for [`Family::Cell`]: the chance of the digit.
    chances: Vec<f64>,
    /// By cell, for [`Family::Sum`]: the logarithm of the cell's share of the sum.
    pulls: Vec<f64>,
}

impl Law {
    /// All candidates alike.
    fn new(family: Family, grid: &Grid) -> Law {
        let layout = grid.layout();
        let mut chances = vec![0.0; layout.cell_count() * layout.size()];
        for cell in grid.unsolved() {
            let digits = grid.candidates(cell);
            for digit in digits {
                chances[cell.index() * layout.size() + digit.index()] = 1.0 / digits.len() as f64;
            }
        }
        Law { family, chances, pulls: vec![0.0; layout.cell_count()] }
    }

    /// The weight of each candidate, by cell and digit. A multinomial gives the numbers x of the
    /// cells the chance ∏ share^x / x!; where a row has each digit once, the faculties are the same
    /// for all of its orders and cancel out. So do factors of a cell: its largest weight is 1.
    fn weights(&self, grid: &Grid) -> Vec<f64> {
        if self.family == Family::Cell {
            return self.chances.clone();
        }
        let size = grid.layout().size();
        let mut weights = vec![0.0; self.chances.len()];
        for cell in grid.unsolved() {
            let pull = self.pulls[cell.index()];
            let most = if pull > 0.0 { size - 1 } else { 0 } as f64;
            for digit in grid.candidates(cell) {
                let weight = (pull * (digit.index() as f64 - most)).exp();
                weights[cell.index() * size + digit.index()] = weight;
            }
        }
        weights
    }

    /// Moves towards the best of the fillings.
    fn learn(&mut self, blanks: &[Blank], size: usize, drawn: &[Vec<u8>], best: &[(u64, usize)]) {
        for &Blank { cell, .. } in blanks {
            match self.family {
                Family::Cell => {
                    let chances = &mut self.chances[cell * size..][..size];
                    chances.iter_mut().for_each(|chance| *chance *= 1.0 - SMOOTHING);
                    for &(_, i) in best {
                        chances[drawn[i][cell] as usize - 1] += SMOOTHING / best.len() as f64;
                    }
                }
                Family::Sum => {
                    // A step of Newton's method to the parameter under which the mean is that of
                    // the best: the derivative of a mean is the variance.
                    let numbers = || drawn.iter().map(|numbers| f64::from(numbers[cell]));
                    let mean = numbers().sum::<f64>() / drawn.len() as f64;
                    let spread =
                        numbers().map(|n| (n - mean).powi(2)).sum::<f64>() / drawn.len() as f64;
                    let of_best = best.iter().map(|&(_, i)| f64::from(drawn[i][cell]));
                    let better = of_best.sum::<f64>() / best.len() as f64;
                    let step = ((better - mean) / spread.max(0.1)).clamp(-1.0, 1.0);
                    let pull = &mut self.pulls[cell];
                    *pull = (*pull + step).clamp(-STEEPEST, STEEPEST);
                }
            }
        }
    }
}

/// A cell to fill.
struct Blank {
    cell: usize,
    /// Its houses but the row.
    houses: Vec<usize>,
}

/// A puzzle, and what the starts so far have taught of it.
struct Task<'a> {
    grid: &'a Grid,
    rows: Vec<Row>,
    blanks: Vec<Blank>,
    /// The digits that each house has before anything is drawn, rows counted as full.
    present: Vec<u32>,
    /// What a missing digit costs, by house and digit.
    prices: Vec<u64>,
    drawn: usize,
}

impl<'a> Task<'a> {
    fn new(grid: &'a Grid) -> Task<'a> {
        let layout = grid.layout();
        let rows = layout.houses_of_kind(HouseKind::Row);
        let blank = |cell: Cell| {
            let houses = layout.houses_of(cell) - rows;
            Blank { cell: cell.index(), houses: houses.iter().map(|house| house.index()).collect() }
        };
        let present = |house| {
            let has = |&digit: &_| {
                rows.contains(house)
                    || (grid.plane(digit) & grid.placed()).meets(&layout.cells(house))
            };
            layout.digits().filter(has).map(|digit| 1 << digit.index()).sum()
        };
        let candidates: usize = grid.unsolved().iter().map(|c| grid.candidates(c).len()).sum();
        Task {
            grid,
            rows: rows.iter().map(|row| Row::new(grid, row)).collect(),
            blanks: grid.unsolved().iter().map(blank).collect(),
            present: layout.all_houses().iter().map(present).collect(),
            prices: vec![1; layout.house_count() * layout.size()],
            drawn: (candidates * DRAWN).clamp(100, MOST_DRAWN),
        }
    }

    /// Rounds of drawing and learning until a solution, the budget, or the end of patience.
    fn start(
        &mut self,
        mut law: Law,
        budget: u64,
        effort: &mut Effort,
        random: &mut Random,
    ) -> Option<Vec<u8>> {
        let size = self.grid.layout().size();
        let mut caught: Option<(u64, Vec<u8>)> = None;
        let mut waited = 0;
        while waited < PATIENCE && effort.work < budget {
            let weights = law.weights(self.grid);
            if !self.weigh(&weights) {
                break;
            }
            let count = self.drawn.min((budget - effort.work) as usize);
            let mut drawn = Vec::with_capacity(count);
            let mut ranks = Vec::with_capacity(count);
            for i in 0..count {
                effort.work += 1;
                let (numbers, amiss) = self.draw(&weights, random);
                let (price, missing) = self.price(&numbers);
                effort.conflicts = effort.conflicts.min(missing + amiss);
                if missing + amiss == 0 {
                    return Some(numbers);
                }
                ranks.push((price + amiss, i));
                drawn.push(numbers);
            }
            let learned = (count / LEARNED).clamp(1, count);
            ranks.select_nth_unstable(learned - 1);
            ranks.truncate(learned);
            let least = ranks.iter().min().map(|&(price, i)| (price, drawn[i].clone()));
            waited += 1;
            if caught.as_ref().is_none_or(|best| least.as_ref().is_some_and(|l| l.0 < best.0)) {
                (caught, waited) = (least, 0);
            }
            law.learn(&self.blanks, size, &drawn, &ranks);
        }
        if let Some((_, numbers)) = caught {
            self.remember(&numbers);
        }
        None
    }

    /// Takes new weights; whether every row can be filled.
    fn weigh(&mut self, weights: &[f64]) -> bool {
        let size = self.grid.layout().size();
        self.rows.iter_mut().all(|row| row.weigh(size, weights))
    }

    /// A filling, and how many of its digits are no candidates.
    fn draw(&self, weights: &[f64], random: &mut Random) -> (Vec<u8>, u64) {
        let size = self.grid.layout().size();
        let mut numbers = self.grid.digits();
        let amiss = self.rows.iter().map(|row| row.draw(size, weights, random, &mut numbers)).sum();
        (numbers, amiss)
    }

    /// The digits that each house has.
    fn found(&self, numbers: &[u8]) -> Vec<u32> {
        let mut found = self.present.clone();
        for blank in &self.blanks {
            let digit = 1 << (numbers[blank.cell] - 1);
            blank.houses.iter().for_each(|&house| found[house] |= digit);
        }
        found
    }

    /// What the digits that houses lack cost, and how many there are.
    fn price(&self, numbers: &[u8]) -> (u64, u64) {
        let mut missing = 0;
        (self.lacking(numbers).inspect(|_| missing += 1).map(|at| self.prices[at]).sum(), missing)
    }

    /// Where a digit is missing, by house and digit.
    fn lacking(&self, numbers: &[u8]) -> impl Iterator<Item = usize> {
        let size = self.grid.layout().size();
        let all = (1 << size) - 1;
        self.found(numbers).into_iter().enumerate().flat_map(move |(house, found)| {
            bits((all & !found) as usize).map(move |digit| house * size + digit)
        })
    }

    /// What the best filling of a start lacks counts for more from now on.
    fn remember(&mut self, numbers: &[u8]) {
        let lacking: Vec<usize> = self.lacking(numbers).collect();
        lacking.into_iter().for_each(|at| self.prices[at] += MEMORY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Layout;
    use crate::language::load;
    use crate::search::plain;

    fn solve(family: Family, size: usize, digits: &str, work: u64) -> (Grid, Answer) {
        let layout = Layout::classic(size).expect("a classic size");
        let numbers: Vec<u8> =
            digits.bytes().map(|b| if b == b'.' { 0 } else { b - b'0' }).collect();
        let grid = Grid::from_givens(layout, &numbers).expect("no clash");
        // Without rules: nothing but what is drawn.
        let rules = load(vec![]).0.expect("no rules, no errors");
        let limits = Limits { solutions: 1, work, seed: 1 };
        let answer = LearnedEntropy::new(family, &rules).solve(&grid, &limits);
        (grid, answer)
    }

    #[test]
    fn both_families_solve_without_rules() {
        for (size, puzzle) in [
            (4, "3.4..4....31...."),
            (6, ".5......6.3.4....2..3.1...........64"),
            (
                9,
                "..2...46..194.2....4.7.6..1.91.3..4858.249.1347..1.69.8..9.4.2....8.397..24...8..",
            ),
        ] {
            for family in [Family::Sum, Family::Cell] {
                let (grid, answer) = solve(family, size, puzzle, 200_000);
                assert_eq!(answer.solutions.len(), 1, "{family:?}: {puzzle}");
                let numbers = &answer.solutions[0];
                assert_eq!(plain::count(grid.layout(), numbers, 2), 1, "{family:?}: {numbers:?}");
                assert!(grid.digits().iter().zip(numbers).all(|(&g, &n)| g == 0 || g == n));
            }
        }
    }

    #[test]
    fn a_puzzle_without_solution_ends() {
        for family in [Family::Sum, Family::Cell] {
            // No digit for r1c1, so no order for row 1: seen before anything is drawn.
            let (_, answer) = solve(family, 4, ".12.....3...4...", 10_000);
            assert_eq!((answer.ending, answer.effort.work), (Ending::Complete, 0));
            // Orders for all rows, but no solution.
            let (_, answer) = solve(family, 4, "13.......42....3", 10_000);
            assert_eq!((answer.ending, answer.effort.work), (Ending::GaveUp, 10_000));
            assert!(answer.effort.conflicts > 0);
        }
    }

    #[test]
    fn rows_with_too_many_blanks_to_weigh_are_drawn() {
        let empty = ".".repeat(625);
        let (_, answer) = solve(Family::Sum, 25, &empty, 50);
        assert_eq!((answer.ending, answer.effort.work), (Ending::GaveUp, 50));
    }
}
