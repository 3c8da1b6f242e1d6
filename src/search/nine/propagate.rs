//! What follows without a choice: singles and locked candidates, all digits and houses at once.
//!
//! A round looks at the cells (naked singles), then at the segments of every chute (which of them
//! can still hold a digit), then at the lines (hidden singles). Boxes need no look of their own: a
//! box with one spot for a digit has one segment for it, so that segment is the only one left on
//! its line.

use crate::board::groups::{
    BOXES, COLUMN_PAIR, COLUMNS, ROW_PAIR, ROWS, SEGMENTS, Thirds, box_column_segments,
    box_segments, column_ways, fill_column_segments, fill_rows, fill_segments, houses_of, lines_of,
    row_segments, row_ways,
};
use crate::board::simd::{CellSet, Lanes};

/// How a board stands when nothing more follows.
pub(super) enum Standing<L> {
    /// A cell without a candidate, or a digit without a way to lie in a chute.
    Impossible,
    /// One candidate in every cell, every digit in every house.
    Solved,
    /// A choice is left. With the segments in which a digit is still possible, and whether the
    /// houses had nothing to add when they were looked at last.
    Open(Segments<L>, bool),
}

/// Where each digit can still be, segment by segment, at the segments' heads.
#[derive(Clone, Copy)]
pub(super) struct Segments<L> {
    /// Of rows.
    pub row: L,
    /// Of columns.
    pub column: L,
}

/// Fires everything until nothing changes. `placed` are cells whose digit has been taken from
/// their lines already.
#[inline(always)]
pub(super) fn to_stability<L: Lanes>(board: &mut L, placed: &mut L::Cells) -> Standing<L> {
    fire::<L, true>(board, placed)
}

/// Fires until no cell gets its digit, cells first. The segments may be those of a round before.
#[inline(always)]
pub(super) fn while_placing<L: Lanes>(board: &mut L, placed: &mut L::Cells) -> Standing<L> {
    fire::<L, false>(board, placed)
}

#[inline(always)]
fn fire<L: Lanes, const TO_STABILITY: bool>(board: &mut L, placed: &mut L::Cells) -> Standing<L> {
    let mut x = *board;
    let mut known = *placed;
    let mut settled = None;
    let mut quiet = false;
    let state = loop {
        let [one, two] = x.count_2();
        if !one.is_all() {
            break Standing::Impossible;
        }
        let single = one - two;
        if single.is_all() {
            break if is_grid(x) { Standing::Solved } else { Standing::Impossible };
        }
        if single.is_same(known) {
            // Nothing new in the cells; if the houses had nothing to add either, look further.
            if let Some(segments) = settled {
                if !TO_STABILITY {
                    break Standing::Open(segments, quiet);
                }
                let rest = triples(x, &segments);
                if (x ^ rest).is_empty() {
                    break Standing::Open(segments, quiet);
                }
                x = rest;
            }
        } else {
            known = single;
            if !TO_STABILITY {
                x = take_from_houses(x, single);
                settled = None;
                continue;
            }
            let singles = x & L::at(single);
            x = x - (lines_of(singles) - singles);
        }
        let (rest, segments) = houses(x);
        if segments.row.has_empty_lane() {
            break Standing::Impossible;
        }
        quiet = (x ^ rest).is_empty();
        settled = (!TO_STABILITY || quiet).then_some(segments);
        x = rest;
    };
    *board = x;
    *placed = known;
    state
}

/// Naked singles of three boards at once, until no cell of any gets its digit: what one waits for,
/// another computes, so three take little longer than one. With the cells decided in each.
#[inline(always)]
pub(super) fn singles_of_three<L: Lanes>(boards: &mut [L; 3]) -> [L::Cells; 3] {
    let [mut a, mut b, mut c] = *boards;
    let mut known = [L::Cells::none(); 3];
    loop {
        let single = [decided_cells(a), decided_cells(b), decided_cells(c)];
        let same = [single[0].is_same(known[0]), single[1].is_same(known[1])];
        let same = same[0] & same[1] & single[2].is_same(known[2]);
        known = single;
        if same {
            break;
        }
        a = take_from_houses(a, single[0]);
        b = take_from_houses(b, single[1]);
        c = take_from_houses(c, single[2]);
    }
    *boards = [a, b, c];
    known
}

/// The cells with one candidate.
#[inline(always)]
fn decided_cells<L: Lanes>(x: L) -> L::Cells {
    let [one, two] = x.count_2();
    one - two
}

/// Takes the digits of these cells from their houses.
#[inline(always)]
pub(super) fn take_from_houses<L: Lanes>(x: L, single: L::Cells) -> L {
    let singles = x & L::at(single);
    x - (houses_of(singles) - singles)
}

/// Whether every house has every digit.
#[inline(always)]
pub(super) fn is_grid<L: Lanes>(x: L) -> bool {
    let segments = Thirds::of_segments(x).any();
    let rows = Thirds::of_rows(segments).any() ^ L::all(ROWS);
    let boxes = Thirds::of_boxes(segments).any() ^ L::all(BOXES);
    let columns = Thirds::of_column_segments(x).any().any_band() ^ L::all(COLUMNS);
    L::any_of(rows, boxes, columns).is_empty()
}

/// How many cells have one candidate.
#[inline(always)]
pub(super) fn decided<L: Lanes>(board: L) -> u32 {
    decided_cells(board).bands().iter().map(|bits| bits.count_ones()).sum()
}

/// Candidates stay in segments that can hold them; hidden singles keep only their digit.
#[inline(always)]
fn houses<L: Lanes>(x: L) -> (L, Segments<L>) {
    let cells = Thirds::of_segments(x);
    let (row, row2) = (row_ways(cells.any().pair(ROW_PAIR)), cells.two().pair(ROW_PAIR));
    let cells = Thirds::of_column_segments(x);
    let column = column_ways(cells.any().pair(COLUMN_PAIR));
    let column2 = cells.two().pair(COLUMN_PAIR);
    let segments = Segments {
        row: L::unpair(row, ROW_PAIR, SEGMENTS),
        column: L::unpair(column, COLUMN_PAIR, COLUMNS),
    };
    let x = x & fill_segments(segments.row) & fill_column_segments(segments.column);

    // Hidden singles: one segment of the line, and one cell of it.
    let two = Thirds::of_rows(row & row2).of_pairs(ROW_PAIR).any();
    let one = Thirds::of_rows(row).of_pairs(ROW_PAIR).one() - two;
    let row_single = L::unpair(one, ROW_PAIR, ROWS);
    let two = Thirds::of_columns(column & column2).of_pairs(COLUMN_PAIR).any();
    let one = Thirds::of_columns(column).of_pairs(COLUMN_PAIR).one() - two;
    let column_single = L::unpair(one, COLUMN_PAIR, COLUMNS);
    let single = x & (fill_rows(row_single) | fill_column_segments(column_single));
    (x - (single.any_digit() - single), segments)
}

/// A segment with three possible digits holds them, and its lines and boxes hold them nowhere
/// else; a segment that must hold three digits holds no other.
#[inline(always)]
fn triples<L: Lanes>(x: L, segments: &Segments<L>) -> L {
    // The segments that must hold a digit are counted together with those that can, beside them.
    let Segments { row, column } = *segments;
    let locked = row & row_segments(Thirds::of_rows(row).one());
    let [_, _, three, four] = (row | locked << 1).digits_4();
    let held = row & (three - four);
    let rows = row_segments(Thirds::of_rows(held).any());
    let boxes = box_segments(Thirds::of_boxes(held).any());
    let full = (three >> 1) & L::splat(SEGMENTS);
    let row_off = ((rows | boxes) - held) | (full - locked);

    let locked = column & Thirds::of_columns(column).one();
    let [_, _, three, four] = (column | locked << 9).digits_4();
    let held = column & (three - four);
    let boxes = box_column_segments(Thirds::of_boxes_by_columns(held).any());
    let full = three >> 9;
    let column_off = ((boxes | held.any_band()) - held) | (full - locked);

    x - fill_segments(row_off) - fill_column_segments(column_off)
}
