//! Terms compiled for a layout: what a set, a scalar or a number is, given the variables bound.

use std::cell::Cell;

use crate::language::Arithmetic;

use super::bits::{Bits, Width};
use super::table::Tables;
use super::view::{Few, Statics, View};

/// How many scalar variables, sets of cells, and sets of digits or houses a clause may have.
pub(super) const SLOTS: usize = 32;
pub(super) const REGISTERS: usize = 12;

/// The variables bound so far. A number has a place of its own beside each slot. A slot can be set
/// through a shared reference, so that `forall` can go through its set in the middle of a term.
#[derive(Clone)]
pub(super) struct Frame<W: Width> {
    pub slots: [Cell<u32>; SLOTS],
    pub numbers: [i64; SLOTS],
    pub cells: [W::Cells; REGISTERS],
    pub small: [W::Small; REGISTERS],
}

impl<W: Width> Frame<W> {
    pub fn new() -> Self {
        Frame {
            slots: [const { Cell::new(0) }; SLOTS],
            numbers: [0; SLOTS],
            cells: [W::Cells::EMPTY; REGISTERS],
            small: [W::Small::EMPTY; REGISTERS],
        }
    }
}

/// Everything an expression may look at.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a, W: Width> {
    pub statics: &'a Statics<W>,
    pub view: &'a View<W>,
    pub tables: &'a Tables<W>,
}

/// A cell, digit or house.
#[derive(Clone, PartialEq, Debug)]
#[repr(u8)]
pub(super) enum Scalar {
    Slot(u8),
    Constant(u16),
    Row(Box<Scalar>),
    Column(Box<Scalar>),
    Box(Box<Scalar>),
}

impl Scalar {
    #[inline(always)]
    pub fn value<W: Width>(&self, scene: Scene<W>, frame: &Frame<W>) -> usize {
        match self {
            Scalar::Slot(slot) => frame.slots[*slot as usize % SLOTS].get() as usize,
            other => other.computed(scene, frame),
        }
    }

    #[inline(never)]
    fn computed<W: Width>(&self, scene: Scene<W>, frame: &Frame<W>) -> usize {
        match self {
            Scalar::Slot(slot) => frame.slots[*slot as usize % SLOTS].get() as usize,
            Scalar::Constant(value) => *value as usize,
            Scalar::Row(cell) => scene.statics.row[cell.value(scene, frame)] as usize,
            Scalar::Column(cell) => scene.statics.column[cell.value(scene, frame)] as usize,
            Scalar::Box(cell) => scene.statics.box_of[cell.value(scene, frame)] as usize,
        }
    }
}

/// Where to look in an index of a table: which index, and the key as a sum of products.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Lookup {
    pub index: u16,
    /// The slots that the key is made of; unused ones have the stride zero.
    slots: [u8; 2],
    strides: [usize; 2],
    /// What no slot holds, and further slots.
    further: Vec<(Scalar, usize)>,
}

impl Lookup {
    pub fn new(index: u16, key: Vec<(Scalar, usize)>) -> Lookup {
        let mut lookup = Lookup { index, slots: [0; 2], strides: [0; 2], further: Vec::new() };
        let mut used = 0;
        for (scalar, stride) in key {
            match scalar {
                Scalar::Slot(slot) if used < 2 => {
                    (lookup.slots[used], lookup.strides[used]) = (slot, stride);
                    used += 1;
                }
                scalar => lookup.further.push((scalar, stride)),
            }
        }
        lookup
    }

    #[inline(always)]
    pub fn key<W: Width>(&self, scene: Scene<W>, frame: &Frame<W>) -> usize {
        let part =
            |i: usize| frame.slots[self.slots[i] as usize % SLOTS].get() as usize * self.strides[i];
        let key = part(0) + part(1);
        if self.further.is_empty() { key } else { key + self.rest_of_key(scene, frame) }
    }

    #[inline(never)]
    fn rest_of_key<W: Width>(&self, scene: Scene<W>, frame: &Frame<W>) -> usize {
        self.further.iter().map(|(scalar, stride)| scalar.value(scene, frame) * stride).sum()
    }
}

/// A set of cells.
#[derive(Clone, PartialEq, Debug)]
#[repr(u8)]
pub(super) enum CellsTerm {
    Register(u8),
    All,
    Unsolved,
    Given,
    Only(Scalar),
    /// The cells after this one.
    After(Scalar),
    /// The cells before this one.
    Before(Scalar),
    /// The cells of a house.
    House(Scalar),
    /// The cells where a digit is possible; those of a house.
    Plane(Scalar),
    Spots(Scalar, Scalar),
    Peers(Scalar),
    /// The cells with at most so many candidates.
    FewCandidates(u8),
    /// The cells with no candidate but these.
    CandidatesWithin(Box<SmallTerm>),
    Lookup(Lookup),
    /// The cells of some houses.
    Houses(Box<SmallTerm>),
    /// The cells where one of the digits is possible.
    Planes(Box<SmallTerm>),
    CommonPeers(Box<CellsTerm>),
    And(Box<CellsTerm>, Box<CellsTerm>),
    Or(Box<CellsTerm>, Box<CellsTerm>),
    Minus(Box<CellsTerm>, Box<CellsTerm>),
    /// What a variable must be if `left` is to be within `right` and so many variables, it among
    /// them.
    Rest {
        left: Box<CellsTerm>,
        right: Option<Box<CellsTerm>>,
        variables: u8,
    },
    /// The cells that are in `each` whatever member of `over` stands in the slot.
    Every {
        slot: u8,
        over: Box<Over>,
        each: Box<CellsTerm>,
    },
}

/// A set of digits or of houses.
#[derive(Clone, PartialEq, Debug)]
#[repr(u8)]
pub(super) enum SmallTerm {
    Register(u8),
    AllDigits,
    AllHouses,
    Rows,
    Columns,
    Boxes,
    Only(Scalar),
    Before(Scalar),
    /// The digits after this one; the houses.
    DigitsAfter(Scalar),
    HousesAfter(Scalar),
    /// The digits possible in a cell.
    Candidates(Scalar),
    /// The houses of a cell.
    HousesOf(Scalar),
    /// The digits not placed in a house.
    Missing(Scalar),
    /// The digits with few spots in a house.
    FewDigits(Few, Scalar),
    /// The houses with few spots for a digit.
    FewHouses(Few, Scalar),
    Lookup(Lookup),
    /// The digits possible in some of the cells.
    CandidatesOf(Box<CellsTerm>),
    /// Those of the houses that meet the cells.
    Touching(Box<SmallTerm>, Box<CellsTerm>),
    /// Those of the houses that meet the house.
    Meeting(Box<SmallTerm>, Scalar),
    /// The houses that hold all of the cells.
    Around(Box<CellsTerm>),
    And(Box<SmallTerm>, Box<SmallTerm>),
    Or(Box<SmallTerm>, Box<SmallTerm>),
    Minus(Box<SmallTerm>, Box<SmallTerm>),
    /// As [`CellsTerm::Rest`]; `everything` is its kind's full set.
    Rest {
        left: Box<SmallTerm>,
        right: Option<Box<SmallTerm>>,
        variables: u8,
        everything: Box<SmallTerm>,
    },
    /// As [`CellsTerm::Every`].
    Every {
        slot: u8,
        over: Box<Over>,
        each: Box<SmallTerm>,
        everything: Box<SmallTerm>,
    },
}

/// The set that a `forall` runs over.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Over {
    Cells(CellsTerm),
    Small(SmallTerm),
}

impl CellsTerm {
    /// The value, with the usual cases in line: for the innermost loops.
    #[inline(always)]
    pub fn quick<W: Width>(&self, scene: Scene<W>, frame: &Frame<W>) -> W::Cells {
        match self {
            CellsTerm::Unsolved => scene.view.unsolved,
            CellsTerm::Register(register) => frame.cells[*register as usize % REGISTERS],
            CellsTerm::House(house) => scene.statics.cells_of[house.value(scene, frame)],
            CellsTerm::Plane(digit) => scene.view.planes[digit.value(scene, frame)],
            CellsTerm::Peers(cell) => scene.statics.peers[cell.value(scene, frame)],
            CellsTerm::After(cell) => scene.statics.after[cell.value(scene, frame)],
            CellsTerm::Lookup(lookup) => scene.tables.cells(lookup.index, lookup.key(scene, frame)),
            other => other.value(scene, frame),
        }
    }

    #[inline(never)]
    pub fn value<W: Width>(&self, scene: Scene<W>, frame: &Frame<W>) -> W::Cells {
        let Scene { statics, view, tables } = scene;
        match self {
            CellsTerm::Register(r) => frame.cells[*r as usize],
            CellsTerm::All => statics.all_cells,
            CellsTerm::Unsolved => view.unsolved,
            CellsTerm::Given => view.given,
            CellsTerm::Only(cell) => W::Cells::only(cell.value(scene, frame)),
            CellsTerm::After(cell) => statics.after[cell.value(scene, frame)],
            CellsTerm::Before(cell) => W::Cells::first_n(cell.value(scene, frame)),
            CellsTerm::House(house) => statics.cells_of[house.value(scene, frame)],
            CellsTerm::Plane(digit) => view.planes[digit.value(scene, frame)],
            CellsTerm::Spots(digit, house) => {
                let plane = view.planes[digit.value(scene, frame)];
                plane.and(statics.cells_of[house.value(scene, frame)])
            }
            CellsTerm::Peers(cell) => statics.peers[cell.value(scene, frame)],
            CellsTerm::FewCandidates(count) => view.few_candidates[*count as usize],
            CellsTerm::CandidatesWithin(digits) => {
                let others = statics.all_digits.minus(digits.value(scene, frame));
                others.iter().fold(statics.all_cells, |left, d| left.minus(view.planes[d]))
            }
            CellsTerm::Lookup(lookup) => tables.cells(lookup.index, lookup.key(scene, frame)),
            CellsTerm::Houses(houses) => houses
                .value(scene, frame)
                .iter()
                .fold(W::Cells::EMPTY, |all, h| all.or(statics.cells_of[h])),
            CellsTerm::Planes(digits) => digits
                .value(scene, frame)
                .iter()
                .fold(W::Cells::EMPTY, |all, d| all.or(view.planes[d])),
            CellsTerm::CommonPeers(cells) => cells
                .value(scene, frame)
                .iter()
                .fold(statics.all_cells, |all, c| all.and(statics.peers[c])),
            CellsTerm::And(a, b) => a.quick(scene, frame).and(b.quick(scene, frame)),
            CellsTerm::Or(a, b) => a.quick(scene, frame).or(b.quick(scene, frame)),
            CellsTerm::Minus(a, b) => a.quick(scene, frame).minus(b.quick(scene, frame)),
            CellsTerm::Rest { left, right, variables, .. } => {
                let mut rest = left.quick(scene, frame);
                if let Some(right) = right {
                    rest = rest.minus(right.quick(scene, frame));
                }
                rest_of(rest, *variables as usize, statics.all_cells)
            }
            CellsTerm::Every { slot, over, each } => {
                let mut all = statics.all_cells;
                over.each(scene, frame, |item| {
                    frame.slots[*slot as usize].set(item as u32);
                    all = all.and(each.value(scene, frame));
                    !all.is_empty()
                });
                all
            }
        }
    }
}

/// `rest` within so many variables: each must be one of them, unless there are fewer.
#[inline]
fn rest_of<B: Bits>(rest: B, variables: usize, everything: B) -> B {
    let mut more = rest;
    for _ in 0..variables {
        if more.is_empty() {
            return everything;
        }
        more.pop();
    }
    if more.is_empty() { rest } else { B::EMPTY }
}

impl SmallTerm {
    /// The value, with the usual cases in line: for the innermost loops.
    #[inline(always)]
    pub fn quick<W: Width>(&self, scene: Scene<W>, frame: &Frame<W>) -> W::Small {
        match self {
            SmallTerm::Rest { left, right, variables, everything } => {
                let mut rest = left.atom(scene, frame);
                if let Some(right) = right {
                    rest = rest.minus(right.atom(scene, frame));
                }
                rest_of(rest, *variables as usize, everything.atom(scene, frame))
            }
            other => other.atom(scene, frame),
        }
    }

    /// The value, with the simplest cases in line.
    #[inline(always)]
    fn atom<W: Width>(&self, scene: Scene<W>, frame: &Frame<W>) -> W::Small {
        match self {
            SmallTerm::Only(item) => W::Small::only(item.value(scene, frame)),
            SmallTerm::AllDigits => scene.statics.all_digits,
            SmallTerm::DigitsAfter(digit) => {
                let up_to = W::Small::first_n(digit.value(scene, frame) + 1);
                scene.statics.all_digits.minus(up_to)
            }
            SmallTerm::Register(register) => frame.small[*register as usize % REGISTERS],
            SmallTerm::Candidates(cell) => scene.view.candidates[cell.value(scene, frame)],
            SmallTerm::Lookup(lookup) => scene.tables.small(lookup.index, lookup.key(scene, frame)),
            other => other.value(scene, frame),
        }
    }

    #[inline(never)]
    pub fn value<W: Width>(&self, scene: Scene<W>, frame: &Frame<W>) -> W::Small {
        let Scene { statics, view, tables } = scene;
        match self {
            SmallTerm::Register(r) => frame.small[*r as usize],
            SmallTerm::AllDigits => statics.all_digits,
            SmallTerm::AllHouses => statics.all_houses,
            SmallTerm::Rows => statics.rows,
            SmallTerm::Columns => statics.columns,
            SmallTerm::Boxes => statics.boxes,
            SmallTerm::Only(item) => W::Small::only(item.value(scene, frame)),
            SmallTerm::DigitsAfter(digit) => {
                statics.all_digits.minus(W::Small::first_n(digit.value(scene, frame) + 1))
            }
            SmallTerm::HousesAfter(house) => {
                statics.all_houses.minus(W::Small::first_n(house.value(scene, frame) + 1))
            }
            SmallTerm::Before(item) => W::Small::first_n(item.value(scene, frame)),
            SmallTerm::Candidates(cell) => view.candidates[cell.value(scene, frame)],
            SmallTerm::HousesOf(cell) => statics.houses_of[cell.value(scene, frame)],
            SmallTerm::Missing(house) => view.missing[house.value(scene, frame)],
            SmallTerm::FewDigits(few, house) => {
                view.few_spots_of(*few).digits[house.value(scene, frame)]
            }
            SmallTerm::FewHouses(few, digit) => {
                view.few_spots_of(*few).houses[digit.value(scene, frame)]
            }
            SmallTerm::Lookup(lookup) => tables.small(lookup.index, lookup.key(scene, frame)),
            SmallTerm::CandidatesOf(cells) => cells
                .value(scene, frame)
                .iter()
                .fold(W::Small::EMPTY, |all, c| all.or(view.candidates[c])),
            SmallTerm::Touching(houses, cells) => {
                let houses = houses.value(scene, frame);
                let cells = cells.value(scene, frame);
                let met = cells.iter().fold(W::Small::EMPTY, |all, c| all.or(statics.houses_of[c]));
                houses.and(met)
            }
            SmallTerm::Meeting(houses, house) => {
                let meeting = statics.meeting[house.value(scene, frame)];
                houses.atom(scene, frame).and(meeting)
            }
            SmallTerm::Around(cells) => cells
                .quick(scene, frame)
                .iter()
                .fold(statics.all_houses, |all, c| all.and(statics.houses_of[c])),
            SmallTerm::And(a, b) => a.atom(scene, frame).and(b.atom(scene, frame)),
            SmallTerm::Or(a, b) => a.atom(scene, frame).or(b.atom(scene, frame)),
            SmallTerm::Minus(a, b) => a.atom(scene, frame).minus(b.atom(scene, frame)),
            SmallTerm::Rest { .. } => self.quick(scene, frame),
            SmallTerm::Every { slot, over, each, everything } => {
                let mut all = everything.value(scene, frame);
                over.each(scene, frame, |item| {
                    frame.slots[*slot as usize].set(item as u32);
                    all = all.and(each.value(scene, frame));
                    !all.is_empty()
                });
                all
            }
        }
    }
}

impl Over {
    /// Calls `visit` with each member until it says no; whether it never did.
    pub fn each<W: Width>(
        &self,
        scene: Scene<W>,
        frame: &Frame<W>,
        mut visit: impl FnMut(usize) -> bool,
    ) -> bool {
        match self {
            Over::Cells(cells) => cells.value(scene, frame).iter().all(&mut visit),
            Over::Small(small) => small.value(scene, frame).iter().all(&mut visit),
        }
    }
}

/// A number.
#[derive(Clone, PartialEq, Debug)]
#[repr(u8)]
pub(super) enum Number {
    Constant(i64),
    Slot(u8),
    Cells(CellsTerm),
    Small(SmallTerm),
    Arithmetic(Arithmetic, Box<Number>, Box<Number>),
}

impl Number {
    pub fn value<W: Width>(&self, scene: Scene<W>, frame: &Frame<W>) -> i64 {
        match self {
            Number::Constant(number) => *number,
            Number::Slot(slot) => frame.numbers[*slot as usize],
            Number::Cells(cells) => cells.value(scene, frame).len() as i64,
            Number::Small(small) => small.value(scene, frame).len() as i64,
            Number::Arithmetic(operation, a, b) => {
                let (a, b) = (a.value(scene, frame), b.value(scene, frame));
                // A number outside of 64 bits is one that another condition excludes.
                operation.of(a, b).unwrap_or(i64::MAX)
            }
        }
    }
}
