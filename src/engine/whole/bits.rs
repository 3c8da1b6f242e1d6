//! The board as bit sets, for any houses.

use std::ops::{BitAnd, BitOr, Sub};
use std::sync::Arc;

use crate::board::{Candidate, Cell, Cells, Digit, HouseKind, Houses, Layout};
use crate::engine::shape::{Hall, Incidence, KINDS, Kinds, Pair};

use super::{Board, Line, Whole};

/// The cells of each digit.
#[derive(Clone, Copy, PartialEq)]
pub struct Planes([Cells; 25]);

macro_rules! operator {
    ($trait:ident $method:ident, $assign:tt) => {
        impl $trait for Planes {
            type Output = Planes;
            fn $method(mut self, other: Planes) -> Planes {
                for (mine, its) in self.0.iter_mut().zip(&other.0) {
                    *mine $assign *its;
                }
                self
            }
        }
    };
}
operator!(BitAnd bitand, &=);
operator!(BitOr bitor, |=);
operator!(Sub sub, -=);

impl Planes {
    /// No candidates.
    pub const EMPTY: Planes = Planes([Cells::EMPTY; 25]);

    /// These cells for each digit.
    pub fn new(planes: &[Cells]) -> Planes {
        let mut all = Planes::EMPTY;
        all.0[..planes.len()].copy_from_slice(planes);
        all
    }

    /// The cells of each digit.
    pub fn cells(&self) -> &[Cells; 25] {
        &self.0
    }
}

/// The board: its houses by kind, and the house of each kind that a cell is in.
pub struct Bits {
    layout: Arc<Layout>,
    by_kind: [Vec<Cells>; 4],
    /// Row, column, box of each cell.
    at: [Vec<Cells>; 3],
}

impl Bits {
    /// The board of a layout.
    pub fn new(layout: &Arc<Layout>) -> Bits {
        let cells = |houses: Houses| houses.iter().map(|house| layout.cells(house)).collect();
        let at = |kind| {
            let houses = layout.houses_of_kind(kind);
            let house = |cell| (layout.houses_of(cell) & houses).first();
            let all = layout.all_cells().into_iter();
            all.map(|cell| house(cell).map_or(Cells::EMPTY, |h| layout.cells(h))).collect()
        };
        Bits {
            layout: layout.clone(),
            by_kind: KINDS.map(|kind| cells(layout.houses_of_kind(kind))),
            at: [HouseKind::Row, HouseKind::Column, HouseKind::Box].map(at),
        }
    }

    /// Each digit by itself.
    fn each(&self, set: Planes, of: impl Fn(Cells) -> Cells) -> Planes {
        let mut planes = Planes::EMPTY;
        for (plane, &cells) in planes.0.iter_mut().zip(&set.0).take(self.layout.size()) {
            *plane = of(cells);
        }
        planes
    }

    /// The cells with at least one candidate, and with at least two.
    fn counts(&self, set: Planes) -> (Cells, Cells) {
        let (mut one, mut two) = (Cells::EMPTY, Cells::EMPTY);
        for &plane in &set.0[..self.layout.size()] {
            two |= one & plane;
            one |= plane;
        }
        (one, two)
    }

    fn everywhere(&self, cells: Cells) -> Planes {
        self.each(Planes::EMPTY, |_| cells)
    }

    /// What these exclude by value.
    fn excluded(&self, set: Planes) -> Planes {
        let mut gone = Planes::EMPTY;
        for digit in self.layout.digits() {
            for cell in set.0[digit.index()] {
                for &(other, cells) in self.layout.excluded(Candidate { cell, digit }) {
                    gone.0[other.index()] |= cells;
                }
            }
        }
        gone
    }

    /// The segment of a cell.
    fn segment(&self, cell: Cell, line: Line) -> Cells {
        self.at[line as usize][cell.index()] & self.at[HouseKind::Box as usize][cell.index()]
    }

    /// The boxes, or the lines.
    fn wholes(&self, of: Whole, line: Line) -> &[Cells] {
        match of {
            Whole::Box => &self.by_kind[HouseKind::Box as usize],
            Whole::Line => &self.by_kind[line as usize],
        }
    }
}

impl Board for Bits {
    type Set = Planes;
    /// A segment is all its cells.
    type Segments = Planes;
    type AtRest = Planes;
    type ByCell = Vec<u32>;
    type Memo = ();

    fn layout(&self) -> &Layout {
        &self.layout
    }
    fn load(&self, planes: &Planes) -> Planes {
        *planes
    }
    fn store(&self, set: Planes) -> Planes {
        set
    }
    fn none(&self) -> Planes {
        Planes::EMPTY
    }
    fn all(&self) -> Planes {
        self.everywhere(self.layout.all_cells())
    }
    fn is_empty(&self, set: Planes) -> bool {
        set.0.iter().all(Cells::is_empty)
    }

    fn same_cell(&self, set: Planes) -> Planes {
        self.everywhere(self.counts(set).0)
    }
    fn same_house(&self, set: Planes) -> Planes {
        let peers = |cell| *self.layout.peers(cell);
        let same = self.each(set, |plane| plane.iter().fold(plane, |all, cell| all | peers(cell)));
        if self.layout.knows_no_digit() { same } else { same | self.excluded(set) }
    }
    fn alone_in_cell(&self, set: Planes) -> Planes {
        let (one, two) = self.counts(set);
        set & self.everywhere(one - two)
    }
    fn alone_in_house(&self, set: Planes, kinds: Kinds) -> Planes {
        let houses = || self.by_kind.iter().zip(kinds).filter(|(_, asked)| *asked);
        self.each(set, |plane| {
            let spots = houses().flat_map(|(houses, _)| houses).map(|house| plane & *house);
            spots.filter_map(|spots| spots.single()).collect()
        })
    }
    fn crowded(&self, set: Planes) -> Planes {
        let (_, two) = self.counts(set);
        self.each(set, |plane| {
            let sees_another = |cell: &Cell| self.layout.peers(*cell).meets(&plane);
            (plane & two) | plane.iter().filter(sees_another).collect()
        }) | match self.layout.knows_no_digit() {
            true => Planes::EMPTY,
            false => set & self.excluded(set),
        }
    }
    fn is_everywhere(&self, set: Planes) -> bool {
        let houses = || self.by_kind.iter().flatten();
        self.counts(set).0 == self.layout.all_cells()
            && set.0[..self.layout.size()]
                .iter()
                .all(|plane| houses().all(|house| house.meets(plane)))
    }
    fn by_pairs(&self, set: Planes, pairs: &[Pair]) -> Planes {
        self.each(set, |plane| {
            let apply = pairs.iter().filter(|pair| !plane.meets(&pair.empty));
            apply.fold(Cells::EMPTY, |all, pair| all | (plane & pair.then))
        })
    }

    fn segments(&self, set: Planes, line: Line) -> Planes {
        self.each(set, |mut rest| {
            let mut segments = Cells::EMPTY;
            while let Some(cell) = rest.first() {
                segments |= self.segment(cell, line);
                rest -= segments;
            }
            segments
        })
    }
    fn only(&self, segments: Planes, of: Whole, line: Line) -> Planes {
        self.each(segments, |plane| {
            let here = self.wholes(of, line).iter().map(|whole| plane & *whole);
            let is_one = |here: &Cells| {
                here.first().is_some_and(|cell| here.within(&self.segment(cell, line)))
            };
            here.filter(is_one).fold(Cells::EMPTY, |all, here| all | here)
        })
    }
    fn beside(&self, segments: Planes, of: Whole, line: Line) -> Planes {
        self.each(segments, |plane| {
            let mut beside = Cells::EMPTY;
            for whole in self.wholes(of, line) {
                let here = plane & *whole;
                if let Some(cell) = here.first() {
                    let first = self.segment(cell, line);
                    beside |= if here.within(&first) { *whole - first } else { *whole };
                }
            }
            beside
        })
    }
    fn fill(&self, segments: Planes, _: Line) -> Planes {
        segments
    }

    fn suspects(&self, (): &mut (), _: Planes, _: Planes, hall: &Hall) -> Houses {
        match hall.incidence {
            Incidence::Cells(houses) | Incidence::Digits(houses) => houses,
            Incidence::Lines { .. } => Houses::first_n(self.layout.size()),
        }
    }
    fn by_cell(&self, set: Planes) -> Vec<u32> {
        let mut digits = vec![0; self.layout.cell_count()];
        for (digit, plane) in set.0.iter().enumerate() {
            plane.iter().for_each(|cell| digits[cell.index()] |= 1 << digit);
        }
        digits
    }
    fn digits(&self, cells: &Vec<u32>, cell: Cell) -> u32 {
        cells[cell.index()]
    }
    fn rows(&self, planes: &Planes, digit: Digit) -> [u32; 25] {
        let mut rows = [0; 25];
        for cell in planes.0[digit.index()] {
            rows[self.layout.row_index(cell)] |= 1 << self.layout.column_index(cell);
        }
        rows
    }
    fn insert(&self, planes: &mut Planes, cell: Cell, digit: Digit) {
        planes.0[digit.index()].insert(cell);
    }
}
