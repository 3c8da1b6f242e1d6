//! Questions to the whole board: each answer is a set of candidates, all digits at once.

use crate::board::groups::{
    BOXES, COLUMNS, ROWS, Thirds, box_column_segments, box_segments, fill_column_segments,
    fill_rows, fill_segments, row_segments,
};
use crate::board::simd::{BAND, Lanes, Planes, lane};
use crate::engine::plan::NineQuestions;

/// The answer to all questions of a plan; `doubt` gathers what cannot be in a board with a
/// solution.
#[inline(always)]
pub fn answer<L: Lanes>(x: L, asked: &NineQuestions, doubt: &mut L) -> L {
    let mut answer = L::splat(0);
    if asked.lone_in_cell {
        answer = answer | lone_in_cell(x);
    }
    if asked.lone_in_house {
        answer = answer | lone_in_house(x);
    }
    if asked.box_to_line[0] | asked.line_to_box[0] {
        answer = answer | locked_by_rows(x, asked, doubt);
    }
    if asked.box_to_line[1] | asked.line_to_box[1] {
        answer = answer | locked_by_columns(x, asked, doubt);
    }
    if !asked.pairs.is_empty() {
        let mut planes = Planes::EMPTY;
        x.store(&mut planes);
        answer = answer | L::load(&by_pairs(&planes, asked));
    }
    answer
}

/// Candidates alone in their cell.
#[inline(always)]
pub fn lone_in_cell<L: Lanes>(x: L) -> L {
    let [one, two] = x.digits_2();
    x & (one - two)
}

/// Candidates alone of their digit in a row, a column or a box.
#[inline(always)]
pub fn lone_in_house<L: Lanes>(x: L) -> L {
    let cells = Thirds::of_segments(x);
    let (some, more) = (cells.any(), cells.two());
    let (rows, boxes) = (Thirds::of_rows(some), Thirds::of_boxes(some));
    let in_row = rows.any() - (rows.two() | Thirds::of_rows(more).any());
    let in_box = boxes.any() - (boxes.two() | Thirds::of_boxes(more).any());
    let cells = Thirds::of_column_segments(x);
    let columns = Thirds::of_columns(cells.any());
    let in_column = columns.any() - (columns.two() | cells.two().any_band());
    x & (fill_rows(in_row) | fill_column_segments(in_box.run_of(3) | in_column))
}

/// Candidates that a box takes from the rest of a row, or a row from the rest of a box.
///
/// ```text
/// segments of a band     pointing: a box with      claiming: a row with
///  a b c                 one segment clears        one segment clears
///  d e f                 the row's others          the box's others
///  g h i
/// ```
#[inline(always)]
fn locked_by_rows<L: Lanes>(x: L, asked: &NineQuestions, doubt: &mut L) -> L {
    let segments = Thirds::of_segments(x).any();
    let mut clear = L::splat(0);
    if asked.box_to_line[0] {
        let locked = segments & box_segments(Thirds::of_boxes(segments).one());
        let rows = Thirds::of_rows(locked);
        *doubt = *doubt | rows.two();
        clear = clear | (row_segments(rows.any()) - locked);
    }
    if asked.line_to_box[0] {
        let locked = segments & row_segments(Thirds::of_rows(segments).one());
        let boxes = Thirds::of_boxes(locked);
        *doubt = *doubt | boxes.two();
        clear = clear | (box_segments(boxes.any()) - locked);
    }
    x & fill_segments(clear)
}

/// The same with columns.
#[inline(always)]
fn locked_by_columns<L: Lanes>(x: L, asked: &NineQuestions, doubt: &mut L) -> L {
    let segments = Thirds::of_column_segments(x).any();
    let mut clear = L::splat(0);
    if asked.box_to_line[1] {
        let locked = segments & box_column_segments(Thirds::of_boxes_by_columns(segments).one());
        let columns = Thirds::of_columns(locked);
        *doubt = *doubt | columns.two();
        clear = clear | (columns.any() - locked);
    }
    if asked.line_to_box[1] {
        let locked = segments & Thirds::of_columns(segments).one();
        let boxes = Thirds::of_boxes_by_columns(locked);
        *doubt = *doubt | boxes.two();
        clear = clear | (box_column_segments(boxes.any()) - locked);
    }
    x & fill_column_segments(clear)
}

/// Candidates of the pairs that apply.
fn by_pairs(planes: &Planes, asked: &NineQuestions) -> Planes {
    let mut answer = Planes::EMPTY;
    for (empty, then) in &asked.pairs {
        for digit in 0..9 {
            let at = [lane(digit, 0), lane(digit, 1), lane(digit, 2)];
            if (0..3).all(|band| planes.0[at[band]] & empty[band] == 0) {
                for band in 0..3 {
                    answer.0[at[band]] |= planes.0[at[band]] & then[band];
                }
            }
        }
    }
    answer
}

/// Whether nothing is wrong with a board: a candidate in every cell, one where placed, a spot for
/// every digit in every house, no digit placed twice in a house.
#[inline(always)]
pub fn is_sound<L: Lanes>(x: L, placed: L) -> bool {
    let [one, two] = x.digits_2();
    let segments = Thirds::of_segments(x).any();
    let no_row = L::all(ROWS) - Thirds::of_rows(segments).any();
    let no_box = L::all(BOXES) - Thirds::of_boxes(segments).any();
    let no_column = L::all(COLUMNS) - Thirds::of_column_segments(x).any().any_band();
    let cells = Thirds::of_segments(x & placed);
    let (some, more) = (cells.any(), cells.two());
    let (rows, boxes) = (Thirds::of_rows(some), Thirds::of_boxes(some));
    let cells = Thirds::of_column_segments(x & placed);
    let columns = Thirds::of_columns(cells.any());
    let twice = L::any_of(more, rows.two(), boxes.two());
    let twice = L::any_of(twice, columns.two(), cells.two());
    let holes = (L::all(BAND) - one) | (two & placed);
    L::any_of(L::any_of(holes, no_row, no_box), no_column, twice).is_empty()
}

/// How many pairs of houses take something away. Only asked when something goes.
#[inline(always)]
pub fn count_locked<L: Lanes>(x: L, asked: &NineQuestions) -> u64 {
    let mut count = u64::from(!asked.pairs.is_empty());
    let segments = Thirds::of_segments(x).any();
    if asked.box_to_line[0] {
        let locked = segments & box_segments(Thirds::of_boxes(segments).one());
        let taken = segments & (row_segments(Thirds::of_rows(locked).any()) - locked);
        count += bits(Thirds::of_rows(taken).any());
    }
    if asked.line_to_box[0] {
        let locked = segments & row_segments(Thirds::of_rows(segments).one());
        let taken = segments & (box_segments(Thirds::of_boxes(locked).any()) - locked);
        count += bits(Thirds::of_boxes(taken).any());
    }
    let segments = Thirds::of_column_segments(x).any();
    if asked.box_to_line[1] {
        let locked = segments & box_column_segments(Thirds::of_boxes_by_columns(segments).one());
        let taken = segments & (Thirds::of_columns(locked).any() - locked);
        count += bits(Thirds::of_columns(taken).any()) / 3;
    }
    if asked.line_to_box[1] {
        let locked = segments & Thirds::of_columns(segments).one();
        let taken =
            segments & (box_column_segments(Thirds::of_boxes_by_columns(locked).any()) - locked);
        count += bits(Thirds::of_boxes_by_columns(taken).any());
    }
    count
}

#[inline(always)]
fn bits<L: Lanes>(lanes: L) -> u64 {
    let mut planes = Planes::EMPTY;
    lanes.store(&mut planes);
    planes.0.iter().map(|lane| u64::from(lane.count_ones())).sum()
}
