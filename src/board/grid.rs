//! The state of a puzzle: which candidates are still possible, and which cells are placed.

use std::fmt;
use std::sync::Arc;

use super::layout::Layout;
use super::sets::{Cell, Cells, Digit, Digits, House};

/// A digit in a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Candidate {
    /// The cell.
    pub cell: Cell,
    /// The digit.
    pub digit: Digit,
}

/// Candidates as one plane of cells a digit. Candidates only ever vanish.
///
/// A placed or given cell keeps its digit as its one candidate. A cell with one candidate left
/// is not placed until something places it.
///
/// ```
/// use dokulog::board::{Candidate, Grid, Layout};
///
/// let four = Layout::classic(4).expect("there are 4×4 puzzles");
/// let mut grid = Grid::empty(four.clone());
/// let (cell, digit) = (four.cell_at(0, 0), four.digits().next().expect("four digits"));
/// grid.place(Candidate { cell, digit });
/// assert_eq!(grid.digit_at(cell), Some(digit));
/// assert_eq!(grid.spots(digit, four.row(cell)).len(), 1);
/// assert_eq!(grid.candidates(four.cell_at(0, 1)).len(), 3);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Grid {
    layout: Arc<Layout>,
    planes: Vec<Cells>,
    placed: Cells,
    given: Cells,
}

/// A digit that cannot be where it is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clash {
    /// The digit that comes too late.
    pub candidate: Candidate,
    /// What is against it.
    pub cause: Cause,
}

/// What is against a digit in a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The cell has the digit already; both are in the house.
    House(Cell, House),
    /// The cell has the digit already, and the two cells must differ.
    Differ(Cell),
    /// The cell has a digit that excludes this one.
    Excluded(Candidate),
    /// The cell may not have this digit at all.
    Only,
}

impl Clash {
    /// The cell that is against it: its own where the layout is.
    pub fn earlier(&self) -> Cell {
        match self.cause {
            Cause::House(cell, _) | Cause::Differ(cell) => cell,
            Cause::Excluded(other) => other.cell,
            Cause::Only => self.candidate.cell,
        }
    }

    /// In words, `sign` being the digit as it was written.
    pub fn in_words(&self, layout: &Layout, sign: &str) -> String {
        let name = |cell| layout.cell_name(cell);
        let here = name(self.candidate.cell);
        match self.cause {
            Cause::House(earlier, house) => {
                format!("{sign} is already in {} ({})", layout.house_name(house), name(earlier))
            }
            Cause::Differ(earlier) => {
                format!("{sign} is already in {}, and {here} must differ from it", name(earlier))
            }
            Cause::Excluded(Candidate { cell, digit }) => {
                format!("{sign} cannot be in {here} beside {digit} in {}", name(cell))
            }
            Cause::Only => format!("{here} cannot be {sign} on this layout"),
        }
    }
}

/// Why no solution is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hole {
    /// A cell without candidates.
    Cell(Cell),
    /// A house without a spot for a digit.
    House(House, Digit),
}

impl Grid {
    /// Nothing placed, everything possible.
    pub fn empty(layout: Arc<Layout>) -> Grid {
        let planes = layout.open().to_vec();
        Grid { layout, planes, placed: Cells::EMPTY, given: Cells::EMPTY }
    }

    /// The grid with these givens (0 is blank), one number a cell.
    pub fn from_givens(layout: Arc<Layout>, digits: &[u8]) -> Result<Grid, Clash> {
        debug_assert_eq!(digits.len(), layout.cell_count());
        let mut grid = Grid::empty(layout);
        for (i, &number) in digits.iter().enumerate() {
            if number > 0 {
                grid.give(Candidate { cell: Cell::at(i), digit: Digit::new(number as usize) })?;
            }
        }
        Ok(grid)
    }

    /// Places a given, unless what is placed already is against it.
    pub fn give(&mut self, candidate: Candidate) -> Result<(), Clash> {
        if let Some(cause) = self.against(candidate) {
            return Err(Clash { candidate, cause });
        }
        let cell = candidate.cell;
        self.place(candidate);
        self.given.insert(cell);
        Ok(())
    }

    /// What is against a digit in a cell: of what is placed, or of the layout itself.
    pub fn against(&self, candidate: Candidate) -> Option<Cause> {
        let Candidate { cell, digit } = candidate;
        let layout = &self.layout;
        let rivals = *layout.peers(cell) & self.placed & self.planes[digit.index()];
        if let Some(earlier) = rivals.first() {
            let both = layout.houses_of(cell) & layout.houses_of(earlier);
            return Some(both.first().map_or(Cause::Differ(earlier), |h| Cause::House(earlier, h)));
        }
        for &(other, cells) in layout.excluded(candidate) {
            let rivals = cells & self.placed & self.planes[other.index()];
            if let Some(cell) = rivals.first() {
                return Some(Cause::Excluded(Candidate { cell, digit: other }));
            }
        }
        (!layout.open()[digit.index()].contains(cell)).then_some(Cause::Only)
    }

    /// The state with exactly these candidates, placed cells and givens.
    ///
    /// For readers of pencil marks: nothing is concluded here.
    pub fn from_parts(
        layout: Arc<Layout>,
        planes: Vec<Cells>,
        placed: Cells,
        given: Cells,
    ) -> Grid {
        debug_assert_eq!(planes.len(), layout.size());
        Grid { layout, planes, placed, given }
    }

    /// Places a digit: its cell's other candidates go, the digit goes from the cell's peers, and
    /// what it excludes goes too.
    pub fn place(&mut self, Candidate { cell, digit }: Candidate) {
        for plane in &mut self.planes {
            plane.remove(cell);
        }
        for &(other, cells) in self.layout.excluded(Candidate { cell, digit }) {
            self.planes[other.index()] -= cells;
        }
        let plane = &mut self.planes[digit.index()];
        *plane -= *self.layout.peers(cell);
        plane.insert(cell);
        self.placed.insert(cell);
    }

    /// Takes one candidate away; whether it was there.
    pub fn eliminate(&mut self, Candidate { cell, digit }: Candidate) -> bool {
        let was = self.planes[digit.index()].contains(cell);
        self.planes[digit.index()].remove(cell);
        was
    }

    /// Takes cells away from each digit and makes cells placed; whether anything changed.
    pub fn change(&mut self, gone: &[Cells], placed: Cells) -> bool {
        let mut changed = !placed.within(&self.placed);
        for (plane, gone) in self.planes.iter_mut().zip(gone) {
            changed |= plane.meets(gone);
            *plane -= *gone;
        }
        self.placed |= placed;
        changed
    }

    /// Places a digit that follows; whether anything changed. Candidates only ever vanish: where
    /// the digit is impossible, the cell is left without any.
    pub fn conclude_place(&mut self, place: Candidate) -> bool {
        let cell = place.cell;
        if self.is_possible(place) {
            let is_new = !self.placed.contains(cell);
            if is_new {
                self.place(place);
            }
            return is_new;
        }
        let had = !self.candidates(cell).is_empty();
        for plane in &mut self.planes {
            plane.remove(cell);
        }
        had
    }

    /// The layout.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }
    /// The cells where each digit is possible.
    pub fn planes(&self) -> &[Cells] {
        &self.planes
    }
    /// The cells where a digit is possible.
    pub fn plane(&self, digit: Digit) -> Cells {
        self.planes[digit.index()]
    }
    /// The cells placed, givens included.
    pub fn placed(&self) -> Cells {
        self.placed
    }
    /// The cells given.
    pub fn given(&self) -> Cells {
        self.given
    }
    /// The cells not placed.
    pub fn unsolved(&self) -> Cells {
        self.layout.all_cells() - self.placed
    }
    /// The digits possible in a cell.
    pub fn candidates(&self, cell: Cell) -> Digits {
        self.layout.digits().filter(|d| self.planes[d.index()].contains(cell)).collect()
    }
    /// Whether a candidate is still possible.
    pub fn is_possible(&self, Candidate { cell, digit }: Candidate) -> bool {
        self.planes[digit.index()].contains(cell)
    }
    /// The cells of a house where a digit is possible.
    pub fn spots(&self, digit: Digit, house: House) -> Cells {
        self.planes[digit.index()] & self.layout.cells(house)
    }
    /// The digit placed in a cell.
    pub fn digit_at(&self, cell: Cell) -> Option<Digit> {
        if self.placed.contains(cell) {
            self.layout.digits().find(|d| self.planes[d.index()].contains(cell))
        } else {
            None
        }
    }
    /// The placed digits as numbers, 0 where none is placed.
    pub fn digits(&self) -> Vec<u8> {
        let mut digits = vec![0; self.layout.cell_count()];
        for digit in self.layout.digits() {
            for cell in self.planes[digit.index()] & self.placed {
                digits[cell.index()] = digit.number() as u8;
            }
        }
        digits
    }
    /// Whether every cell is placed.
    pub fn is_solved(&self) -> bool {
        self.placed == self.layout.all_cells()
    }
    /// The first cell without a candidate, else the first house without a spot for a digit.
    pub fn hole(&self) -> Option<Hole> {
        let some = self.planes.iter().fold(Cells::EMPTY, |all, plane| all | *plane);
        if let Some(cell) = (self.layout.all_cells() - some).first() {
            return Some(Hole::Cell(cell));
        }
        for house in self.layout.all_houses() {
            for digit in self.layout.digits() {
                if !self.planes[digit.index()].meets(&self.layout.cells(house)) {
                    return Some(Hole::House(house, digit));
                }
            }
        }
        None
    }
    /// How many candidates are possible in all.
    pub fn candidate_count(&self) -> usize {
        self.planes.iter().map(|plane| plane.len()).sum()
    }
}

/// Placed digits row by row, `.` for the others.
impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for row in self.digits().chunks(self.layout.size()) {
            for &number in row {
                let sign = std::char::from_digit(number as u32, 36).filter(|&c| c != '0');
                write!(f, "{}", sign.unwrap_or('.'))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nine() -> Arc<Layout> {
        Layout::classic(9).expect("9 is a classic size")
    }

    #[test]
    fn placing_takes_the_digit_from_the_peers() {
        let mut grid = Grid::empty(nine());
        let candidate = Candidate { cell: Cell::at(40), digit: Digit::new(5) };
        grid.place(candidate);
        assert_eq!(grid.candidate_count(), 729 - 8 - 20);
        assert_eq!(grid.digit_at(Cell::at(40)), Some(Digit::new(5)));
        assert_eq!(grid.hole(), None);
    }

    #[test]
    fn equal_givens_in_a_house_clash() {
        let mut digits = [0; 81];
        (digits[27], digits[29]) = (5, 5);
        let clash = Grid::from_givens(nine(), &digits).expect_err("5 twice in row 4");
        assert_eq!(clash.cause, Cause::House(Cell::at(27), House::at(3)));
    }
}
