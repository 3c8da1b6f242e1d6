//! Bindings up to symmetry.
//!
//! Rows of a band, bands, columns of a stack, stacks and digits may be renamed without changing
//! what a rule means. So a new row need only be a row already used, the first unused row of each
//! used band, or the first row of the first unused band; columns, boxes and digits alike.

use crate::board::{Cell, Cells, Digit, Digits, House, HouseKind, Houses, Layout};
use crate::language::Term;

use super::flatten::Flat;
use super::general::{NamedSoFar, Room};

/// What the bindings so far have touched, and what may be renamed at all.
#[derive(Clone, Copy, Debug)]
pub(super) struct Used {
    rows: u32,
    columns: u32,
    bands: u32,
    stacks: u32,
    digits: u32,
    places_alike: bool,
    digits_alike: bool,
    /// Where the layout is not known.
    general: Option<NamedSoFar>,
}

impl Used {
    /// Nothing touched. Rows and columns can be renamed only where rows, columns and rectangular
    /// boxes are all there is, digits only where the layout knows none by name.
    pub(super) fn nothing(layout: &Layout, symmetry: bool) -> Used {
        let places_alike = symmetry && layout.is_boxed();
        Used {
            rows: 0,
            columns: 0,
            bands: 0,
            stacks: 0,
            digits: 0,
            places_alike,
            digits_alike: symmetry && layout.knows_no_digit(),
            general: None,
        }
    }

    /// The same on a layout that is not known, with this room.
    pub(super) fn general(mut self, room: Room) -> Used {
        self.general = Some(NamedSoFar::nothing(room));
        self
    }

    /// Whether the layout is not known.
    pub(super) fn is_general(&self) -> bool {
        self.general.is_some()
    }

    /// Houses of a set that count as named by it, where the layout is not known.
    pub(super) fn chosen_houses(&self) -> Option<usize> {
        self.general.map(|named| named.chosen_houses())
    }

    /// Whether there may be bindings with more cells than there is room for.
    pub(super) fn is_full(&self) -> bool {
        self.general.is_some_and(|named| named.is_full())
    }

    /// Whether anything may be renamed.
    pub(super) fn renames(&self) -> bool {
        self.places_alike || self.digits_alike || self.is_general()
    }

    /// Whether rows and columns may be renamed, and none was touched.
    pub(super) fn no_place(&self) -> bool {
        self.places_alike && self.rows | self.columns | self.bands | self.stacks == 0
    }

    /// With this cell.
    pub(super) fn cell(mut self, layout: &Layout, cell: Cell) -> Used {
        if let Some(named) = &mut self.general {
            *named = named.cell(cell);
            return self;
        }
        self.touch_row(layout, layout.row_index(cell));
        self.touch_column(layout, layout.column_index(cell));
        self
    }

    /// With this digit.
    pub(super) fn digit(mut self, digit: Digit) -> Used {
        self.digits |= 1 << digit.index();
        self
    }

    /// With this house.
    pub(super) fn house(mut self, layout: &Layout, house: House) -> Used {
        if let Some(named) = &mut self.general {
            *named = named.house(layout, house);
            return self;
        }
        let place = layout.number(house) - 1;
        match layout.kind(house) {
            HouseKind::Row => self.touch_row(layout, place),
            HouseKind::Column => self.touch_column(layout, place),
            HouseKind::Box => {
                self.bands |= 1 << (place / layout.box_height());
                self.stacks |= 1 << (place % layout.box_height());
            }
            HouseKind::Extra => {}
        }
        self
    }

    fn touch_row(&mut self, layout: &Layout, row: usize) {
        self.rows |= 1 << row;
        self.bands |= 1 << (row / layout.box_height());
    }

    fn touch_column(&mut self, layout: &Layout, column: usize) {
        self.columns |= 1 << column;
        self.stacks |= 1 << (column / layout.box_width());
    }

    /// The digits worth trying next.
    pub(super) fn digits_to_try(&self, layout: &Layout) -> Digits {
        if !self.digits_alike {
            return layout.all_digits();
        }
        firsts(self.digits, layout.size()).map(Digit::at).collect()
    }

    /// The cells worth trying next.
    pub(super) fn cells_to_try(&self, layout: &Layout) -> Cells {
        if let Some(named) = &self.general {
            return named.cells_to_try();
        }
        if !self.places_alike {
            return layout.all_cells();
        }
        let (rows, columns) = (self.rows_to_try(layout), self.columns_to_try(layout));
        let cell = |&r: &usize| columns.iter().map(move |&c| (r, c)).collect::<Vec<_>>();
        rows.iter().flat_map(cell).map(|(r, c)| layout.cell_at(r, c)).collect()
    }

    /// The houses worth trying next.
    pub(super) fn houses_to_try(&self, layout: &Layout) -> Houses {
        if let Some(named) = &self.general {
            return named.houses_to_try();
        }
        if !self.places_alike {
            return layout.all_houses();
        }
        let size = layout.size();
        let mut houses: Houses = self.rows_to_try(layout).into_iter().map(House::at).collect();
        for column in self.columns_to_try(layout) {
            houses.insert(House::at(size + column));
        }
        let across = layout.box_height();
        for band in firsts(self.bands, size / layout.box_height()) {
            for stack in firsts(self.stacks, size / layout.box_width()) {
                houses.insert(House::at(2 * size + band * across + stack));
            }
        }
        houses
    }

    fn rows_to_try(&self, layout: &Layout) -> Vec<usize> {
        lines(self.rows, self.bands, layout.size(), layout.box_height())
    }

    fn columns_to_try(&self, layout: &Layout) -> Vec<usize> {
        lines(self.columns, self.stacks, layout.size(), layout.box_width())
    }
}

/// The used ones and the first unused one.
fn firsts(used: u32, count: usize) -> impl Iterator<Item = usize> {
    let first_unused = (!used).trailing_zeros() as usize;
    (0..count).filter(move |&i| used >> i & 1 == 1 || i == first_unused)
}

/// The same for lines in groups: any used line, the first unused one of each used group, the
/// first of the first unused group.
fn lines(used: u32, groups: u32, count: usize, width: usize) -> Vec<usize> {
    let mut found = Vec::new();
    for group in firsts(groups, count / width) {
        let inside = used >> (group * width) & ((1 << width) - 1);
        found.extend(firsts(inside, width).map(|i| group * width + i));
    }
    found
}

/// What the constants of a clause touch; nothing if the layout does not have them.
pub(super) fn constants(flat: &Flat, layout: &Layout, symmetry: bool) -> Option<Used> {
    let size = layout.size();
    let touched = |used: Used, term: &Term| match term {
        Term::Cell { row, column } => {
            let (row, column) = (usize::from(*row), usize::from(*column));
            let here = row < size && column < size;
            here.then(|| used.cell(layout, layout.cell_at(row, column)))
        }
        Term::Digit(digit) => (digit.index() < size).then(|| used.digit(*digit)),
        _ => Some(used),
    };
    let used = flat.named.iter().try_fold(Used::nothing(layout, symmetry), touched)?;
    // A helper under `not` that names what is not there does not hold, and that is all.
    let inside = flat.named_inside.iter();
    Some(inside.fold(used, |used, term| touched(used, term).unwrap_or(used)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_cell_is_any_cell() {
        let layout = Layout::classic(9).expect("classic");
        let used = Used::nothing(&layout, true);
        assert_eq!(used.cells_to_try(&layout).len(), 1);
        assert_eq!(used.digits_to_try(&layout).len(), 1);
        assert_eq!(used.houses_to_try(&layout).len(), 3);
        let used = used.cell(&layout, Cell::at(0));
        // Same row, same band, another band; columns alike.
        assert_eq!(used.cells_to_try(&layout).len(), 9);
        assert_eq!(Used::nothing(&layout, false).cells_to_try(&layout).len(), 81);
    }

    /// Every pair of cells is the image of a pair that is tried.
    #[test]
    fn no_pair_is_forgotten() {
        let layout = Layout::classic(6).expect("classic");
        let relation = |a: Cell, b: Cell| {
            let (ra, ca) = (layout.row_index(a), layout.column_index(a));
            let (rb, cb) = (layout.row_index(b), layout.column_index(b));
            (ra == rb, ra / 2 == rb / 2, ca == cb, ca / 3 == cb / 3)
        };
        let first = Used::nothing(&layout, true).cells_to_try(&layout).first().expect("one");
        let used = Used::nothing(&layout, true).cell(&layout, first);
        let tried: Vec<_> =
            used.cells_to_try(&layout).iter().map(|second| relation(first, second)).collect();
        for a in layout.all_cells() {
            for b in layout.all_cells() {
                assert!(tried.contains(&relation(a, b)));
            }
        }
    }
}
