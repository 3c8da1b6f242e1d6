//! The enumerator of every other layout: plain bit masks, fewest alternatives first.

mod board;

use std::sync::Arc;

use crate::board::{Candidate, Grid, Layout};
use crate::random::Random;

pub(super) use board::{Board, Tables};

/// A board with a choice to be made, and the alternatives not tried yet, the next one last.
struct Choice {
    board: Board,
    alternatives: Vec<Candidate>,
}

/// The solutions of one grid, one at a time, each as numbers row by row, in a fixed order.
pub struct Enumerator {
    tables: Tables,
    start: Option<Board>,
    stack: Vec<Choice>,
    guesses: u64,
    placements: u64,
    backtracks: u64,
    /// For alternatives in a random order.
    random: Option<Random>,
}

impl Enumerator {
    /// The solutions of a grid, candidates respected.
    pub fn new(grid: &Grid) -> Enumerator {
        let tables = Tables::new(grid.layout());
        let start = Board::new(&tables, grid.layout(), grid.planes());
        Enumerator::starting(tables, start)
    }

    fn starting(tables: Tables, start: Option<Board>) -> Enumerator {
        Enumerator {
            tables,
            start,
            stack: Vec::new(),
            guesses: 0,
            placements: 0,
            backtracks: 0,
            random: None,
        }
    }

    /// The full grids of a layout, each alternative as likely to be tried first as any other.
    pub fn shuffled(layout: &Layout, seed: u64) -> Enumerator {
        let tables = Tables::new(layout);
        let start = Board::new(&tables, layout, layout.open());
        Enumerator { random: Some(Random::new(seed)), ..Enumerator::starting(tables, start) }
    }

    /// Alternatives tried so far.
    pub fn guesses(&self) -> u64 {
        self.guesses
    }

    /// Cells decided so far, once for each time.
    pub fn placements(&self) -> u64 {
        self.placements
    }

    /// Boards given up so far.
    pub fn backtracks(&self) -> u64 {
        self.backtracks
    }

    /// The next solution; or `Err` when more than `guesses` were made without finding one, after
    /// which the search can be taken up again.
    pub fn next_within(&mut self, guesses: u64) -> Result<Option<Vec<u8>>, Tired> {
        if let Some(board) = self.start.take() {
            self.placements += board.decided() as u64;
            if let Some(solution) = self.enter(board) {
                return Ok(Some(solution));
            }
        }
        let stop = self.guesses.saturating_add(guesses);
        while let Some(choice) = self.stack.last_mut() {
            if self.guesses >= stop {
                return Err(Tired);
            }
            let Some(guess) = choice.alternatives.pop() else {
                self.stack.pop();
                continue;
            };
            self.guesses += 1;
            let mut board = match self.stack.pop() {
                Some(choice) if choice.alternatives.is_empty() => choice.board,
                Some(choice) => {
                    let board = choice.board.clone();
                    self.stack.push(choice);
                    board
                }
                None => break,
            };
            let before = board.decided();
            let possible = board.decide(&self.tables, guess);
            self.placements += (board.decided() - before) as u64;
            if !possible {
                self.backtracks += 1;
            } else if let Some(solution) = self.enter(board) {
                return Ok(Some(solution));
            }
        }
        Ok(None)
    }

    /// Takes a stable board in: its digits if it is solved, else a choice more.
    fn enter(&mut self, board: Board) -> Option<Vec<u8>> {
        let mut alternatives = board.fewest(&self.tables);
        if alternatives.is_empty() {
            return Some(board.numbers());
        }
        alternatives.reverse();
        if let Some(random) = &mut self.random {
            random.shuffle(&mut alternatives);
        }
        self.stack.push(Choice { board, alternatives });
        None
    }
}

/// The search has made as many guesses as it may.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tired;

impl Iterator for Enumerator {
    type Item = Vec<u8>;
    fn next(&mut self) -> Option<Vec<u8>> {
        self.next_within(u64::MAX).ok().flatten()
    }
}

/// The grid after singles and locked candidates; `None` when it has no solution.
pub(super) fn reduced(grid: &Grid) -> Option<(Arc<Layout>, Board)> {
    let tables = Tables::new(grid.layout());
    Board::new(&tables, grid.layout(), grid.planes()).map(|board| (grid.layout().clone(), board))
}
