//! What follows without a choice: singles and locked candidates, all digits and houses at once.

use crate::board::groups::{
    BOXES, COLUMNS, ROWS, Thirds, box_column_segments, box_segments, fill_column_segments,
    fill_rows, fill_segments, houses_of, row_segments,
};
use crate::board::simd::{BAND, Lanes};

/// How a board stands when nothing more follows.
pub(super) enum State<L> {
    /// A cell without a candidate, or a digit without a spot in a house.
    Impossible,
    /// One candidate in every cell, every digit in every house.
    Solved,
    /// A choice is left. With the segments in which a digit is still possible.
    Open(Segments<L>),
}

/// Where each digit is still possible, segment by segment, at the segments' heads.
#[derive(Clone, Copy)]
pub(super) struct Segments<L> {
    /// Of rows.
    pub row: L,
    /// Of columns.
    pub column: L,
}

/// Segments that must hold their digit: the only ones left for it in a line or a box.
struct Locked<L>(Segments<L>);

/// Fires everything until nothing changes.
#[inline(always)]
pub(super) fn to_stability<L: Lanes>(board: &mut L) -> State<L> {
    let mut x = *board;
    let mut known = L::splat(0);
    let mut settled = None;
    let state = loop {
        // Cells: one candidate, at least two.
        let [one, two] = x.digits_2();
        if !(one ^ L::all(BAND)).is_empty() {
            break State::Impossible;
        }
        let single = one - two;
        if (single ^ known).is_empty() {
            if let Some((segments, locked)) = settled {
                let rest = triples(x, &segments, &locked);
                if (x ^ rest).is_empty() {
                    break State::Open(segments);
                }
                x = rest;
            }
        } else {
            // Naked singles: their digit goes from their houses.
            let placed = x & single;
            x = x - (houses_of(placed) - placed);
            known = single;
        }
        // Houses: hidden singles and locked candidates.
        let Some((rest, segments, locked)) = houses(x) else { break State::Impossible };
        if (single ^ L::all(BAND)).is_empty() {
            break State::Solved;
        }
        settled = (x ^ rest).is_empty().then_some((segments, locked));
        x = rest;
    };
    *board = x;
    state
}

/// How many cells have one candidate.
#[inline(always)]
pub(super) fn decided<L: Lanes>(board: L) -> u32 {
    let [one, two] = board.digits_2();
    (one - two).bands().iter().map(|bits| bits.count_ones()).sum()
}

/// Hidden singles keep only their digit, locked candidates go from the rest of their line or box;
/// `None` when a house has no spot for a digit.
#[inline(always)]
fn houses<L: Lanes>(x: L) -> Option<(L, Segments<L>, Locked<L>)> {
    // Segments with the digit in at least one cell, in at least two; the same of lines and boxes.
    let cells = Thirds::of_segments(x);
    let (row, row2) = (cells.any(), cells.two());
    let cells = Thirds::of_column_segments(x);
    let (column, column2) = (cells.any(), cells.two());
    let (rows, boxes) = (Thirds::of_rows(row), Thirds::of_boxes(row));
    let (columns, boxes_by_columns) =
        (Thirds::of_columns(column), Thirds::of_boxes_by_columns(column));
    let (row_any, box_any, column_any) = (rows.any(), boxes.any(), columns.any());
    let missing =
        (row_any ^ L::all(ROWS)) | (box_any ^ L::all(BOXES)) | (column_any ^ L::all(COLUMNS));
    if !missing.is_empty() {
        return None;
    }

    // Hidden singles: one segment of the house, and one cell of it.
    let row_one = row_any - rows.two();
    let box_one = box_any - boxes.two();
    let column_one = column_any - columns.two();
    let row_single = row_one - Thirds::of_rows(row2).any();
    let box_single = box_one - Thirds::of_boxes(row2).any();
    let column_single = column_one - column2.any_band();
    let single = x
        & (fill_rows(row_single)
            | fill_column_segments(box_column_segments(box_single) | column_single));

    // Claiming (a line has its digit in one box) and pointing (a box has it on one line).
    let claim = row & row_segments(row_one);
    let claim_off = box_segments(Thirds::of_boxes(claim).any()) - claim;
    let point = row & box_segments(box_one);
    let point_off = row_segments(Thirds::of_rows(point).any()) - point;
    let column_claim = column & column_one;
    let column_claim_off =
        box_column_segments(Thirds::of_boxes_by_columns(column_claim).any()) - column_claim;
    let column_point = column & box_column_segments(boxes_by_columns.one());
    let column_point_off = column_point.any_band() - column_point;

    let off = fill_segments(claim_off | point_off)
        | fill_column_segments(column_claim_off | column_point_off);
    let rest = x - (single.any_digit() - single) - off;
    let locked = Locked(Segments { row: claim | point, column: column_claim | column_point });
    Some((rest, Segments { row, column }, locked))
}

/// A segment with three possible digits holds them, and its lines and boxes hold them nowhere
/// else; a segment that must hold three digits holds no other.
#[inline(always)]
fn triples<L: Lanes>(x: L, segments: &Segments<L>, locked: &Locked<L>) -> L {
    let Segments { row, column } = *segments;
    let Locked(Segments { row: row_locked, column: column_locked }) = *locked;
    let [_, _, three, four] = row.digits_4();
    let held = row & (three - four);
    let rows = row_segments(Thirds::of_rows(held).any());
    let boxes = box_segments(Thirds::of_boxes(held).any());
    let [_, _, full, _] = row_locked.digits_4();
    let row_off = ((rows | boxes) - held) | (full - row_locked);

    let [_, _, three, four] = column.digits_4();
    let held = column & (three - four);
    let boxes = box_column_segments(Thirds::of_boxes_by_columns(held).any());
    let [_, _, full, _] = column_locked.digits_4();
    let column_off = ((boxes | held.any_band()) - held) | (full - column_locked);

    x - fill_segments(row_off) - fill_column_segments(column_off)
}
