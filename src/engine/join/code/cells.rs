//! Sets of cells.

use super::super::bits::{Bits, Width};
use super::set::{rest_of, sort_of_sets};
use super::{AnySet, Frame, Left, Lookup, REGISTERS, SLOTS, Scalar, Scene, SmallSet, Sort, Test};

sort_of_sets! {
    /// A set of cells.
    CellsSet, Cells, cells, {
        All,
        Unsolved,
        Given,
        /// The cells after this one.
        After(Scalar),
        /// The cells of a house.
        House(Scalar),
        /// The cells where a digit is possible; those of a house.
        Plane(Scalar),
        Spots(Scalar, Scalar),
        Peers(Scalar),
        /// The cells with at most so many candidates.
        FewCandidates(u8),
        /// The cells with just so many.
        CandidateCount(u8),
        /// The cells with no candidate but these.
        CandidatesWithin(Box<SmallSet>),
        Lookup(Lookup),
        /// The cells of some houses.
        Houses(Box<SmallSet>),
        /// The cells where one of the digits is possible.
        Planes(Box<SmallSet>),
        CommonPeers(Box<CellsSet>),
        /// The common peers of a digit's spots in the set of a register, whose number is known.
        PeersOfSpots(Scalar, u8),
    }
}

impl CellsSet {
    #[inline(always)]
    fn own_quick<W: Width>(&self, scene: &Scene<W>, frame: &Frame<W>) -> W::Cells {
        match self {
            CellsSet::Unsolved => scene.view.unsolved,
            CellsSet::House(house) => scene.statics.cells_of[house.value(scene, frame)],
            CellsSet::Plane(digit) => scene.view.planes[digit.value(scene, frame)],
            CellsSet::Peers(cell) => scene.statics.peers[cell.value(scene, frame)],
            CellsSet::After(cell) => scene.statics.after[cell.value(scene, frame)],
            CellsSet::PeersOfSpots(digit, register) => {
                peers_of_spots(digit.value(scene, frame), *register, scene, frame)
            }
            CellsSet::Lookup(lookup) => scene.tables.cells(lookup.index, lookup.key(scene, frame)),
            other => other.value(scene, frame),
        }
    }

    #[inline(always)]
    fn own_value<W: Width>(&self, scene: &Scene<W>, frame: &Frame<W>) -> W::Cells {
        let Scene { statics, view, .. } = *scene;
        match self {
            CellsSet::All => statics.all_cells,
            CellsSet::Given => view.given,
            CellsSet::Spots(digit, house) => {
                let plane = view.planes[digit.value(scene, frame)];
                plane.and(statics.cells_of[house.value(scene, frame)])
            }
            CellsSet::FewCandidates(count) => view.few_candidates[*count as usize],
            CellsSet::CandidateCount(count) => {
                let few = &view.few_candidates;
                few[*count as usize].minus(few[*count as usize - 1])
            }
            CellsSet::CandidatesWithin(digits) => {
                let others = statics.all_digits.minus(digits.value(scene, frame));
                others.gather(statics.all_cells, |left, d| left.minus(view.planes[d]))
            }
            CellsSet::Houses(houses) => houses
                .value(scene, frame)
                .gather(W::Cells::EMPTY, |all, h| all.or(statics.cells_of[h])),
            CellsSet::Planes(digits) => {
                digits.value(scene, frame).gather(W::Cells::EMPTY, |all, d| all.or(view.planes[d]))
            }
            CellsSet::CommonPeers(cells) => cells
                .value(scene, frame)
                .gather(statics.all_cells, |all, c| all.and(statics.peers[c])),
            other => other.own_quick(scene, frame),
        }
    }

    fn own_instead_of_scan(&self) -> Option<Self> {
        match self {
            CellsSet::FewCandidates(_)
            | CellsSet::CandidateCount(_)
            | CellsSet::CandidatesWithin(_) => Some(CellsSet::All),
            _ => None,
        }
    }
}

/// The common peers of a digit's spots in the set of a register.
#[inline(always)]
fn peers_of_spots<W: Width>(
    digit: usize,
    register: u8,
    scene: &Scene<W>,
    frame: &Frame<W>,
) -> W::Cells {
    let Scene { statics, view, tables } = *scene;
    let register = register as usize % REGISTERS;
    let place = frame.cells_numbers[register] as usize * statics.digits + digit;
    tables.peers_of_spots.get(place, || {
        let spots = frame.cells[register].and(view.planes[digit]);
        spots.gather(statics.all_cells, |all, c| all.and(statics.peers[c]))
    })
}
