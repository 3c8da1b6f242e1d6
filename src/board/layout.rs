//! Layouts: which cells make a house. Houses are data, so any set of them will do.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::graph::ConstraintGraph;
use super::grid::Candidate;
use super::parts::{Named, Parts, boxes, excluded, rectangles};
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

/// The most houses that a layout may have.
pub const MOST_HOUSES: usize = 128;

/// The cells, digits and houses of a kind of puzzle, what else its cells owe each other, and what
/// follows from that.
///
/// A *house* has one cell a digit, so every digit is in it. What is smaller is a *group*: it takes
/// part in what cells see, and in nothing else.
///
/// ```
/// use dokulog::board::Layout;
///
/// let six = Layout::classic(6).expect("there are 6×6 puzzles");
/// let cell = six.cell_named("r2c4").expect("a cell of it");
/// assert_eq!(six.house_name(six.box_of(cell).expect("it has boxes")), "box 2");
/// assert_eq!(six.peers(cell).len(), 5 + 5 + 2);
/// ```
pub struct Layout {
    parts: Parts,
    /// Height and width of the boxes, where they are rectangles side by side.
    shape: Option<(usize, usize)>,
    box_of: Vec<Option<House>>,
    /// The houses, and after them the groups.
    houses: Vec<(HouseKind, usize, Vec<Cell>)>,
    /// How many of these are houses.
    full: usize,
    cells_of: Vec<Cells>,
    houses_of: Vec<Houses>,
    peers: Vec<Cells>,
    /// By cell and digit: what it excludes beside the same digit in the peers. Empty if nothing
    /// does.
    excluded: Vec<Vec<(Digit, Cells)>>,
    /// Where each digit may be at all.
    open: Vec<Cells>,
    is_classic_nine: bool,
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

    /// The layout that was asked for, if it has the size that was, or the classic one of that
    /// size, 9 unless it is said; or what is wrong with the wish.
    pub fn or_classic(
        asked: Option<Arc<Layout>>,
        size: Option<usize>,
    ) -> Result<Arc<Layout>, String> {
        match (asked, size) {
            (Some(layout), Some(size)) if layout.size() != size => {
                let own = layout.size();
                Err(format!("the layout has size {own}, and size {size} is asked for"))
            }
            (Some(layout), _) => Ok(layout),
            (None, size) => {
                let size = size.unwrap_or(9);
                let sizes = SIZES.map(|size| size.to_string()).join(", ");
                let none = || format!("there is no size {size}: take one of {sizes}");
                Layout::classic(size).ok_or_else(none)
            }
        }
    }

    /// Rows, columns and boxes of `height` × `width`, and further houses of as many cells.
    ///
    /// # Panics
    /// As [`Layout::new`].
    pub fn boxed(height: usize, width: usize, further: &[Vec<Cell>]) -> Layout {
        let named = |(i, cells): (usize, &Vec<Cell>)| Named {
            name: format!("extra house {}", i + 1),
            cells: cells.clone(),
        };
        let houses = further.iter().enumerate().map(named).collect();
        Layout::new(Parts { houses, ..Parts::boxed(height, width) })
    }

    /// The layout of these parts.
    ///
    /// # Panics
    /// If the size is more than 25, there are more than [`MOST_HOUSES`], or a house has not one
    /// cell a digit: whoever reads parts from a file looks first.
    pub fn new(parts: Parts) -> Layout {
        let size = parts.size;
        assert!((1..=25).contains(&size), "a layout has 1 to 25 digits");
        let cell = |r: usize, c: usize| Cell::at(r * size + c);
        let mut houses = Vec::new();
        for r in 0..size {
            houses.push((HouseKind::Row, r + 1, (0..size).map(|c| cell(r, c)).collect()));
        }
        for c in 0..size {
            houses.push((HouseKind::Column, c + 1, (0..size).map(|r| cell(r, c)).collect()));
        }
        for (b, cells) in parts.boxes.iter().enumerate() {
            houses.push((HouseKind::Box, b + 1, cells.clone()));
        }
        for (i, house) in parts.houses.iter().enumerate() {
            houses.push((HouseKind::Extra, i + 1, house.cells.clone()));
        }
        let is_full = |(_, _, cells): &(HouseKind, usize, Vec<Cell>)| cells.len() == size;
        assert!(houses.iter().all(is_full), "a house has one cell a digit");
        let full = houses.len();
        for (i, group) in parts.groups.iter().enumerate() {
            let number = parts.houses.len() + i + 1;
            houses.push((HouseKind::Extra, number, group.cells.clone()));
        }
        assert!(houses.len() <= MOST_HOUSES, "a layout has at most 128 houses and groups");
        let graph = ConstraintGraph::new(
            size * size,
            houses[..full].iter().map(|(_, _, cells)| &cells[..]),
            &parts,
        );
        let mut layout = Layout {
            shape: rectangles(&parts),
            box_of: boxes(&parts),
            cells_of: houses.iter().map(|(_, _, cells)| cells.iter().copied().collect()).collect(),
            houses_of: (0..size * size).map(|c| graph.houses_of(Cell::at(c))).collect(),
            peers: (0..size * size).map(|c| graph.peers_of(Cell::at(c))).collect(),
            houses,
            full,
            excluded: excluded(&parts),
            open: vec![Cells::first_n(size * size); size],
            is_classic_nine: false,
            parts,
        };
        for (cell, digits) in &layout.parts.only {
            for digit in Digits::first_n(size) - *digits {
                layout.open[digit.index()].remove(*cell);
            }
        }
        layout.is_classic_nine = layout.shape == Some((3, 3)) && layout.is_boxed();
        layout
    }

    /// Whether this is the plain 9 × 9 layout, for which there are faster planes.
    #[inline]
    pub fn is_classic_nine(&self) -> bool {
        self.is_classic_nine
    }
    /// Whether rows, columns and boxes are all that there is: then two digits may change places in
    /// some cells, if each house has both of them there or none.
    pub fn is_plain(&self) -> bool {
        let Parts { houses, groups, differ, .. } = &self.parts;
        houses.is_empty() && groups.is_empty() && differ.is_empty() && self.knows_no_digit()
    }
    /// Whether it is plain, and its boxes are rectangles side by side.
    pub fn is_boxed(&self) -> bool {
        self.shape.is_some() && self.is_plain()
    }
    /// Whether all digits are alike: nothing is excluded by value, and every cell may have each.
    pub fn knows_no_digit(&self) -> bool {
        self.parts.excluded.is_empty() && self.parts.only.is_empty()
    }
    /// Whether cells that see each other share a house, and nothing else is asked of them.
    pub fn is_of_houses(&self) -> bool {
        self.parts.groups.is_empty() && self.parts.differ.is_empty() && self.knows_no_digit()
    }
    /// What it was made of.
    pub fn parts(&self) -> &Parts {
        &self.parts
    }
    /// How it is asked for; nothing for a classic one.
    pub fn name(&self) -> &str {
        &self.parts.name
    }
    /// What a digit in a cell excludes beside the other digits there and itself in the peers.
    #[inline]
    pub fn excluded(&self, candidate: Candidate) -> &[(Digit, Cells)] {
        match self.excluded.is_empty() {
            true => &[],
            false => &self.excluded[candidate.cell.index() * self.size() + candidate.digit.index()],
        }
    }
    /// Whether two different digits exclude each other in two cells.
    pub fn excludes(&self, a: Candidate, b: Candidate) -> bool {
        self.excluded(a).iter().any(|(d, cells)| *d == b.digit && cells.contains(b.cell))
    }
    /// Where each digit may be at all.
    pub fn open(&self) -> &[Cells] {
        &self.open
    }

    /// How many digits there are, and rows, and columns.
    #[inline]
    pub fn size(&self) -> usize {
        self.parts.size
    }
    /// How many rows a box has; all of them where boxes are no rectangles, or there are none.
    pub fn box_height(&self) -> usize {
        self.shape.map_or(self.size(), |shape| shape.0)
    }
    /// How many columns a box has; all of them where boxes are no rectangles, or there are none.
    pub fn box_width(&self) -> usize {
        self.shape.map_or(self.size(), |shape| shape.1)
    }
    /// Columns and rows of pencil marks in a cell: as in a box, where boxes are rectangles.
    pub fn marks(&self) -> (usize, usize) {
        let across = (1..).find(|side| side * side >= self.size()).unwrap_or(1);
        let down = self.size().div_ceil(across);
        self.shape.map_or((across, down), |(height, width)| (width, height))
    }
    /// Whether its boxes are no rectangles side by side.
    pub fn is_jigsaw(&self) -> bool {
        self.has_boxes() && self.shape.is_none()
    }
    /// Whether there are boxes: then every cell is in one.
    pub fn has_boxes(&self) -> bool {
        !self.parts.boxes.is_empty()
    }
    /// How many cells there are.
    pub fn cell_count(&self) -> usize {
        self.size() * self.size()
    }
    /// How many houses there are.
    pub fn house_count(&self) -> usize {
        self.full
    }
    /// All cells.
    pub fn all_cells(&self) -> Cells {
        Cells::first_n(self.cell_count())
    }
    /// All digits.
    pub fn all_digits(&self) -> Digits {
        Digits::first_n(self.size())
    }
    /// All houses.
    pub fn all_houses(&self) -> Houses {
        Houses::first_n(self.house_count())
    }
    /// All groups: numbered as houses are, after them.
    pub fn groups(&self) -> Houses {
        self.houses_and_groups() - self.all_houses()
    }
    /// All houses and groups.
    pub fn houses_and_groups(&self) -> Houses {
        Houses::first_n(self.houses.len())
    }
    /// The houses of one kind.
    pub fn houses_of_kind(&self, kind: HouseKind) -> Houses {
        (0..self.full).filter(|&h| self.houses[h].0 == kind).map(House::at).collect()
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
    /// The cells that see a cell: those that must differ from it, for whatever reason.
    pub fn peers(&self, cell: Cell) -> &Cells {
        &self.peers[cell.index()]
    }
    /// Whether two cells must differ (a cell does not see itself).
    pub fn sees(&self, a: Cell, b: Cell) -> bool {
        self.peers[a.index()].contains(b)
    }
    /// Row of a cell, from 0.
    pub fn row_index(&self, cell: Cell) -> usize {
        cell.index() / self.size()
    }
    /// Column of a cell, from 0.
    pub fn column_index(&self, cell: Cell) -> usize {
        cell.index() % self.size()
    }
    /// The row of a cell.
    pub fn row(&self, cell: Cell) -> House {
        House::at(self.row_index(cell))
    }
    /// The column of a cell.
    pub fn column(&self, cell: Cell) -> House {
        House::at(self.size() + self.column_index(cell))
    }
    /// The box of a cell, where there are boxes.
    pub fn box_of(&self, cell: Cell) -> Option<House> {
        self.box_of[cell.index()]
    }
    /// The cell at a row and a column, both from 0.
    pub fn cell_at(&self, row: usize, column: usize) -> Cell {
        Cell::at(row * self.size() + column)
    }
    /// Whether four cells are the corners of a rectangle in two boxes: the second and the third on
    /// lines with the first, the last across from it.
    pub fn is_rectangle(&self, corners: [Cell; 4]) -> bool {
        let [a, b, c, across] = corners.map(|cell| self.box_of(cell));
        self.has_boxes()
            && self.may_be_rectangle(corners.map(Some))
            && ((a == b && c == across && a != c) || (a == c && b == across && a != b))
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
            (1..=self.size()).contains(&number).then(|| number - 1)
        };
        Some(self.cell_at(number(row)?, number(column)?))
    }
    /// A house as people say it: `row 3`.
    pub fn house_name(&self, house: House) -> String {
        match self.own_name(house) {
            Some(name) => name.to_string(),
            None => format!("{} {}", self.kind(house), self.number(house)),
        }
    }
    /// What the layout calls a group, or a house that is no row, column or box.
    pub fn own_name(&self, house: House) -> Option<&str> {
        match self.kind(house) {
            HouseKind::Extra => {
                let mut named = self.parts.houses.iter().chain(&self.parts.groups);
                named.nth(self.number(house) - 1).map(|named| &named.name[..])
            }
            _ => None,
        }
    }
    /// The digits in order.
    pub fn digits(&self) -> impl Iterator<Item = Digit> + use<> {
        (0..self.size()).map(Digit::at)
    }
}

impl fmt::Debug for Layout {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{0}×{0} {1}", self.size(), self.name())?;
        match self.shape {
            Some((height, width)) => write!(f, "({height}×{width} boxes)"),
            None => Ok(()),
        }
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
                let own_box = layout.box_of(cell).expect("every cell has a box");
                for house in [layout.row(cell), layout.column(cell), own_box] {
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
