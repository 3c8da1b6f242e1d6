//! Counting where there are many solutions, without making them.
//!
//! Then hardly a guess is wrong, and what pays is not what pays in a search for the only solution:
//!
//! - Conclusions only while they place digits: to find that nothing more follows takes a round.
//! - Guesses in cells with three candidates or more, never in one with two while there is another.
//! - The ways of such a cell three at once: a board waits for its own results most of the time.
//! - Where all open cells have two candidates, in stability every digit has two spots in every
//!   house with it. So a choice decides all cells that hang together with it, one way or the other:
//!   each such part doubles the count, or, if its first way is wrong, so is its second.
//! - Where the question is only whether there is a second one, guesses in two cells at once: a wrong
//!   one costs less than a search for what follows in between.
//!
//! The first three and the last only on small boards: on a large one a mistake that is seen late is
//! dear, and with next to nothing given the search would not end.

use crate::board::simd::{CellSet, Kernel, Lanes};

use super::propagate::{self, Standing};
use super::{Counters, Enumerator, Frame, branch};

/// Guesses without a wrong one after which many solutions are likely. On lists of puzzles with one
/// solution few searches get there. Tried: 3, 4, 7.
pub(super) const GUESSES: u64 = 6;

/// Cells with three candidates or more on a small board. Tried: 24, 60.
const WIDE: u32 = 40;

/// Such cells up to which one of them is split; while there are more, a digit in a chute. Tried: 4,
/// 8, 12, 16, 40, 81.
const CELLS: u32 = 24;

/// A *rich* board has many clues, and yet many cells are open where the first guess is made: so many
/// solutions are likely from the start. At least so many clues, at most so many cells decided.
const RICH: (u32, u32) = (30, 50);

/// Cells in which to guess at once on a rich board. Tried: 1, 3, 4; and two on any board, which takes
/// a tenth longer where all solutions are counted.
const AT_ONCE: u32 = 2;

/// Wrong guesses on a rich board after which it is searched like any other.
const WRONG: u64 = 8;

/// What the frame of a small board has in the place of its decided cells.
pub(super) const SMALL: u32 = u32::MAX;

/// Counts to the limit.
pub(super) struct Count<'a> {
    pub enumerator: &'a mut Enumerator,
    pub limit: usize,
    /// Whether to stop at the first wrong guess, unless the board is rich.
    pub doubts: bool,
    /// Whether it is.
    pub rich: bool,
}

impl Kernel for Count<'_> {
    type Output = usize;
    #[inline(always)]
    fn run<L: Lanes>(self) -> usize {
        let Count { enumerator, limit, doubts, mut rich } = self;
        let Enumerator { stack, counters, .. } = enumerator;
        let mut count = 0_usize;
        while count < limit
            && let Some(frame) = stack.pop()
        {
            let found = one::<L>(frame, count, counters, stack, doubts, &mut rich);
            if found == 0 {
                counters.backtracks += 1;
                if doubts && (!rich || counters.backtracks > WRONG) {
                    break;
                }
            }
            count = count.saturating_add(found);
        }
        count.min(limit)
    }
}

/// Whether many solutions are likely: no guess was wrong, or there are several solutions already and
/// wrong guesses are not much more frequent.
#[inline(always)]
fn are_likely(count: usize, counters: &Counters) -> bool {
    let unspoilt = counters.backtracks == 0 && counters.guesses >= GUESSES;
    unspoilt || count >= 2 && count.saturating_mul(4) as u64 > counters.backtracks
}

/// Follows a board, always into the first alternative: how many solutions are at its end.
#[inline(always)]
fn one<L: Lanes>(
    frame: Frame,
    count: usize,
    counters: &mut Counters,
    stack: &mut Vec<Frame>,
    doubts: bool,
    rich: &mut bool,
) -> usize {
    let mut board = L::load(&frame.board);
    let mut placed = L::Cells::none();
    let mut small = frame.decided == SMALL;
    let mut found = 0;
    loop {
        let mut many = *rich || are_likely(count, counters);
        let state = match many && small {
            true => propagate::while_placing(&mut board, &mut placed),
            false => propagate::to_stability(&mut board, &mut placed),
        };
        let (segments, quiet) = match state {
            Standing::Impossible => return found,
            Standing::Solved => return found + 1,
            Standing::Open(segments, quiet) => (segments, quiet),
        };
        if doubts && counters.guesses == 0 {
            let clues = propagate::decided(L::load(&frame.board));
            *rich = clues >= RICH.0 && propagate::decided(board) <= RICH.1;
            many = *rich;
        }
        if many {
            let [_, _, three, _] = board.digits_4();
            if three.is_empty() {
                let state = match quiet {
                    true => Standing::Open(segments, quiet),
                    false => propagate::to_stability(&mut board, &mut placed),
                };
                return match state {
                    Standing::Impossible => found,
                    Standing::Solved => found + 1,
                    Standing::Open(..) => found.saturating_add(of_pairs(board, placed)),
                };
            }
            let cells = three.bands();
            let wide: u32 = cells.iter().map(|cells| cells.count_ones()).sum();
            small = wide <= WIDE;
            if *rich && wide <= WIDE {
                let (guess, ways) = branch::split_cells(board, cells, AT_ONCE, stack);
                counters.guesses += ways;
                board = guess;
                continue;
            }
            if !*rich && wide <= CELLS {
                let (boards, ways) = branch::split_cell(board, cells, stack);
                counters.guesses += ways;
                let (solved, open) = of_three(boards, counters, stack);
                found += solved;
                let Some(open) = open else { return found };
                (board, placed) = open;
                continue;
            }
        }
        let size = if small { SMALL } else { 0 };
        let Some((guess, others)) = branch::split(board, segments, stack, size) else {
            return found;
        };
        counters.guesses += 1 + others;
        board = guess;
    }
}

/// Naked singles of three alternatives: how many of them are solutions, and the first that is still
/// open, with the cells decided in it. The others go on the stack.
#[inline(always)]
fn of_three<L: Lanes>(
    mut boards: [L; 3],
    counters: &mut Counters,
    stack: &mut Vec<Frame>,
) -> (usize, Option<(L, L::Cells)>) {
    let known = propagate::singles_of_three(&mut boards);
    let (mut solved, mut open) = (0, None);
    for (board, known) in boards.into_iter().zip(known) {
        if known.is_all() && propagate::is_grid(board) {
            solved += 1;
        } else if known.is_all() || !board.count_1().is_all() {
            counters.backtracks += 1;
        } else if open.is_none() {
            open = Some((board, known));
        } else {
            stack.push(Frame::of(board, SMALL));
        }
    }
    (solved, open)
}

/// The solutions of a stable board whose open cells all have two candidates. Naked singles are
/// enough: in a house, cells and digits hang together in rings.
#[inline(always)]
fn of_pairs<L: Lanes>(board: L, placed: L::Cells) -> usize {
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
            x = branch::decide_first(x, two.bands());
            count = count.saturating_mul(2);
        } else {
            x = propagate::take_from_houses(x, single);
            known = single;
        }
    }
}
