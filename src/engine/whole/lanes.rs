//! The 9×9 board in vector registers.

use std::marker::PhantomData;

use crate::board::groups::{
    BOXES, COLUMNS, ROWS, Thirds, beside_in_box, beside_in_box_by_columns, beside_in_row,
    box_column_segments, box_segments, fill_column_segments, fill_rows, fill_segments, houses_of,
    row_segments,
};
use crate::board::simd::{BAND, ByCell, Lanes, Planes, bands, lane};
use crate::board::{Cell, Digit, Houses, Layout};
use crate::engine::shape::{Hall, Kinds, Pair};

use super::memo::Memo;
use super::{Board, Line, Whole};

/// The board; everything is in the type.
pub(super) struct Nine<'a, L> {
    layout: &'a Layout,
    lanes: PhantomData<L>,
}

impl<'a, L> Nine<'a, L> {
    /// The board of the classic 9×9 layout.
    #[inline(always)]
    pub(super) fn new(layout: &'a Layout) -> Self {
        debug_assert!(layout.is_classic_nine());
        Nine { layout, lanes: PhantomData }
    }
}

/// What three parts of each group come to: groups with one candidate only, with two or more.
struct Crowd<L> {
    one: L,
    more: L,
}

/// Rows, columns and boxes with one candidate of a digit, and with more; at their heads.
#[inline(always)]
fn crowds<L: Lanes>(x: L) -> [Crowd<L>; 3] {
    let cells = Thirds::of_segments(x);
    let (some, two) = (cells.any(), cells.two());
    let (rows, boxes) = (Thirds::of_rows(some), Thirds::of_boxes(some));
    let in_rows = rows.two() | Thirds::of_rows(two).any();
    let in_boxes = boxes.two() | Thirds::of_boxes(two).any();
    let cells = Thirds::of_column_segments(x);
    let columns = Thirds::of_columns(cells.any());
    let in_columns = columns.two() | cells.two().any_band();
    [
        Crowd { one: rows.any() - in_rows, more: in_rows },
        Crowd { one: columns.any() - in_columns, more: in_columns },
        Crowd { one: boxes.any() - in_boxes, more: in_boxes },
    ]
}

/// Everything, or nothing.
#[inline(always)]
fn all_if<L: Lanes>(asked: bool) -> L {
    L::splat(u32::from(asked).wrapping_neg())
}

/// The cells of rows, columns and boxes, from their heads.
#[inline(always)]
fn fill_houses<L: Lanes>(rows: L, columns: L, boxes: L) -> L {
    fill_rows(rows) | fill_column_segments(boxes.run_of(3) | columns)
}

impl<L: Lanes> Board for Nine<'_, L> {
    type Set = L;
    type Segments = L;
    type AtRest = Planes;
    type ByCell = ByCell;
    type Memo = Memo;

    #[inline(always)]
    fn layout(&self) -> &Layout {
        self.layout
    }
    #[inline(always)]
    fn load(&self, planes: &Planes) -> L {
        L::load(planes)
    }
    #[inline(always)]
    fn store(&self, set: L) -> Planes {
        let mut planes = Planes::EMPTY;
        set.store(&mut planes);
        planes
    }
    #[inline(always)]
    fn none(&self) -> L {
        L::splat(0)
    }
    #[inline(always)]
    fn all(&self) -> L {
        L::all(BAND)
    }
    #[inline(always)]
    fn is_empty(&self, set: L) -> bool {
        set.is_empty()
    }

    #[inline(always)]
    fn same_cell(&self, set: L) -> L {
        set.any_digit()
    }
    #[inline(always)]
    fn same_house(&self, set: L) -> L {
        houses_of(set)
    }
    #[inline(always)]
    fn alone_in_cell(&self, set: L) -> L {
        let [one, two] = set.digits_2();
        set & (one - two)
    }
    #[inline(always)]
    fn alone_in_house(&self, set: L, [rows, columns, boxes, _]: Kinds) -> L {
        let [in_row, in_column, in_box] = crowds(set);
        set & fill_houses(
            in_row.one & all_if(rows),
            in_column.one & all_if(columns),
            in_box.one & all_if(boxes),
        )
    }
    #[inline(always)]
    fn crowded(&self, set: L) -> L {
        let [in_row, in_column, in_box] = crowds(set);
        let [_, two] = set.digits_2();
        set & (two | fill_houses(in_row.more, in_column.more, in_box.more))
    }
    #[inline(always)]
    fn is_everywhere(&self, set: L) -> bool {
        let segments = Thirds::of_segments(set).any();
        let no_row = L::all(ROWS) - Thirds::of_rows(segments).any();
        let no_box = L::all(BOXES) - Thirds::of_boxes(segments).any();
        let no_column = L::all(COLUMNS) - Thirds::of_column_segments(set).any().any_band();
        let no_cell = L::all(BAND) - set.any_digit();
        (L::any_of(no_row, no_box, no_column) | no_cell).is_empty()
    }
    fn by_pairs(&self, set: L, pairs: &[Pair]) -> L {
        let planes = self.store(set);
        let mut answer = Planes::EMPTY;
        for pair in pairs {
            let (empty, then) = (bands(pair.empty), bands(pair.then));
            for digit in 0..9 {
                let at = [lane(digit, 0), lane(digit, 1), lane(digit, 2)];
                if (0..3).all(|band| planes.0[at[band]] & empty[band] == 0) {
                    for band in 0..3 {
                        answer.0[at[band]] |= planes.0[at[band]] & then[band];
                    }
                }
            }
        }
        L::load(&answer)
    }

    #[inline(always)]
    fn segments(&self, set: L, line: Line) -> L {
        match line {
            Line::Row => Thirds::of_segments(set).any(),
            Line::Column => Thirds::of_column_segments(set).any(),
        }
    }
    #[inline(always)]
    fn only(&self, segments: L, of: Whole, line: Line) -> L {
        segments
            & match (of, line) {
                (Whole::Box, Line::Row) => box_segments(Thirds::of_boxes(segments).one()),
                (Whole::Line, Line::Row) => row_segments(Thirds::of_rows(segments).one()),
                (Whole::Box, Line::Column) => {
                    box_column_segments(Thirds::of_boxes_by_columns(segments).one())
                }
                (Whole::Line, Line::Column) => Thirds::of_columns(segments).one(),
            }
    }
    #[inline(always)]
    fn beside(&self, segments: L, of: Whole, line: Line) -> L {
        match (of, line) {
            (Whole::Box, Line::Row) => beside_in_box(segments),
            (Whole::Line, Line::Row) => beside_in_row(segments),
            (Whole::Box, Line::Column) => beside_in_box_by_columns(segments),
            (Whole::Line, Line::Column) => {
                let [next, last] = segments.turn();
                next | last
            }
        }
    }
    #[inline(always)]
    fn fill(&self, segments: L, line: Line) -> L {
        match line {
            Line::Row => fill_segments(segments),
            Line::Column => fill_column_segments(segments),
        }
    }

    #[inline(always)]
    fn suspects(&self, memo: &mut Memo, set: L, placed: L, hall: &Hall) -> Houses {
        Houses::from_words([u64::from(memo.suspects(set, placed, hall)), 0])
    }
    #[inline(always)]
    fn by_cell(&self, set: L) -> ByCell {
        set.by_cell()
    }
    #[inline(always)]
    fn digits(&self, cells: &ByCell, cell: Cell) -> u32 {
        u32::from(cells.0[ByCell::place(cell.index())])
    }
    #[inline(always)]
    fn rows(&self, planes: &Planes, digit: Digit) -> [u32; 25] {
        let mut rows = [0; 25];
        for (row, columns) in rows.iter_mut().enumerate().take(9) {
            *columns = planes.0[lane(digit.index(), row / 3)] >> (9 * (row % 3)) & 511;
        }
        rows
    }
    #[inline(always)]
    fn insert(&self, planes: &mut Planes, cell: Cell, digit: Digit) {
        planes.insert(cell, digit);
    }
}
