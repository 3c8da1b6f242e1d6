//! Layouts: which cells make a house. Houses are data, so any set of them will do.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::graph::ConstraintGraph;
use super::sets::{Cell, Cells, Digit, Digits, House, Houses};

/// The sizes with a classic layout.
pub const SIZES: [usize; 6] = [4, 6, 9, 12, 16, 25];

/// What a house is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HouseKind {
    /// A row.
    Row,
    /// A column.
    Column,
    /// A box (region).
    Box,
    /// A further house of a variant, such as a diagonal.
    Extra,
}

impl fmt::Display for HouseKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            HouseKind::Row => "row",
            HouseKind::Column => "column",
            HouseKind::Box => "box",
            HouseKind::Extra => "extra house",
        })
    }
}

/// The cells, digits and houses of a kind of puzzle, and what follows from them.
///
/// ```
/// use dokulog::board::Layout;
///
/// let six = Layout::classic(6).expect("there are 6×6 puzzles");
/// let cell = six.cell_named("r2c4").expect("a cell of it");
/// assert_eq!(six.house_name(six.box_of(cell)), "box 2");
/// assert_eq!(six.peers(cell).len(), 5 + 5 + 2);
/// ```
pub struct Layout {
    size: usize,
    box_height: usize,
    box_width: usize,
    houses: Vec<(HouseKind, usize, Vec<Cell>)>,
    cells_of: Vec<Cells>,
    houses_of: Vec<Houses>,
    peers: Vec<Cells>,
}

impl Layout {
    /// The usual layout of this size, with rows, columns and boxes, if there is one.
    pub fn classic(size: usize) -> Option<Arc<Layout>> {
        static MADE: [OnceLock<Arc<Layout>>; SIZES.len()] =
            [const { OnceLock::new() }; SIZES.len()];
        let place = SIZES.iter().position(|&s| s == size)?;
        let (height, width) = [(2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (5, 5)][place];
        Some(MADE[place].get_or_init(|| Arc::new(Layout::boxed(height, width, &[]))).clone())
    }

    /// Rows, columns and boxes of `height` × `width`, and further houses of as many cells.
    ///
    /// # Panics
    /// If the size is more than 25, or a further house has not one cell a digit.
    pub fn boxed(height: usize, width: usize, further: &[Vec<Cell>]) -> Layout {
        let size = height * width;
        assert!((1..=25).contains(&size), "a layout has 1 to 25 digits");
        let cell = |r: usize, c: usize| Cell::at(r * size + c);
        let mut houses = Vec::new();
        for r in 0..size {
            houses.push((HouseKind::Row, r + 1, (0..size).map(|c| cell(r, c)).collect()));
        }
        for c in 0..size {
            houses.push((HouseKind::Column, c + 1, (0..size).map(|r| cell(r, c)).collect()));
        }
        for b in 0..size {
            let (top, left) = (b / height * height, b % height * width);
            let cells = (0..size).map(|i| cell(top + i / width, left + i % width)).collect();
            houses.push((HouseKind::Box, b + 1, cells));
        }
        for (i, cells) in further.iter().enumerate() {
            assert_eq!(cells.len(), size, "a house has one cell a digit");
            houses.push((HouseKind::Extra, i + 1, cells.clone()));
        }
        let graph =
            ConstraintGraph::new(size * size, houses.iter().map(|(_, _, cells)| &cells[..]));
        Layout {
            size,
            box_height: height,
            box_width: width,
            cells_of: houses.iter().map(|(_, _, cells)| cells.iter().copied().collect()).collect(),
            houses_of: (0..size * size).map(|c| graph.houses_of(Cell::at(c))).collect(),
            peers: (0..size * size).map(|c| graph.peers_of(Cell::at(c))).collect(),
            houses,
        }
    }

    /// Whether this is the plain 9 × 9 layout, for which there are faster planes.
    pub fn is_classic_nine(&self) -> bool {
        self.size == 9 && (self.box_height, self.box_width) == (3, 3) && self.houses.len() == 27
    }

    /// How many digits there are, and rows, and columns.
    pub fn size(&self) -> usize {
        self.size
    }
    /// How many rows a box has.
    pub fn box_height(&self) -> usize {
        self.box_height
    }
    /// How many columns a box has.
    pub fn box_width(&self) -> usize {
        self.box_width
    }
    /// How many cells there are.
    pub fn cell_count(&self) -> usize {
        self.size * self.size
    }
    /// How many houses there are.
    pub fn house_count(&self) -> usize {
        self.houses.len()
    }
    /// All cells.
    pub fn all_cells(&self) -> Cells {
        Cells::first_n(self.cell_count())
    }
    /// All digits.
    pub fn all_digits(&self) -> Digits {
        Digits::first_n(self.size)
    }
    /// All houses.
    pub fn all_houses(&self) -> Houses {
        Houses::first_n(self.house_count())
    }
    /// The houses of one kind.
    pub fn houses_of_kind(&self, kind: HouseKind) -> Houses {
        (0..self.houses.len()).filter(|&h| self.houses[h].0 == kind).map(House::at).collect()
    }
    /// What kind of house this is.
    pub fn kind(&self, house: House) -> HouseKind {
        self.houses[house.index()].0
    }
    /// Which of its kind it is, from 1.
    pub fn number(&self, house: House) -> usize {
        self.houses[house.index()].1
    }
    /// The cells of a house, in reading order.
    pub fn cells_in_order(&self, house: House) -> &[Cell] {
        &self.houses[house.index()].2
    }
    /// The cells of a house.
    pub fn cells(&self, house: House) -> Cells {
        self.cells_of[house.index()]
    }
    /// The houses a cell is in.
    pub fn houses_of(&self, cell: Cell) -> Houses {
        self.houses_of[cell.index()]
    }
    /// The cells that see a cell: those that share a house with it.
    pub fn peers(&self, cell: Cell) -> &Cells {
        &self.peers[cell.index()]
    }
    /// Whether two cells share a house (a cell does not see itself).
    pub fn sees(&self, a: Cell, b: Cell) -> bool {
        self.peers[a.index()].contains(b)
    }
    /// Row of a cell, from 0.
    pub fn row_index(&self, cell: Cell) -> usize {
        cell.index() / self.size
    }
    /// Column of a cell, from 0.
    pub fn column_index(&self, cell: Cell) -> usize {
        cell.index() % self.size
    }
    /// The row of a cell.
    pub fn row(&self, cell: Cell) -> House {
        House::at(self.row_index(cell))
    }
    /// The column of a cell.
    pub fn column(&self, cell: Cell) -> House {
        House::at(self.size + self.column_index(cell))
    }
    /// The box of a cell.
    pub fn box_of(&self, cell: Cell) -> House {
        let (r, c) = (self.row_index(cell), self.column_index(cell));
        House::at(2 * self.size + r / self.box_height * self.box_height + c / self.box_width)
    }
    /// The cell at a row and a column, both from 0.
    pub fn cell_at(&self, row: usize, column: usize) -> Cell {
        Cell::at(row * self.size + column)
    }
    /// Whether four cells are the corners of a rectangle in two boxes: the second and the third on
    /// lines with the first, the last across from it.
    pub fn is_rectangle(&self, corners: [Cell; 4]) -> bool {
        let [a, b, c, _] = corners;
        let beside = |other: Cell| self.box_of(other) == self.box_of(a);
        self.may_be_rectangle(corners.map(Some)) && beside(b) != beside(c)
    }

    /// Whether the corners known so far can still be those of a rectangle.
    pub fn may_be_rectangle(&self, [a, b, c, across]: [Option<Cell>; 4]) -> bool {
        let place = |cell: Cell| (self.row_index(cell), self.column_index(cell));
        let both = |a: Option<Cell>, b: Option<Cell>| Some((place(a?), place(b?)));
        let on_a_line = |a, b| both(a, b).is_none_or(|((r, c), (s, d))| (r == s) != (c == d));
        let apart = |a, b| both(a, b).is_none_or(|((r, c), (s, d))| r != s && c != d);
        let lines = [(a, b), (a, c), (b, across), (c, across)];
        lines.into_iter().all(|(a, b)| on_a_line(a, b)) && apart(a, across) && apart(b, c)
    }

    /// The rectangles in two boxes with their first corner at this cell.
    pub fn rectangles_at(&self, a: Cell) -> impl Iterator<Item = [Cell; 4]> {
        let (row, column) = (self.row_index(a), self.column_index(a));
        let places = (0..self.size()).flat_map(|r| (0..self.size()).map(move |c| (r, c)));
        places
            .filter(move |&(r, c)| r != row && c != column)
            .flat_map(move |(r, c)| {
                let (along, down) = (self.cell_at(row, c), self.cell_at(r, column));
                let across = self.cell_at(r, c);
                [[a, along, down, across], [a, down, along, across]]
            })
            .filter(|corners| self.is_rectangle(*corners))
    }

    /// A cell as people write it: `r2c4`.
    pub fn cell_name(&self, cell: Cell) -> String {
        format!("r{}c{}", self.row_index(cell) + 1, self.column_index(cell) + 1)
    }
    /// The cell that people write so, if there is one.
    pub fn cell_named(&self, name: &str) -> Option<Cell> {
        let (row, column) = name.strip_prefix(['r', 'R'])?.split_once(['c', 'C'])?;
        let number = |text: &str| -> Option<usize> {
            let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            let number: usize = if plain { text.parse().ok()? } else { return None };
            (1..=self.size).contains(&number).then(|| number - 1)
        };
        Some(self.cell_at(number(row)?, number(column)?))
    }
    /// A house as people say it: `row 3`.
    pub fn house_name(&self, house: House) -> String {
        format!("{} {}", self.kind(house), self.number(house))
    }
    /// The digits in order.
    pub fn digits(&self) -> impl Iterator<Item = Digit> + use<> {
        (0..self.size).map(Digit::at)
    }
}

impl fmt::Debug for Layout {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{0}×{0} ({1}×{2} boxes)", self.size, self.box_height, self.box_width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_classic_size_has_its_houses_and_peers() {
        for size in SIZES {
            let layout = Layout::classic(size).expect("a classic size");
            assert_eq!(layout.house_count(), 3 * size);
            let others = (layout.box_height() - 1) * (layout.box_width() - 1);
            for cell in layout.all_cells() {
                assert_eq!(layout.houses_of(cell).len(), 3);
                assert_eq!(layout.peers(cell).len(), 2 * (size - 1) + others);
                for house in [layout.row(cell), layout.column(cell), layout.box_of(cell)] {
                    assert!(layout.cells(house).contains(cell));
                }
                assert_eq!(layout.cell_named(&layout.cell_name(cell)), Some(cell));
            }
        }
        assert!(Layout::classic(10).is_none());
    }

    #[test]
    fn further_houses_make_further_peers() {
        let diagonal = (0..9).map(|i| Cell::at(10 * i)).collect();
        let layout = Layout::boxed(3, 3, &[diagonal]);
        assert!(layout.sees(Cell::at(0), Cell::at(80)));
        assert_eq!(layout.house_name(House::at(27)), "extra house 1");
        assert!(!layout.is_classic_nine());
    }
}
