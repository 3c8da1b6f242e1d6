//! What only sets of digits and sets of houses can be. They are alike: few, so of few bits.

use super::super::bits::{Bits, Width};
use super::super::view::Few;
use super::{AnySet, CellsSet, Frame, Left, Lookup, REGISTERS, SLOTS, Scalar, Scene, Set};
use super::{SmallSet, Sort};

/// A set of digits or of houses that is not made of other such sets only.
#[derive(Clone, PartialEq, Debug)]
#[repr(u8)]
pub(in crate::engine::join) enum SmallAtom {
    AllDigits,
    AllHouses,
    Rows,
    Columns,
    Boxes,
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
    CandidatesOf(Box<CellsSet>),
    /// Those of the houses that meet the cells.
    Touching(Box<SmallSet>, Box<CellsSet>),
    /// Those of the houses that meet the house.
    Meeting(Box<SmallSet>, Scalar),
    /// The houses that hold all of the cells.
    Around(Box<CellsSet>),
}

impl Sort for SmallAtom {
    type Bits<W: Width> = W::Small;

    #[inline(always)]
    fn quick<W: Width>(&self, scene: Scene<W>, frame: &Frame<W>) -> W::Small {
        match self {
            SmallAtom::AllDigits => scene.statics.all_digits,
            SmallAtom::DigitsAfter(digit) => {
                let up_to = W::Small::first_n(digit.value(scene, frame) + 1);
                scene.statics.all_digits.minus(up_to)
            }
            SmallAtom::Candidates(cell) => scene.view.candidates[cell.value(scene, frame)],
            SmallAtom::Lookup(lookup) => scene.tables.small(lookup.index, lookup.key(scene, frame)),
            other => other.value(scene, frame),
        }
    }

    fn instead_of_scan(&self) -> Option<SmallAtom> {
        match self {
            SmallAtom::FewDigits(..) => Some(SmallAtom::AllDigits),
            SmallAtom::FewHouses(..) => Some(SmallAtom::AllHouses),
            _ => None,
        }
    }

    fn of(any: &AnySet) -> Option<&SmallSet> {
        if let AnySet::Small(set) = any { Some(set) } else { None }
    }

    #[inline(always)]
    fn registers<W: Width>(frame: &Frame<W>) -> &[W::Small; REGISTERS] {
        &frame.small
    }
    #[inline(always)]
    fn registers_mut<W: Width>(frame: &mut Frame<W>) -> &mut [W::Small; REGISTERS] {
        &mut frame.small
    }
    #[inline(always)]
    fn left<W: Width>(left: &mut Left<W>) -> &mut [W::Small; SLOTS] {
        &mut left.small
    }
}

impl SmallAtom {
    #[inline(never)]
    fn value<W: Width>(&self, scene: Scene<W>, frame: &Frame<W>) -> W::Small {
        let Scene { statics, view, .. } = scene;
        match self {
            SmallAtom::AllHouses => statics.all_houses,
            SmallAtom::Rows => statics.rows,
            SmallAtom::Columns => statics.columns,
            SmallAtom::Boxes => statics.boxes,
            SmallAtom::HousesAfter(house) => {
                statics.all_houses.minus(W::Small::first_n(house.value(scene, frame) + 1))
            }
            SmallAtom::HousesOf(cell) => statics.houses_of[cell.value(scene, frame)],
            SmallAtom::Missing(house) => view.missing[house.value(scene, frame)],
            SmallAtom::FewDigits(few, house) => {
                view.few_spots_of(*few).digits[house.value(scene, frame)]
            }
            SmallAtom::FewHouses(few, digit) => {
                view.few_spots_of(*few).houses[digit.value(scene, frame)]
            }
            SmallAtom::CandidatesOf(cells) => cells
                .value(scene, frame)
                .iter()
                .fold(W::Small::EMPTY, |all, c| all.or(view.candidates[c])),
            SmallAtom::Touching(houses, cells) => {
                let houses = houses.value(scene, frame);
                let cells = cells.value(scene, frame);
                let met = cells.iter().fold(W::Small::EMPTY, |all, c| all.or(statics.houses_of[c]));
                houses.and(met)
            }
            SmallAtom::Meeting(houses, house) => {
                let meeting = statics.meeting[house.value(scene, frame)];
                houses.simple(scene, frame).and(meeting)
            }
            SmallAtom::Around(cells) => cells
                .quick(scene, frame)
                .iter()
                .fold(statics.all_houses, |all, c| all.and(statics.houses_of[c])),
            SmallAtom::AllDigits
            | SmallAtom::DigitsAfter(_)
            | SmallAtom::Candidates(_)
            | SmallAtom::Lookup(_) => self.quick(scene, frame),
        }
    }
}

impl From<SmallAtom> for SmallSet {
    fn from(atom: SmallAtom) -> SmallSet {
        Set::Atom(atom)
    }
}
