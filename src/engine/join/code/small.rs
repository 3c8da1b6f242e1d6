//! Sets of digits and sets of houses. They are alike: few, so of few bits.

use super::super::bits::{Bits, Width};
use super::super::view::Few;
use super::set::{rest_of, sort_of_sets};
use super::{AnySet, CellsSet, Frame, Left, Lookup, REGISTERS, SLOTS, Scalar, Scene, Sort, Test};

sort_of_sets! {
    /// A set of digits or of houses.
    SmallSet, Small, small, {
        AllDigits,
        /// Those that the plan is asked about.
        Asked,
        AllHouses,
        /// All houses and groups.
        Everywhere,
        Rows,
        Columns,
        Boxes,
        Groups,
        Pieces,
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
        /// The same for the set of a register, whose number is known.
        CandidatesOfNumber(u8),
        /// Those of the houses that meet the cells.
        Touching(Box<SmallSet>, Box<CellsSet>),
        /// Those of the houses that meet the house.
        Meeting(Box<SmallSet>, Scalar),
        /// The houses that hold all of the cells.
        Around(Box<CellsSet>),
    }
}

impl SmallSet {
    #[inline(always)]
    fn own_quick<W: Width>(&self, scene: &Scene<W>, frame: &Frame<W>) -> W::Small {
        match self {
            SmallSet::AllDigits => scene.statics.all_digits,
            SmallSet::DigitsAfter(digit) => {
                let up_to = W::Small::first_n(digit.value(scene, frame) + 1);
                scene.statics.all_digits.minus(up_to)
            }
            SmallSet::Candidates(cell) => scene.view.candidates[cell.value(scene, frame)],
            SmallSet::Lookup(lookup) => scene.tables.small(lookup.index, lookup.key(scene, frame)),
            other => other.value(scene, frame),
        }
    }

    #[inline(always)]
    fn own_value<W: Width>(&self, scene: &Scene<W>, frame: &Frame<W>) -> W::Small {
        let Scene { statics, view, .. } = *scene;
        match self {
            SmallSet::Asked => view.asked,
            SmallSet::AllHouses => statics.all_houses,
            SmallSet::Rows => statics.rows,
            SmallSet::Columns => statics.columns,
            SmallSet::Boxes => statics.boxes,
            SmallSet::Groups => statics.groups,
            SmallSet::Pieces => statics.pieces,
            SmallSet::Everywhere => statics.everywhere,
            SmallSet::HousesAfter(house) => {
                statics.everywhere.minus(W::Small::first_n(house.value(scene, frame) + 1))
            }
            SmallSet::HousesOf(cell) => statics.houses_of[cell.value(scene, frame)],
            SmallSet::Missing(house) => view.missing[house.value(scene, frame)],
            SmallSet::FewDigits(few, house) => {
                view.few_spots_of(*few).digits[house.value(scene, frame)]
            }
            SmallSet::FewHouses(few, digit) => {
                view.few_spots_of(*few).houses[digit.value(scene, frame)]
            }
            SmallSet::CandidatesOf(cells) => cells
                .value(scene, frame)
                .gather(W::Small::EMPTY, |all, c| all.or(view.candidates[c])),
            SmallSet::CandidatesOfNumber(register) => {
                let register = *register as usize % REGISTERS;
                let number = frame.cells_numbers[register] as usize;
                scene.tables.candidates.get(number, || {
                    let cells = frame.cells[register];
                    cells.gather(W::Small::EMPTY, |all, c| all.or(view.candidates[c]))
                })
            }
            SmallSet::Touching(houses, cells) => {
                let houses = houses.value(scene, frame);
                let cells = cells.value(scene, frame);
                let met = cells.gather(W::Small::EMPTY, |all, c| all.or(statics.houses_of[c]));
                houses.and(met)
            }
            SmallSet::Meeting(houses, house) => {
                let meeting = statics.meeting[house.value(scene, frame)];
                houses.simple(scene, frame).and(meeting)
            }
            SmallSet::Around(cells) => cells
                .quick(scene, frame)
                .gather(statics.everywhere, |all, c| all.and(statics.houses_of[c])),
            other => other.own_quick(scene, frame),
        }
    }

    fn own_instead_of_scan(&self) -> Option<Self> {
        match self {
            SmallSet::FewDigits(..) => Some(SmallSet::AllDigits),
            SmallSet::FewHouses(..) => Some(SmallSet::Everywhere),
            _ => None,
        }
    }
}
