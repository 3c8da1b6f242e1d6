//! Counting where there are many solutions, without making them.
//!
//! Then hardly a guess is wrong, and what pays is not what pays in a search for the only solution:
//!
//! - Conclusions only while they place digits: to find that nothing more follows takes a round.
//! - Guesses in cells with three candidates or more, never in one with two while there is another.
//! - Where all open cells have two candidates, in stability every digit has two spots in every
//!   house with it. So a choice decides all cells that hang together with it, one way or the other:
//!   each such part doubles the count, or, if its first way is wrong, so is its second.

use crate::board::groups::houses_of;
use crate::board::simd::{CellSet, Kernel, Lanes};

use super::propagate::{self, State};
use super::{Counters, Enumerator, Frame, branch};

/// Guesses without a wrong one after which many solutions are likely. On lists of puzzles with one
/// solution few searches get there.
pub(super) const GUESSES: u64 = 7;

/// Cells with three candidates or more up to which one of them is split; before there are so few, a
/// digit in a chute. Tried: 4, 8, 16, 81.
const WIDE: u32 = 24;

/// Whether many solutions are likely: no guess was wrong, or there are several solutions already and
/// wrong guesses are not much more frequent.
#[inline(always)]
pub(super) fn are_likely(count: usize, counters: &Counters) -> bool {
    let unspoilt = counters.backtracks == 0 && counters.guesses >= GUESSES;
    unspoilt || count >= 2 && count.saturating_mul(4) as u64 > counters.backtracks
}

/// Counts on from `count` while many solutions are likely, to the limit or a little beyond.
pub(super) struct Count<'a> {
    pub enumerator: &'a mut Enumerator,
    pub count: usize,
    pub limit: usize,
}

impl Kernel for Count<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<L: Lanes>(self) -> usize {
        let Count { enumerator: Enumerator { stack, counters, .. }, mut count, limit } = self;
        while count < limit
            && are_likely(count, counters)
            && let Some(Frame { board, .. }) = stack.pop()
        {
            let mut board = L::load(&board);
            let mut placed = L::Cells::none();
            let found = loop {
                let segments = match propagate::while_placing(&mut board, &mut placed) {
                    State::Impossible => break 0,
                    State::Solved => break 1,
                    State::Open(segments) => segments,
                };
                let [_, _, three, _] = board.digits_4();
                if three.is_empty() {
                    break match propagate::to_stability(&mut board, &mut placed) {
                        State::Impossible => 0,
                        State::Solved => 1,
                        State::Open(_) => of_pairs(board, placed, stack),
                    };
                }
                let cells = three.bands();
                let wide: u32 = cells.iter().map(|cells| cells.count_ones()).sum();
                let split = match wide <= WIDE {
                    true => Some(branch::split_cell(board, cells, stack, false)),
                    false => branch::split(board, segments, stack, 0),
                };
                let Some((guess, others)) = split else { break 0 };
                counters.guesses += 1 + others;
                board = guess;
            };
            counters.backtracks += u64::from(found == 0);
            count = count.saturating_add(found);
        }
        count
    }
}

/// The solutions of a stable board whose open cells all have two candidates. Naked singles are
/// enough: in a house, cells and digits hang together in rings.
#[inline(always)]
fn of_pairs<L: Lanes>(board: L, placed: L::Cells, stack: &mut Vec<Frame>) -> usize {
    let (mut x, mut known, mut count) = (board, placed, 1_usize);
    loop {
        let [one, two] = x.count_2();
        if !one.is_all() {
            return 0;
        }
        let single = one - two;
        if single.is_all() {
            return if propagate::is_grid(x) { count } else { 0 };
        }
        if single.is_same(known) {
            x = branch::split_cell(x, two.bands(), stack, true).0;
            count = count.saturating_mul(2);
        } else {
            let singles = x & L::at(single);
            x = x - (houses_of(singles) - singles);
            known = single;
        }
    }
}
