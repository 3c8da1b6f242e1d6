//! Rows, columns, boxes and segments of all nine digits at once, on [`Lanes`].
//!
//! A *segment* is where a box and a line meet: three cells. What is true of a group is kept at one
//! bit a group, its *head*, in the lane of each digit:
//!
//! ```text
//! group             heads in a lane (one band)      bits
//! row segment       first cell of the segment       SEGMENTS
//! row               first cell of the row           ROWS
//! box               first cell of its first row     BOXES
//! column segment    its cell in the first row       COLUMNS
//! column            its cell in the first row       COLUMNS, equal in all three bands
//! ```
//!
//! The functions come in pairs: from cells or segments to heads (`Thirds::…`), and from heads back
//! to all cells of the groups (`fill_…`).

use super::simd::{Bits, Lanes};

/// The heads of the nine row segments of a band.
pub const SEGMENTS: u32 = 0b001_001_001_001_001_001_001_001_001;
/// The heads of the three rows of a band.
pub const ROWS: u32 = 1 | 1 << 9 | 1 << 18;
/// The heads of the three boxes of a band.
pub const BOXES: u32 = 0b001_001_001;
/// The heads of the nine columns, or column segments.
pub const COLUMNS: u32 = 0b111_111_111;

/// How far up the second digit's heads are where two digits share a lane ([`Lanes::pair`]): heads of
/// row segments and rows, heads of columns and their segments.
pub const ROW_PAIR: u32 = 1;
/// See [`ROW_PAIR`].
pub const COLUMN_PAIR: u32 = 9;

/// A group seen as three parts, each part's bit at the group's head. Other bits are of no meaning
/// until the answer is taken.
#[derive(Clone, Copy)]
pub struct Thirds<L> {
    parts: [L; 3],
    heads: u32,
}

/// Groups whose three parts are so many bits apart, and their heads.
macro_rules! groups {
    ($($(#[$about:meta])* $name:ident: $step:literal, $heads:ident;)*) => {
        impl<L: Bits> Thirds<L> {
            $(
                $(#[$about])*
                #[inline(always)]
                pub fn $name(parts: L) -> Thirds<L> {
                    Thirds { parts: [parts, parts >> $step, parts >> (2 * $step)], heads: $heads }
                }
            )*
        }
    };
}
groups! {
    /// Row segments as their three cells.
    of_segments: 1, SEGMENTS;
    /// Column segments as their three cells.
    of_column_segments: 9, COLUMNS;
    /// Rows as their three segments.
    of_rows: 3, ROWS;
    /// Boxes as their three row segments.
    of_boxes: 9, BOXES;
    /// Boxes as their three column segments.
    of_boxes_by_columns: 1, BOXES;
}

impl<L: Bits> Thirds<L> {
    /// Columns as their three segments.
    #[inline(always)]
    pub fn of_columns(column_segments: L) -> Thirds<L> {
        let [next, last] = column_segments.turn();
        Thirds { parts: [column_segments, next, last], heads: COLUMNS }
    }
    /// The same groups of the second digit in the lane, too, which is `n` bits further up.
    #[inline(always)]
    pub fn of_pairs(self, n: u32) -> Thirds<L> {
        Thirds { heads: self.heads | self.heads << n, ..self }
    }
    /// Groups with something in at least one part.
    #[inline(always)]
    pub fn any(self) -> L {
        let [a, b, c] = self.parts;
        L::any_of(a, b, c) & L::splat(self.heads)
    }
    /// Groups with something in at least two parts.
    #[inline(always)]
    pub fn two(self) -> L {
        let [a, b, c] = self.parts;
        L::two_of(a, b, c) & L::splat(self.heads)
    }
    /// Groups with something in all three parts.
    #[inline(always)]
    pub fn three(self) -> L {
        let [a, b, c] = self.parts;
        a & b & c & L::splat(self.heads)
    }
    /// Groups with something in exactly one part.
    #[inline(always)]
    pub fn one(self) -> L {
        let [a, b, c] = self.parts;
        L::one_of(a, b, c) & L::splat(self.heads)
    }
}

/// From segment heads to their cells.
#[inline(always)]
pub fn fill_segments<L: Bits>(heads: L) -> L {
    heads.run_of(3)
}
/// From column segment (or column) heads to their cells.
#[inline(always)]
pub fn fill_column_segments<L: Bits>(heads: L) -> L {
    L::any_of(heads, heads << 9, heads << 18)
}
/// From row heads to their segments' heads.
#[inline(always)]
pub fn row_segments<L: Bits>(heads: L) -> L {
    L::any_of(heads, heads << 3, heads << 6)
}
/// From box heads to their row segments' heads.
#[inline(always)]
pub fn box_segments<L: Bits>(heads: L) -> L {
    L::any_of(heads, heads << 9, heads << 18)
}
/// From box heads to their column segments' heads.
#[inline(always)]
pub fn box_column_segments<L: Bits>(heads: L) -> L {
    heads.run_of(3)
}
/// From row heads to their cells.
#[inline(always)]
pub fn fill_rows<L: Bits>(heads: L) -> L {
    heads.run_of(9)
}

/// All cells in a house of one of these cells, themselves included, digit by digit.
#[inline(always)]
pub fn houses_of<L: Lanes>(cells: L) -> L {
    let segments = Thirds::of_column_segments(cells).any().pair(COLUMN_PAIR);
    let boxes = Thirds::of_boxes_by_columns(segments).of_pairs(COLUMN_PAIR).any();
    let columns = box_column_segments(boxes) | segments.any_band();
    let columns = L::unpair(columns, COLUMN_PAIR, COLUMNS);
    fill_rows(rows_of(cells)) | fill_column_segments(columns)
}

/// All cells on a line of one of these cells, themselves included, digit by digit.
#[inline(always)]
pub fn lines_of<L: Lanes>(cells: L) -> L {
    let columns = Thirds::of_column_segments(cells).any().pair(COLUMN_PAIR).any_band();
    let columns = L::unpair(columns, COLUMN_PAIR, COLUMNS);
    fill_rows(rows_of(cells)) | fill_column_segments(columns)
}

/// The rows with one of these cells. A row full of ones is added to what it has: if that is
/// anything, a one is carried out of it. The second row apart, since it is where the first carries
/// to. (Two steps through the segments take twice the shifts.)
#[inline(always)]
fn rows_of<L: Lanes>(cells: L) -> L {
    const ROW: u32 = (1 << 9) - 1;
    let (outer, inner) = (L::splat(ROW | ROW << 18), L::splat(ROW << 9));
    let (outer, inner) = ((cells & outer).plus(outer), (cells & inner).plus(inner));
    L::select(L::splat(1 << 18), inner, outer) >> 9 & L::splat(ROWS)
}

/// Of the row segments with a digit, those that can hold it.
///
/// In a band a digit takes one segment of each row, each in another box: six ways. A segment
/// belongs to two of them, one for each diagonal of the four segments in the other rows and boxes;
/// it can hold the digit if one of these diagonals can. What pointing, claiming and X-wings within
/// a band take away, this takes away at once: either nothing is left of the band, or every row and
/// every box has a segment.
#[inline(always)]
pub fn row_ways<L: Bits>(segments: L) -> L {
    let (box1, box2) = (turn_boxes_1(segments), turn_boxes_2(segments));
    let falling = turn_rows_1(box1) & turn_rows_2(box2);
    let rising = turn_rows_1(box2) & turn_rows_2(box1);
    segments & (falling | rising)
}

/// The same of column segments.
#[inline(always)]
pub fn column_ways<L: Bits>(segments: L) -> L {
    let [band1, band2] = segments.turn();
    let falling = turn_columns_1(band1) & turn_columns_2(band2);
    let rising = turn_columns_2(band1) & turn_columns_1(band2);
    segments & (falling | rising)
}

/// The row segments on a row with another one of these. Bits above the band are of no meaning.
#[inline(always)]
pub fn beside_in_row<L: Bits>(segments: L) -> L {
    turn_boxes_1(segments) | turn_boxes_2(segments)
}
/// The row segments in a box with another one of these. Bits above the band are of no meaning.
#[inline(always)]
pub fn beside_in_box<L: Bits>(segments: L) -> L {
    turn_rows_1(segments) | turn_rows_2(segments)
}
/// The column segments in a box with another one of these.
#[inline(always)]
pub fn beside_in_box_by_columns<L: Bits>(segments: L) -> L {
    (turn_columns_1(segments) | turn_columns_2(segments)) & L::splat(COLUMNS)
}

// The masks below are those of two digits in a lane, too: see [`ROW_PAIR`], [`COLUMN_PAIR`].
const TWO_BOXES: u32 = BOXES | BOXES << COLUMN_PAIR;

/// For each row segment the one in the next box (the first after the last), or the one after that.
#[inline(always)]
fn turn_boxes_1<L: Bits>(x: L) -> L {
    L::select(L::splat(3 * (ROWS | ROWS << 3)), x >> 3, x << 6)
}
#[inline(always)]
fn turn_boxes_2<L: Bits>(x: L) -> L {
    L::select(L::splat(3 * ROWS), x >> 6, x << 3)
}
/// For each row segment the one in the next row (the first after the last), or the one after that.
#[inline(always)]
fn turn_rows_1<L: Bits>(x: L) -> L {
    L::select(L::splat((1 << 18) - 1), x >> 9, x << 18)
}
#[inline(always)]
fn turn_rows_2<L: Bits>(x: L) -> L {
    L::select(L::splat((1 << 9) - 1), x >> 18, x << 9)
}
/// For each column segment the one in the next column of its box, or the one after that.
#[inline(always)]
fn turn_columns_1<L: Bits>(x: L) -> L {
    L::select(L::splat(TWO_BOXES | TWO_BOXES << 1), x >> 1, x << 2)
}
#[inline(always)]
fn turn_columns_2<L: Bits>(x: L) -> L {
    L::select(L::splat(TWO_BOXES), x >> 2, x << 1)
}

#[cfg(test)]
mod tests {
    use super::super::simd::{self, Kernel, Planes};
    use super::super::{Cell, Digit, Layout};
    use super::*;

    struct Houses(Planes);

    impl Kernel for Houses {
        type Output = Planes;
        #[inline(always)]
        fn run<L: Lanes>(self) -> Planes {
            let mut out = Planes::EMPTY;
            houses_of(L::load(&self.0)).store(&mut out);
            out
        }
    }

    #[test]
    fn houses_of_a_cell_are_its_peers_and_itself() {
        let layout = Layout::classic(9).expect("9 is a classic size");
        for cell in layout.all_cells() {
            let digit = Digit::at(cell.index() % 9);
            let mut planes = Planes::EMPTY;
            planes.insert(cell, digit);
            let found = simd::run(Houses(planes));
            for (d, c) in (0..729).map(|i| (Digit::at(i / 81), Cell::at(i % 81))) {
                let expected = d == digit && (c == cell || layout.sees(c, cell));
                assert_eq!(found.contains(c, d), expected, "{cell:?} {c:?} {d}");
            }
        }
    }
}
