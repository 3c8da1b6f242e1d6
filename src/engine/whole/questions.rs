//! Plane programs: questions to the whole board, each answered by a set of candidates.

use crate::engine::shape::{Locked, Questions};

use super::{Board, Line, Whole};

/// The answer to all questions of a plan.
#[inline(always)]
pub(super) fn answer<B: Board>(board: &B, x: B::Set, asked: &Questions) -> B::Set {
    let mut answer = board.none();
    if asked.alone_in_cell {
        answer = answer | board.alone_in_cell(x);
    }
    if asked.alone_in_house != [false; 4] {
        answer = answer | board.alone_in_house(x, asked.alone_in_house);
    }
    let [rows, columns] = asked.locked;
    if rows.box_to_line | rows.line_to_box {
        answer = answer | locked(board, x, rows, Line::Row);
    }
    if columns.box_to_line | columns.line_to_box {
        answer = answer | locked(board, x, columns, Line::Column);
    }
    if !asked.pairs.is_empty() {
        answer = answer | board.by_pairs(x, &asked.pairs);
    }
    answer
}

/// Candidates that a box takes from the rest of a line, or a line from the rest of a box.
///
/// ```text
/// segments of a band     box to line: a box with     line to box: a line with
///  a b c                 one segment clears          one segment clears
///  d e f                 the line's others           the box's others
///  g h i
/// ```
#[inline(always)]
fn locked<B: Board>(board: &B, x: B::Set, asked: Locked, line: Line) -> B::Set {
    let segments = board.segments(x, line);
    let clear = match (asked.box_to_line, asked.line_to_box) {
        (true, true) => {
            cleared(board, segments, Whole::Box, line) | cleared(board, segments, Whole::Line, line)
        }
        (true, false) => cleared(board, segments, Whole::Box, line),
        _ => cleared(board, segments, Whole::Line, line),
    };
    x & board.fill(clear, line)
}

/// The segments beside those that are the only one of their box, or line.
#[inline(always)]
fn cleared<B: Board>(board: &B, segments: B::Segments, from: Whole, line: Line) -> B::Segments {
    let locked = board.only(segments, from, line);
    let to = match from {
        Whole::Box => Whole::Line,
        Whole::Line => Whole::Box,
    };
    board.beside(locked, to, line)
}

/// Whether nothing is wrong with a board: a candidate in every cell, a spot for every digit in
/// every house, and nothing placed twice.
#[inline(always)]
pub(super) fn is_sound<B: Board>(board: &B, x: B::Set, placed: B::Set) -> bool {
    board.is_everywhere(x) && board.is_empty(board.crowded(x & placed))
}

/// Whether what is placed has left its cell and its houses, as runs suppose.
#[inline(always)]
pub(super) fn is_tidy<B: Board>(board: &B, x: B::Set, placed: B::Set) -> bool {
    let there = x & placed;
    let elsewhere = board.same_house(there) & (x - placed);
    board.is_empty(elsewhere | board.crowded(there))
}
