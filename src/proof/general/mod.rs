//! Proofs about every layout at once: the layout is not known.
//!
//! Instead of the cells of a board there are a few cells without a place, instead of its houses a
//! few houses without cells. Whether a cell is in a house and whether two cells see each other are
//! propositions like any other. What is refuted so cannot be on any layout with as many digits.
//!
//! # Why that is so
//!
//! Let a clause go wrong on some layout: there are a grid, a state and a binding under which its
//! body holds and its head is false. Of that situation a part is kept: the cells and houses that
//! the binding names, all rows, columns and boxes, and, for each house that is named and each digit
//! in question, the cell where the grid has the digit there. Then some question has a model:
//!
//! 1. *There is room.* Every cell that is named has a number below [`Room::named`], every cell that
//!    is kept besides has a slot of its digit; slots that are not needed are cells that are not
//!    [`there`](crate::meaning::Truth::there), in no house and in no set, and so with houses. A walk
//!    that names more cells than there is room for counts as unknown. (`no_room_is_said`.)
//! 2. *Clauses hold.* `board` says only: a cell has one digit, candidates contain it, cells that
//!    share a house see each other, cells that see each other differ, a cell is on one row and one
//!    column and in one box at most, a row and a column have one cell in common, a house has each digit at a cell named or at a slot up to its
//!    own. Houses are filled in their order, so the slot of a house is needed only where those
//!    before it have their digit elsewhere. Nothing is said of how many cells a house has.
//! 3. *Conditions hold of the part if they hold of the whole.* `rewrite` sees to that: sets are
//!    taken as the part of them that is kept, and a condition that could be true of the whole and
//!    false of the part is weakened or left out. What a function gives that looks at cells which are
//!    not kept (`common_peers` of a set, `candidates`, `missing`, `touching`) is any set within the
//!    bounds that are known. (`nothing_unsound_holds_everywhere`,
//!    `verdicts_are_those_of_the_layout`, `written_rules`.)
//!    Of each set of cells of which a helper says what it has, the cells that have it are kept; what
//!    is said of a set for each member of a generator is left out, as these would be many sets.
//!    (`sets_of_a_forall_have_members_of_their_own`.)
//! 4. *Every binding is walked through*: a new cell is one that was named before, or the next;
//!    digits and houses of a kind alike, as no word of the language tells them apart here. A clause
//!    that names cells has no such proof, nor one in which a condition that is kept knows their
//!    order. (`template_upside_down`: the conditions that know it there are left out.) Where rows,
//!    columns and boxes are taken for any houses, a set that something is in may be larger for it,
//!    and what else tells them apart is left out; if it cannot be, there is no proof.
//!    (`franken_wide`.)
//! 5. *Meanings and lemmas of helpers* are found in the same way, so they hold on every layout.

mod board;
mod exact;
mod rewrite;
mod room;
mod witness;

use std::sync::Arc;

use crate::board::{Cell, Cells, Digit, House, HouseKind, Houses, Layout, Named, Parts};

pub(crate) use board::Board;
pub(crate) use rewrite::generalised;
pub(crate) use room::knows_kinds;
pub(crate) use witness::{Named as WithNames, witnessed};

/// Houses besides rows, columns and boxes that may be named, and groups.
const MOST_EXTRAS: usize = 12;
const MOST_GROUPS: usize = 3;
/// Houses of a set that count as named by it: a base and a cover share the names that there are.
const MOST_CHOSEN: usize = MOST_EXTRAS / 2;

/// How many cells and houses there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Room {
    /// Digits.
    pub size: usize,
    /// Cells that the binding may name, and one more.
    pub named: usize,
    /// Houses that it may name.
    pub houses: usize,
    /// Digits that it may name.
    pub digits: usize,
    /// Sets of cells that are not named, of which it is asked whether they have a digit.
    pub sets: usize,
    /// Whether rows, columns and boxes are told from other houses.
    pub kinds: bool,
    /// Whether lines that are not named matter: every cell is on one of each kind.
    pub lines: bool,
}

impl Room {
    /// Named cells, then a slot for each house and digit, then one for each set and digit.
    pub(super) fn cells(&self) -> usize {
        self.named + self.houses * self.digits + self.sets * self.size
    }

    /// The digit of a slot.
    fn digit_of(&self, cell: Cell) -> Option<Digit> {
        let slot = cell.index().checked_sub(self.named)?;
        let of_sets = self.houses * self.digits;
        Some(Digit::at(match slot.checked_sub(of_sets) {
            Some(slot) => slot % self.size,
            None => slot % self.digits,
        }))
    }

    /// The slot of a digit for the house with this number.
    fn slot(&self, house: usize, digit: Digit) -> Cell {
        Cell::at(self.named + house * self.digits + digit.index())
    }
}

/// A layout that has names for enough cells and houses: where they are means nothing.
pub(super) fn names(size: usize) -> Arc<Layout> {
    let row: Vec<Cell> = (0..size).map(Cell::at).collect();
    let further = |count: usize, cells: &[Cell]| -> Vec<Named> {
        (0..count).map(|_| Named { name: String::new(), cells: cells.to_vec() }).collect()
    };
    let houses = further(MOST_EXTRAS, &row);
    let groups = further(MOST_GROUPS, &row[1..]);
    Arc::new(Layout::new(Parts { houses, groups, ..Parts::boxed(1, size) }))
}

/// What a walk through bindings on a layout that is not known has named so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NamedSoFar {
    /// Cells: the first so many.
    pub cells: usize,
    /// Houses of each kind, and groups, as bits.
    houses: [u32; 5],
    room: Room,
}

impl NamedSoFar {
    /// Nothing.
    pub(super) fn nothing(room: Room) -> NamedSoFar {
        NamedSoFar { cells: 0, houses: [0; 5], room }
    }

    /// Houses of a set that count as named by it. All rows, or all columns, are no choice.
    pub(super) fn chosen_houses(&self) -> usize {
        if self.room.kinds { MOST_CHOSEN.min(self.room.size - 1) } else { MOST_CHOSEN }
    }

    /// Whether there is no room for another cell.
    pub(super) fn is_full(&self) -> bool {
        self.cells >= self.room.named
    }

    /// With this cell.
    pub(super) fn cell(mut self, cell: Cell) -> NamedSoFar {
        self.cells = self.cells.max(cell.index() + 1);
        self
    }

    /// With this house.
    pub(super) fn house(mut self, layout: &Layout, house: House) -> NamedSoFar {
        let is_group = layout.groups().contains(house);
        let kind = match layout.kind(house) {
            HouseKind::Row => 0,
            HouseKind::Column => 1,
            HouseKind::Box => 2,
            HouseKind::Extra if is_group => 4,
            HouseKind::Extra => 3,
        };
        let before =
            if is_group { layout.house_count() } else { [0, 1, 2, 3][kind] * self.room.size };
        self.houses[kind] |= 1 << (house.index() - before);
        self
    }

    /// The cells worth trying next.
    pub(super) fn cells_to_try(&self) -> Cells {
        Cells::first_n((self.cells + 1).min(self.room.named))
    }

    /// The houses worth trying next.
    pub(super) fn houses_to_try(&self) -> Houses {
        let size = self.room.size;
        let kinds: &[(usize, usize)] = match self.room.kinds {
            true => &[(0, size), (1, size), (2, size), (3, MOST_EXTRAS)],
            false => &[(3, MOST_EXTRAS)],
        };
        let first = |kind: usize| (!self.houses[kind]).trailing_zeros() as usize;
        let to_try = |&(kind, count): &(usize, usize)| {
            let all =
                (0..count).filter(move |&i| self.houses[kind] >> i & 1 == 1 || i == first(kind));
            all.map(move |i| House::at(kind * size + i))
        };
        kinds.iter().flat_map(to_try).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_room_is_said() {
        let room =
            Room { size: 9, named: 2, houses: 1, digits: 1, sets: 0, kinds: false, lines: false };
        let none = NamedSoFar::nothing(room);
        assert_eq!(none.cells_to_try().len(), 1);
        let one = none.cell(Cell::at(0));
        assert!(!one.is_full());
        assert_eq!(one.cells_to_try().len(), 2);
        assert!(one.cell(Cell::at(1)).is_full());
    }
}
