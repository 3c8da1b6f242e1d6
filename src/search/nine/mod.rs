//! The enumerator of 9×9 grids: all solutions, in a fixed order, on vector registers.
//!
//! ```
//! use dokulog::search::nine::Enumerator;
//!
//! let mut puzzle = [0; 81];
//! puzzle[0] = 1;
//! let first = Enumerator::of_digits(&puzzle).next().expect("there are many");
//! assert_eq!(first[0], 1);
//! ```

mod branch;
mod many;
mod propagate;
#[cfg(test)]
mod tests;

use crate::board::Grid;
use crate::board::simd::{self, BAND, CellSet, Kernel, Lanes, Planes};

use super::any::Tired;
use propagate::Standing;

/// What a search has cost so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Alternatives tried where the board left a choice.
    pub guesses: u64,
    /// Cells that the search decided, once for each time it decided them.
    pub placements: u64,
    /// Boards given up because something had no place left.
    pub backtracks: u64,
}

/// A board still to be searched.
#[derive(Clone, Copy)]
struct Frame {
    board: Planes,
    /// The cells decided when the guess was made.
    decided: u32,
}

impl Frame {
    #[inline(always)]
    fn of<L: Lanes>(lanes: L, decided: u32) -> Frame {
        let mut board = Planes::EMPTY;
        lanes.store(&mut board);
        Frame { board, decided }
    }
}

/// The solutions of one board, one at a time, each as digits 1 to 9 row by row.
///
/// The order is that of a depth-first search whose choices depend on the board alone: the same on
/// every machine. An enumerator can be used again with [`Enumerator::start`]; it keeps its memory.
pub struct Enumerator {
    /// Boards still to be searched, the next one last.
    stack: Vec<Frame>,
    solution: Planes,
    counters: Counters,
    /// Guesses after which to stop.
    stop: u64,
    counts_placements: bool,
}

impl Enumerator {
    /// The solutions among these candidates.
    pub fn new(board: &Planes) -> Enumerator {
        let mut enumerator = Enumerator {
            stack: Vec::with_capacity(64),
            solution: Planes::EMPTY,
            counters: Counters::default(),
            stop: u64::MAX,
            counts_placements: false,
        };
        enumerator.start(board);
        enumerator
    }

    /// The solutions of a puzzle: digits 1 to 9, 0 for blank. Equal digits in a house are allowed
    /// here; there is no solution then.
    pub fn of_digits(digits: &[u8; 81]) -> Enumerator {
        Enumerator::new(&board_of(digits))
    }

    /// The solutions of a 9×9 grid with 3×3 boxes and no further houses, candidates respected.
    pub fn of_grid(grid: &Grid) -> Enumerator {
        debug_assert!(grid.layout().is_classic_nine());
        Enumerator::new(&Planes::from_cells(grid.planes()))
    }

    /// Forgets everything and searches another board.
    pub fn start(&mut self, board: &Planes) {
        self.stack.clear();
        self.stack.push(Frame { board: *board, decided: 0 });
        self.counters = Counters::default();
    }

    /// Forgets everything and searches another puzzle.
    pub fn start_digits(&mut self, digits: &[u8; 81]) {
        self.start(&board_of(digits));
    }

    /// Finds the next solution without writing it out; whether there was one.
    pub fn advance(&mut self) -> bool {
        self.stop = u64::MAX;
        simd::run(Advance(self)) == Stop::Solution
    }

    /// The next solution; or `Err` when `guesses` were made without finding one, after which the
    /// search can be taken up again.
    pub fn next_within(&mut self, guesses: u64) -> Result<Option<[u8; 81]>, Tired> {
        self.stop = self.counters.guesses.saturating_add(guesses);
        match simd::run(Advance(self)) {
            Stop::Solution => Ok(Some(self.digits())),
            Stop::End => Ok(None),
            Stop::Tired => Err(Tired),
        }
    }

    /// How many solutions are left, but no more than `limit`. Where there are many they are not
    /// looked at one by one, so those beyond the limit may be passed over, too: to learn whether
    /// there are more, ask for one more. Placements are not counted here.
    pub fn count_up_to(&mut self, limit: usize) -> usize {
        // Who asks for two wants to know whether there is one, as a rule, and there is: the first
        // wrong guess says so, but for a rich board.
        let doubts = limit <= 2;
        let count = simd::run(many::Count { enumerator: self, limit, doubts, rich: false });
        self.stack.iter_mut().for_each(|frame| frame.decided = 0);
        match doubts && !self.stack.is_empty() {
            true => count + (count..limit).take_while(|_| self.advance()).count(),
            false => count,
        }
    }

    /// Counts placements too, which takes some time.
    pub fn count_placements(mut self) -> Enumerator {
        self.counts_placements = true;
        self
    }

    /// What it has cost since the start; placements only if [`Enumerator::count_placements`] said
    /// so.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// The solution found last.
    pub fn digits(&self) -> [u8; 81] {
        simd::run(DigitsOf(&self.solution))
    }
}

impl Iterator for Enumerator {
    type Item = [u8; 81];
    fn next(&mut self) -> Option<[u8; 81]> {
        self.advance().then(|| self.digits())
    }
}

/// Every candidate that the digits of the cells themselves allow; their peers are left to the
/// search.
pub fn board_of(digits: &[u8; 81]) -> Planes {
    simd::run(BoardOf(digits))
}

struct BoardOf<'a>(&'a [u8; 81]);

impl Kernel for BoardOf<'_> {
    type Output = Planes;
    #[inline(always)]
    fn run<L: Lanes>(self) -> Planes {
        let given = L::from_numbers(self.0);
        let mut board = Planes::EMPTY;
        (given | (L::all(BAND) - given.any_digit())).store(&mut board);
        board
    }
}

/// The digits of a board with one candidate in every cell.
struct DigitsOf<'a>(&'a Planes);

impl Kernel for DigitsOf<'_> {
    type Output = [u8; 81];
    #[inline(always)]
    fn run<L: Lanes>(self) -> [u8; 81] {
        let mut digits = [0; 81];
        L::load(self.0).to_numbers(&mut digits);
        digits
    }
}

/// Why the search stands still.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    Solution,
    End,
    Tired,
}

/// Searches on to the next solution.
struct Advance<'a>(&'a mut Enumerator);

impl Kernel for Advance<'_> {
    type Output = Stop;
    #[inline(always)]
    fn run<L: Lanes>(self) -> Stop {
        let Enumerator { stack, solution, counters, stop, counts_placements } = self.0;
        while let Some(Frame { board, decided: mut before }) = stack.pop() {
            if counters.guesses >= *stop {
                stack.push(Frame { board, decided: before });
                return Stop::Tired;
            }
            let mut board = L::load(&board);
            let mut placed = L::Cells::none();
            loop {
                match propagate::to_stability(&mut board, &mut placed) {
                    Standing::Impossible => break,
                    Standing::Solved => {
                        counters.placements += 81 - u64::from(before);
                        board.store(solution);
                        return Stop::Solution;
                    }
                    Standing::Open(segments, _) => {
                        if *counts_placements {
                            let decided = propagate::decided(board);
                            counters.placements += u64::from(decided - before);
                            before = decided;
                        }
                        let Some((guess, others)) = branch::split(board, segments, stack, before)
                        else {
                            break;
                        };
                        counters.guesses += 1 + others;
                        board = guess;
                    }
                }
            }
            counters.backtracks += 1;
        }
        Stop::End
    }
}
