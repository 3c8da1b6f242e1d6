//! What layouts are made of.

use super::grid::Candidate;
use super::layout::Layout;
use super::sets::{Cell, Cells, Digit, Digits, House};

/// A house or a group: what it is called, and its cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// As people say it: `window 1`.
    pub name: String,
    /// Its cells, in reading order.
    pub cells: Vec<Cell>,
}

/// What a layout is made of, beside the rows and columns that all have.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Parts {
    /// How it is asked for: `windoku`.
    pub name: String,
    /// What people call it: `Windoku`.
    pub title: String,
    /// How many digits there are, and rows, and columns.
    pub size: usize,
    /// The boxes, of as many cells as there are digits; together all cells, or there are none.
    pub boxes: Vec<Vec<Cell>>,
    /// Further houses with one cell a digit: every digit is in each.
    pub houses: Vec<Named>,
    /// Sets of fewer cells: every digit is there at most once.
    pub groups: Vec<Named>,
    /// Pairs of cells that differ.
    pub differ: Vec<(Cell, Cell)>,
    /// Pairs of candidates that are not both true.
    pub excluded: Vec<(Candidate, Candidate)>,
    /// The only digits that a cell may have.
    pub only: Vec<(Cell, Digits)>,
}

impl Parts {
    /// Rows, columns and boxes of `height` × `width`.
    pub fn boxed(height: usize, width: usize) -> Parts {
        let size = height * width;
        let boxes = (0..size).map(|b| {
            let (top, left) = (b / height * height, b % height * width);
            let cell = |i: usize| Cell::at((top + i / width) * size + left + i % width);
            (0..size).map(cell).collect()
        });
        Parts { size, boxes: boxes.collect(), ..Parts::default() }
    }
}

/// Height and width of the boxes, if they are those of a classic layout.
pub(super) fn rectangles(parts: &Parts) -> Option<(usize, usize)> {
    let shapes = (1..=parts.size).filter(|height| parts.size.is_multiple_of(*height));
    shapes
        .map(|height| (height, parts.size / height))
        .find(|&(height, width)| Parts::boxed(height, width).boxes == parts.boxes)
}

/// The box of each cell.
pub(super) fn boxes(parts: &Parts) -> Vec<Option<House>> {
    let mut of = vec![None; parts.size * parts.size];
    for (number, cells) in parts.boxes.iter().enumerate() {
        cells.iter().for_each(|c| of[c.index()] = Some(House::at(2 * parts.size + number)));
    }
    of
}

/// What each candidate excludes, by digit; nothing at all where nothing is excluded by value.
pub(super) fn excluded(parts: &Parts) -> Vec<Vec<(Digit, Cells)>> {
    if parts.excluded.is_empty() {
        return Vec::new();
    }
    let size = parts.size;
    let mut table = vec![vec![Cells::EMPTY; size]; size * size * size];
    for &(a, b) in &parts.excluded {
        for (a, b) in [(a, b), (b, a)] {
            table[a.cell.index() * size + a.digit.index()][b.digit.index()].insert(b.cell);
        }
    }
    let some = |cells: Vec<Cells>| {
        let by_digit = cells.into_iter().enumerate().filter(|(_, cells)| !cells.is_empty());
        by_digit.map(|(digit, cells)| (Digit::at(digit), cells)).collect()
    };
    table.into_iter().map(some).collect()
}

impl PartialEq for Layout {
    fn eq(&self, other: &Layout) -> bool {
        std::ptr::eq(self, other)
            || (self.size() == other.size() && same_parts(self.parts(), other.parts()))
    }
}
impl Eq for Layout {}

/// Whether two layouts of one size ask the same of their cells, whatever they are called.
fn same_parts(a: &Parts, b: &Parts) -> bool {
    let cells = |named: &[Named]| named.iter().map(|n| n.cells.clone()).collect::<Vec<_>>();
    a.boxes == b.boxes
        && cells(&a.houses) == cells(&b.houses)
        && cells(&a.groups) == cells(&b.groups)
        && (&a.differ, &a.excluded, &a.only) == (&b.differ, &b.excluded, &b.only)
}
