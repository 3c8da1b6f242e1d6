//! Where to guess: the ways a digit can lie in a chute.
//!
//! A *chute* is three boxes in a row or in a column. In it a digit takes one segment of each box,
//! each on another line: six ways at most. Deciding which is a smaller step than placing a digit,
//! and cuts more: on the hardest grids it halves the guesses.

use crate::board::groups::Thirds;
use crate::board::simd::{BAND, Lanes, Planes, lane};

use super::Frame;
use super::propagate::Segments;

/// The ways to give each of three lines another of three boxes.
const WAYS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// Where a digit may be when it lies so in a chute (first the three bands, then the three stacks);
/// everything outside the chute.
const KEEP: [[Planes; 6]; 6] = {
    let mut keep = [[Planes::EMPTY; 6]; 6];
    let mut i = 0;
    while i < 36 {
        let (chute, way) = (i / 6, WAYS[i % 6]);
        let mut bands = [BAND; 3];
        if chute < 3 {
            bands[chute] = 7 << (3 * way[0]) | 7 << (9 + 3 * way[1]) | 7 << (18 + 3 * way[2]);
        } else {
            let stack = 3 * (chute - 3);
            let mut band = 0;
            while band < 3 {
                let column = 1 | 1 << 9 | 1 << 18;
                bands[band] = BAND & !((7 * column) << stack) | column << (stack + way[band]);
                band += 1;
            }
        }
        let mut j = 0;
        while j < 27 {
            keep[i / 6][i % 6].0[lane(j / 3, j % 3)] = bands[j % 3];
            j += 1;
        }
        i += 1;
    }
    keep
};

/// All cells of one digit.
const DIGIT: [Planes; 9] = {
    let mut digits = [Planes::EMPTY; 9];
    let mut i = 0;
    while i < 27 {
        digits[i / 3].0[lane(i / 3, i % 3)] = BAND;
        i += 1;
    }
    digits
};

/// The lanes of each band, and those of one band that stand for their digits in a stack.
const BAND_LANES: [u32; 3] = [0x000f_100f, 0x00f0_20f0, 0x0f00_4f00];

/// The digit of a lane.
#[inline(always)]
fn digit_of(lane: u32) -> usize {
    match lane {
        0..12 => lane as usize % 4,
        12..16 => 8,
        _ => 4 + lane as usize % 4,
    }
}

/// From lanes with something in them to digits with something in a band: in the first band's lanes.
#[inline(always)]
fn any_band_of(lanes: u32) -> u32 {
    let nine = lanes | lanes >> 1 | lanes >> 2;
    ((lanes | lanes >> 4 | lanes >> 8) & 0x000f_000f) | (nine & 0x1000)
}

/// The board with one guess made, and how many alternatives went on the stack; `None` when no digit
/// has a choice: then every digit has one spot in each box, and the board is not possible.
///
/// The chute with the fewest undecided digits is split, at a digit with two ways if there is one.
/// Tried and rejected: the chute with the fewest segments left (a third more guesses on the hardest
/// grids), any digit with two ways (1.6 to 1.8 times as many).
#[inline(always)]
pub(super) fn split<L: Lanes>(
    board: L,
    segments: Segments<L>,
    stack: &mut Vec<Frame>,
    decided: u32,
) -> Option<(L, u64)> {
    let rows = Thirds::of_rows(segments.row);
    let (open, wide) = (rows.two().lanes(), rows.three().lanes());
    let mut choices = [(0, 0); 6];
    for (band, choice) in choices[..3].iter_mut().enumerate() {
        *choice = (open & BAND_LANES[band], wide & BAND_LANES[band]);
    }
    let boxes = Thirds::of_boxes_by_columns(segments.column);
    let (two, three) = (boxes.two(), boxes.three());
    for (of_stack, choice) in choices[3..].iter_mut().enumerate() {
        let head = L::splat(1 << (3 * of_stack));
        *choice = (any_band_of((two & head).lanes()), any_band_of((three & head).lanes()));
    }
    // No undecided digit: the count wraps around and is the largest.
    let fewest = |chute: &usize| choices[*chute].0.count_ones().wrapping_sub(1);
    let mut chute = 0;
    for other in 1..6 {
        chute = if fewest(&other) < fewest(&chute) { other } else { chute };
    }
    let (open, wide) = choices[chute];
    if open == 0 {
        return None;
    }
    let narrow = if open & !wide != 0 { open & !wide } else { open };
    let digit = digit_of(narrow.trailing_zeros());

    let mut at_rest = Planes::EMPTY;
    let mut ways = if chute < 3 {
        segments.row.store(&mut at_rest);
        ways_in_band(at_rest.0[lane(digit, chute)])
    } else {
        segments.column.store(&mut at_rest);
        ways_in_stack([0, 1, 2].map(|band| at_rest.0[lane(digit, band)] >> (3 * (chute - 3))))
    };
    let here = L::load(&DIGIT[digit]);
    let others = ways.count_ones().wrapping_sub(1);
    while ways.count_ones() > 1 {
        let way = 31 - ways.leading_zeros();
        ways ^= 1 << way;
        let alternative = board - (here - L::load(&KEEP[chute][way as usize]));
        stack.push(Frame::of(alternative, decided));
    }
    let way = ways.trailing_zeros() as usize;
    Some((board - (here - L::load(&KEEP[chute][way])), u64::from(others)))
}

/// The board with guesses in up to `most` of these cells, and how many alternatives there were,
/// those guessed included. The others go on the stack: the first cell otherwise, then, with the
/// guess in the first, the second otherwise. Cells in the same band or stack are left out: one guess
/// would often decide both.
#[inline(always)]
pub(super) fn split_cells<L: Lanes>(
    mut board: L,
    mut cells: [u32; 3],
    most: u32,
    stack: &mut Vec<Frame>,
) -> (L, u64) {
    let mut ways = 0;
    for _ in 0..most {
        let (band, first) = first_of(cells);
        let here = board & L::from_bands(first);
        let lanes = here.lanes();
        ways += u64::from(lanes.count_ones());
        push_each(board, here, lanes & lanes.wrapping_sub(1), stack);
        board = with_first(board, here, lanes);
        let column = first[band].trailing_zeros() % 9;
        cells = cells.map(|cells| cells & !(STACK << (column / 3 * 3)));
        cells[band] = 0;
        if cells == [0; 3] {
            break;
        }
    }
    (board, ways)
}

/// The first of these cells, each with three candidates at least: the board with each of its first
/// three, and how many it has. What is left goes on the stack.
#[inline(always)]
pub(super) fn split_cell<L: Lanes>(
    board: L,
    cells: [u32; 3],
    stack: &mut Vec<Frame>,
) -> ([L; 3], u64) {
    let here = board & L::from_bands(first_of(cells).1);
    let mut lanes = here.lanes();
    let ways = u64::from(lanes.count_ones());
    let mut boards = [board; 3];
    for board in &mut boards {
        *board = with_first(*board, here, lanes);
        lanes &= lanes.wrapping_sub(1);
    }
    push_each(board, here, lanes, stack);
    (boards, ways)
}

/// The board with the digit of the first of these lanes in a cell; `here` are its candidates.
#[inline(always)]
fn with_first<L: Lanes>(board: L, here: L, lanes: u32) -> L {
    board - (here - L::load(&DIGIT[digit_of(lanes.trailing_zeros())]))
}

/// The board with the digit of each of these lanes in a cell, on the stack.
#[inline(always)]
fn push_each<L: Lanes>(board: L, here: L, mut lanes: u32, stack: &mut Vec<Frame>) {
    while lanes != 0 {
        stack.push(Frame::of(with_first(board, here, lanes), super::many::SMALL));
        lanes &= lanes - 1;
    }
}

/// The cells of a band in the first stack.
const STACK: u32 = 7 | 7 << 9 | 7 << 18;

/// The first of these cells with its lowest candidate.
#[inline(always)]
pub(super) fn decide_first<L: Lanes>(board: L, cells: [u32; 3]) -> L {
    let here = board & L::from_bands(first_of(cells).1);
    with_first(board, here, here.lanes())
}

/// The first of these cells: its band, and it alone.
#[inline(always)]
fn first_of(cells: [u32; 3]) -> (usize, [u32; 3]) {
    let band = cells.iter().position(|&cells| cells != 0).unwrap_or(0);
    let mut first = [0; 3];
    first[band] = cells[band] & cells[band].wrapping_neg();
    (band, first)
}

/// Which of the six ways the segments of a band leave, a bit each.
#[inline(always)]
fn ways_in_band(segments: u32) -> u32 {
    ways_in_stack([0, 9, 18].map(|row| {
        let row = segments >> row;
        row & 1 | row >> 2 & 2 | row >> 4 & 4
    }))
}

/// The same of a stack: for each band its three column segments.
#[inline(always)]
fn ways_in_stack(lines: [u32; 3]) -> u32 {
    let mut ways = 0;
    for (i, way) in WAYS.iter().enumerate() {
        let [a, b, c] = [0, 1, 2].map(|line| lines[line] >> way[line]);
        ways |= (a & b & c & 1) << i;
    }
    ways
}
