//! Where to guess: the ways a digit can lie in a chute.
//!
//! A *chute* is three boxes in a row or in a column. In it a digit takes one segment of each box,
//! each on another line: six ways at most. Deciding which is a smaller step than placing a digit,
//! and cuts more: on the hardest grids it halves the guesses.

use crate::board::simd::{BAND, Lanes, Planes, lane};

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

/// The board with one guess made, and how many alternatives went on the stack; `None` when a digit
/// has no way left in a chute.
#[inline(always)]
pub(super) fn split<L: Lanes>(
    board: L,
    segments: Segments<L>,
    stack: &mut Vec<(Planes, u32)>,
    decided: u32,
) -> Option<(L, u64)> {
    let (mut rows, mut columns) = (Planes::EMPTY, Planes::EMPTY);
    segments.row.store(&mut rows);
    segments.column.store(&mut columns);
    let mut at_rest = Planes::EMPTY;
    board.store(&mut at_rest);
    match choose(&rows, &columns) {
        Choice::Nothing => None,
        Choice::Ways { chute, digit, ways } => {
            let mut first = None;
            let mut others = 0;
            for way in (0..6).rev().filter(|way| ways >> way & 1 == 1) {
                if let Some(earlier) = first {
                    push(stack, earlier, decided);
                    others += 1;
                }
                let here = L::load(&DIGIT[digit]) - L::load(&KEEP[chute][way]);
                first = Some(board - here);
            }
            first.map(|first| (first, others))
        }
        Choice::Cell => {
            let (cell_band, bit) = open_cell(board)?;
            let mut first = None;
            let mut others = 0;
            let mut bands = [0; 3];
            bands[cell_band] = bit;
            let cell = L::from_bands(bands);
            for digit in (0..9).rev() {
                if at_rest.0[lane(digit, cell_band)] & bit == 0 {
                    continue;
                }
                if let Some(earlier) = first {
                    push(stack, earlier, decided);
                    others += 1;
                }
                first = Some(board - (cell - L::load(&DIGIT[digit])));
            }
            first.map(|first| (first, others))
        }
    }
}

#[inline(always)]
fn push<L: Lanes>(stack: &mut Vec<(Planes, u32)>, board: L, decided: u32) {
    let mut at_rest = Planes::EMPTY;
    board.store(&mut at_rest);
    stack.push((at_rest, decided));
}

/// The first cell with more than one candidate: its band and its bit.
#[inline(always)]
fn open_cell<L: Lanes>(board: L) -> Option<(usize, u32)> {
    let [_, two] = board.digits_2();
    let two = two.bands();
    let band = two.iter().position(|&bits| bits != 0)?;
    Some((band, two[band] & two[band].wrapping_neg()))
}

enum Choice {
    /// A digit has no way left.
    Nothing,
    /// These ways of a digit in a chute.
    Ways { chute: usize, digit: usize, ways: u32 },
    /// All chutes are decided: a cell.
    Cell,
}

/// The chute that is nearest to being decided, and in it a digit with the fewest ways.
fn choose(rows: &Planes, columns: &Planes) -> Choice {
    let mut best = (u32::MAX, 0);
    for chute in 0..6 {
        let mut count = 0;
        for digit in 0..9 {
            if chute < 3 {
                count += rows.0[lane(digit, chute)].count_ones();
            } else {
                for band in 0..3 {
                    count += (columns.0[lane(digit, band)] >> (3 * (chute - 3)) & 7).count_ones();
                }
            }
        }
        if count > 27 && count < best.0 {
            best = (count, chute);
        }
    }
    if best.0 == u32::MAX {
        return Choice::Cell;
    }
    let chute = best.1;
    let mut choice = (u32::MAX, 0, 0);
    for digit in 0..9 {
        let mut ways = 0;
        for (j, way) in WAYS.iter().enumerate() {
            let has = if chute < 3 {
                let bits = rows.0[lane(digit, chute)];
                bits >> (3 * way[0]) & bits >> (9 + 3 * way[1]) & bits >> (18 + 3 * way[2])
            } else {
                let stack = 3 * (chute - 3);
                columns.0[lane(digit, 0)] >> (stack + way[0])
                    & columns.0[lane(digit, 1)] >> (stack + way[1])
                    & columns.0[lane(digit, 2)] >> (stack + way[2])
            };
            ways |= (has & 1) << j;
        }
        let count = ways.count_ones();
        if count == 0 {
            return Choice::Nothing;
        }
        if count > 1 && count < choice.0 {
            choice = (count, digit, ways);
        }
    }
    let (_, digit, ways) = choice;
    if ways == 0 { Choice::Nothing } else { Choice::Ways { chute, digit, ways } }
}
