//! Text 004: cross-entropy, as it stands there. Draw many fillings, keep the best, learn from them
//! how to draw.

use crate::board::{Cell, Grid, Layout};
use crate::random::Random;

use super::restarted;
use crate::search::solver::{Answer, Effort, Limits, Solver};

/// How fillings are drawn, and what is learned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// All blanks together are one multinomial draw of what the digits must sum to. A cell may get
    /// a number that is no digit; its distance to the digits is added to the cost.
    Sum,
    /// Each blank draws from the digits that it has in the best fillings.
    Cell,
}

/// Fillings drawn a round.
const DRAWN: usize = 1000;
/// Fillings learned from: the best tenth.
const LEARNED: usize = DRAWN / 10;
/// Rounds in a row without a better filling before a new start.
const PATIENCE: usize = 20;

/// The course work's solver. It says honestly when it has found nothing.
pub struct CrossEntropy(pub Family);

impl Solver for CrossEntropy {
    fn solve(&mut self, grid: &Grid, limits: &Limits) -> Answer {
        restarted(limits, u64::MAX, |effort, random| {
            self.try_once(grid, limits.work, effort, random)
        })
    }

    fn attempt(&mut self, grid: &Grid, limits: &Limits) -> Answer {
        restarted(limits, 1, |effort, random| self.try_once(grid, limits.work, effort, random))
    }
}

impl CrossEntropy {
    /// Rounds of drawing and learning until a solution, the budget, or the end of patience.
    fn try_once(
        &self,
        grid: &Grid,
        budget: u64,
        effort: &mut Effort,
        random: &mut Random,
    ) -> Option<Vec<u8>> {
        let task = Task::new(grid);
        let mut best: Vec<(u64, Vec<u32>)> = Vec::new();
        let (mut least, mut waited) = (u64::MAX, 0);
        while waited < PATIENCE && effort.work < budget {
            waited += 1;
            let mut drawn: Vec<(u64, Vec<u32>)> = (0..DRAWN)
                .map(|_| {
                    let filling = match self.0 {
                        Family::Sum => task.draw_sum(&best, random),
                        Family::Cell => task.draw_cells(&best, random),
                    };
                    (task.cost(&filling), filling)
                })
                .collect();
            effort.work += DRAWN as u64;
            drawn.sort();
            if drawn[0].0 < least {
                (least, waited) = (drawn[0].0, 0);
            }
            effort.conflicts = effort.conflicts.min(least);
            if least == 0 {
                return Some(task.numbers(&drawn[0].1));
            }
            drawn.truncate(LEARNED);
            best = drawn;
        }
        None
    }
}

/// A puzzle, as cross-entropy sees it.
struct Task<'a> {
    layout: &'a Layout,
    given: Vec<u8>,
    blanks: Vec<Cell>,
    /// What the blanks must sum to.
    sum: u32,
}

impl<'a> Task<'a> {
    fn new(grid: &'a Grid) -> Task<'a> {
        let layout = grid.layout();
        let given = grid.digits();
        let size = layout.size() as u32;
        let all = size * size * (size + 1) / 2;
        let sum = all - given.iter().map(|&n| u32::from(n)).sum::<u32>();
        Task { layout, given, blanks: grid.unsolved().iter().collect(), sum }
    }

    /// `sum` units fall on the blanks, each with the share it has in the best fillings.
    fn draw_sum(&self, best: &[(u64, Vec<u32>)], random: &mut Random) -> Vec<u32> {
        let blanks = self.blanks.len();
        let mut ends: Vec<u64> = vec![0; blanks];
        let mut total = 0;
        for (blank, end) in ends.iter_mut().enumerate() {
            let share: u64 = best.iter().map(|(_, filling)| u64::from(filling[blank])).sum();
            total += if best.is_empty() { 1 } else { share };
            *end = total;
        }
        let mut filling = vec![0; blanks];
        if total > 0 {
            for _ in 0..self.sum {
                let unit = random.below(total as usize) as u64;
                filling[ends.partition_point(|&end| end <= unit)] += 1;
            }
        }
        filling
    }

    /// Each blank takes the digit that it has in one of the best fillings.
    fn draw_cells(&self, best: &[(u64, Vec<u32>)], random: &mut Random) -> Vec<u32> {
        (0..self.blanks.len())
            .map(|blank| match best {
                [] => random.below(self.layout.size()) as u32 + 1,
                _ => random.pick(best).1[blank],
            })
            .collect()
    }

    /// Pairs of peers with the same number, and how far numbers are from the digits.
    fn cost(&self, filling: &[u32]) -> u64 {
        let size = self.layout.size() as u32;
        let mut grid: Vec<u32> = self.given.iter().map(|&n| u32::from(n)).collect();
        for (cell, &number) in self.blanks.iter().zip(filling) {
            grid[cell.index()] = number;
        }
        let conflicts: usize = self
            .layout
            .all_cells()
            .iter()
            .map(|c| {
                let same = |p: &Cell| grid[p.index()] == grid[c.index()];
                self.layout.peers(c).iter().filter(same).count()
            })
            .sum();
        let beyond: u32 =
            grid.iter().map(|&n| if n == 0 { 1 } else { n.saturating_sub(size) }).sum();
        conflicts as u64 / 2 + u64::from(beyond)
    }

    fn numbers(&self, filling: &[u32]) -> Vec<u8> {
        let mut numbers = self.given.clone();
        for (cell, &number) in self.blanks.iter().zip(filling) {
            numbers[cell.index()] = number as u8;
        }
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Ending;

    #[test]
    fn both_families_solve_four_by_four() {
        let four = Layout::classic(4).expect("4 is a classic size");
        let puzzle = [1, 0, 0, 4, 0, 4, 1, 0, 0, 1, 4, 0, 4, 0, 0, 1];
        let grid = Grid::from_givens(four, &puzzle).expect("no clash");
        for family in [Family::Sum, Family::Cell] {
            let limits = Limits { solutions: 1, work: 2_000_000, seed: 1 };
            let answer = CrossEntropy(family).solve(&grid, &limits);
            assert_eq!(answer.solutions.len(), 1, "{family:?}");
        }
    }

    #[test]
    fn nine_by_nine_ends_with_an_honest_answer() {
        let nine = Layout::classic(9).expect("9 is a classic size");
        let grid = Grid::empty(nine);
        for family in [Family::Sum, Family::Cell] {
            let limits = Limits { solutions: 1, work: 3_000, seed: 1 };
            let answer = CrossEntropy(family).solve(&grid, &limits);
            assert_eq!((answer.ending, answer.solutions.len()), (Ending::GaveUp, 0));
            assert!(answer.effort.conflicts > 0 && answer.effort.work == 3_000);
        }
    }
}
