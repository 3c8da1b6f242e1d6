//! Texts 000 and 004: simulated annealing.
//!
//! Every blank holds some digit. A move changes one of them; a move that makes it worse is
//! accepted with probability e^(−worse/T), and the temperature T falls.

use crate::board::{Cell, Grid, Layout};
use crate::random::Random;

use super::restarted;
use crate::search::solver::{Answer, Effort, Limits, Solver};

/// The constants of a run, from the text's formulas.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Schedule {
    /// The start: the largest cost there is, eP. 810 for 9 × 9.
    pub start: f64,
    /// The floor T′f = ε / (cells · log size − log(1 − α)), with ε = ½ and α = 0.99: had the law
    /// been followed well, a solution would have come by now with probability α.
    pub floor: f64,
    /// δ: how far the stationary laws of two temperatures in a row may be apart.
    pub delta: f64,
    /// Moves at one temperature: one a cell.
    pub plateau: usize,
    /// Give a try up after so many plateaus without a better grid.
    pub patience: u64,
}

impl Schedule {
    /// The text's constants for a layout.
    pub fn new(layout: &Layout) -> Schedule {
        let cells = layout.cell_count() as f64;
        let pairs: usize = layout.all_cells().iter().map(|c| layout.peers(c).len()).sum();
        let alpha = 0.99f64;
        Schedule {
            start: pairs as f64 / 2.0,
            floor: 0.5 / (cells * (layout.size() as f64).ln() - (1.0 - alpha).ln()),
            delta: 0.1,
            plateau: layout.cell_count(),
            patience: 10_000,
        }
    }

    /// The temperature after `t`: T / (1 + log(1 + δ) / (eP + 1) · T).
    pub fn next(&self, t: f64) -> f64 {
        t / (1.0 + (1.0 + self.delta).ln() / (self.start + 1.0) * t)
    }
}

/// One try: from a random filling to a solution, the floor, or the end of patience.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Try {
    /// The last grid if it is a solution.
    pub solution: Option<Vec<u8>>,
    /// Moves made.
    pub moves: u64,
    /// The fewest conflicts met.
    pub conflicts: u64,
}

/// Restarts until a solution is found or the budget of moves is spent.
#[derive(Default)]
pub struct Annealing;

impl Solver for Annealing {
    fn solve(&mut self, grid: &Grid, limits: &Limits) -> Answer {
        restarted(limits, u64::MAX, |effort, random| Annealing::start(grid, limits, effort, random))
    }

    fn attempt(&mut self, grid: &Grid, limits: &Limits) -> Answer {
        restarted(limits, 1, |effort, random| Annealing::start(grid, limits, effort, random))
    }
}

impl Annealing {
    fn start(
        grid: &Grid,
        limits: &Limits,
        effort: &mut Effort,
        random: &mut Random,
    ) -> Option<Vec<u8>> {
        let schedule = Schedule::new(grid.layout());
        let run = Annealing::try_once(grid, &schedule, limits.work - effort.work, random);
        effort.work += run.moves;
        effort.conflicts = effort.conflicts.min(run.conflicts);
        run.solution
    }

    /// One try of at most `budget` moves.
    pub fn try_once(grid: &Grid, schedule: &Schedule, budget: u64, random: &mut Random) -> Try {
        let mut filling = Filling::random(grid, random);
        let mut temperature = schedule.start;
        let mut best = filling.cost;
        let (mut moves, mut waited) = (0, 0);
        while temperature >= schedule.floor && waited < schedule.patience && moves < budget {
            waited += 1;
            for _ in 0..schedule.plateau {
                if filling.cost == 0 || filling.blanks.is_empty() {
                    break;
                }
                moves += 1;
                filling.try_move(temperature, random);
                if filling.cost < best {
                    (best, waited) = (filling.cost, 0);
                }
            }
            if filling.cost == 0 || filling.blanks.is_empty() {
                break;
            }
            temperature = schedule.next(temperature);
        }
        let solution = (filling.cost == 0).then_some(filling.numbers);
        Try { solution, moves, conflicts: best }
    }
}

/// A full grid with conflicts. `seen[cell · size + digit]` is how many peers of the cell hold the
/// digit, so the cost of a move is two look-ups; only accepted moves touch the peers.
struct Filling<'a> {
    layout: &'a Layout,
    numbers: Vec<u8>,
    blanks: Vec<Cell>,
    seen: Vec<i32>,
    /// Pairs of peers with the same digit: half the sum over the cells.
    cost: u64,
}

impl<'a> Filling<'a> {
    fn random(grid: &'a Grid, random: &mut Random) -> Filling<'a> {
        let layout = grid.layout();
        let size = layout.size();
        let mut numbers = grid.digits();
        let blanks: Vec<Cell> = grid.unsolved().iter().collect();
        for cell in &blanks {
            numbers[cell.index()] = random.below(size) as u8 + 1;
        }
        let mut seen = vec![0; numbers.len() * size];
        for cell in layout.all_cells() {
            for peer in layout.peers(cell) {
                seen[peer.index() * size + numbers[cell.index()] as usize - 1] += 1;
            }
        }
        let conflicts: i32 =
            (0..numbers.len()).map(|c| seen[c * size + numbers[c] as usize - 1]).sum();
        Filling { layout, numbers, blanks, seen, cost: conflicts as u64 / 2 }
    }

    fn try_move(&mut self, temperature: f64, random: &mut Random) {
        let size = self.layout.size();
        let cell = *random.pick(&self.blanks);
        let old = self.numbers[cell.index()] as usize - 1;
        let other = random.below(size - 1);
        let new = if other < old { other } else { other + 1 };
        let row = cell.index() * size;
        let worse = self.seen[row + new] - self.seen[row + old];
        if worse > 0 && random.unit() > (-f64::from(worse) / temperature).exp() {
            return;
        }
        self.cost = self.cost.wrapping_add_signed(i64::from(worse));
        self.numbers[cell.index()] = new as u8 + 1;
        for peer in self.layout.peers(cell) {
            self.seen[peer.index() * size + old] -= 1;
            self.seen[peer.index() * size + new] += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Ending;

    #[test]
    fn the_constants_are_those_of_the_text() {
        let nine = Layout::classic(9).expect("9 is a classic size");
        let schedule = Schedule::new(&nine);
        assert_eq!(schedule.start, 810.0);
        assert_eq!(format!("{:.8}", schedule.floor), "0.00273852");
        assert_eq!((schedule.plateau, schedule.delta), (81, 0.1));
        // T after l plateaus in one formula, as the text gives it.
        let step = 1.1f64.ln() / 811.0;
        let after = (0..1000).fold(schedule.start, |t, _| schedule.next(t));
        assert!((after - 810.0 / (1.0 + 1000.0 * step * 810.0)).abs() < 1e-9);
    }

    #[test]
    fn the_cost_is_half_the_conflicts_of_all_cells() {
        let nine = Layout::classic(9).expect("9 is a classic size");
        let grid = Grid::empty(nine.clone());
        let mut random = Random::new(4);
        let mut filling = Filling::random(&grid, &mut random);
        for _ in 0..1000 {
            filling.try_move(1.0, &mut random);
        }
        let sum: usize = nine
            .all_cells()
            .iter()
            .map(|c| {
                let same = |p: &Cell| filling.numbers[p.index()] == filling.numbers[c.index()];
                nine.peers(c).iter().filter(same).count()
            })
            .sum();
        assert_eq!(filling.cost, sum as u64 / 2);
    }

    #[test]
    fn a_puzzle_without_solution_ends() {
        // r1c1 sees all four digits.
        let four = Layout::classic(4).expect("4 is a classic size");
        let mut numbers = [0; 16];
        (numbers[1], numbers[2], numbers[8], numbers[12]) = (1, 2, 3, 4);
        let grid = Grid::from_givens(four, &numbers).expect("no clash");
        let answer = Annealing.solve(&grid, &Limits { solutions: 1, work: 300_000, seed: 1 });
        assert_eq!((answer.ending, answer.effort.work), (Ending::GaveUp, 300_000));
    }

    #[test]
    fn small_grids_are_solved() {
        let six = Layout::classic(6).expect("6 is a classic size");
        let grid = Grid::empty(six);
        let answer = Annealing.solve(&grid, &Limits { solutions: 1, work: 9_000_000, seed: 2 });
        assert_eq!((answer.ending, answer.solutions.len()), (Ending::Enough, 1));
    }
}
