//! What only sets of cells can be.

use super::super::bits::{Bits, Width};
use super::{AnySet, CellsSet, Frame, Left, Lookup, REGISTERS, SLOTS, Scalar, Scene, Set};
use super::{SmallSet, Sort};

/// A set of cells that is not made of other such sets.
#[derive(Clone, PartialEq, Debug)]
#[repr(u8)]
pub(in crate::engine::join) enum CellsAtom {
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
    /// The cells with no candidate but these.
    CandidatesWithin(Box<SmallSet>),
    Lookup(Lookup),
    /// The cells of some houses.
    Houses(Box<SmallSet>),
    /// The cells where one of the digits is possible.
    Planes(Box<SmallSet>),
    CommonPeers(Box<CellsSet>),
}

impl Sort for CellsAtom {
    type Bits<W: Width> = W::Cells;

    #[inline(always)]
    fn quick<W: Width>(&self, scene: Scene<W>, frame: &Frame<W>) -> W::Cells {
        match self {
            CellsAtom::Unsolved => scene.view.unsolved,
            CellsAtom::House(house) => scene.statics.cells_of[house.value(scene, frame)],
            CellsAtom::Plane(digit) => scene.view.planes[digit.value(scene, frame)],
            CellsAtom::Peers(cell) => scene.statics.peers[cell.value(scene, frame)],
            CellsAtom::After(cell) => scene.statics.after[cell.value(scene, frame)],
            CellsAtom::Lookup(lookup) => scene.tables.cells(lookup.index, lookup.key(scene, frame)),
            other => other.value(scene, frame),
        }
    }

    fn instead_of_scan(&self) -> Option<CellsAtom> {
        match self {
            CellsAtom::FewCandidates(_) | CellsAtom::CandidatesWithin(_) => Some(CellsAtom::All),
            _ => None,
        }
    }

    fn of(any: &AnySet) -> Option<&CellsSet> {
        if let AnySet::Cells(set) = any { Some(set) } else { None }
    }

    #[inline(always)]
    fn registers<W: Width>(frame: &Frame<W>) -> &[W::Cells; REGISTERS] {
        &frame.cells
    }
    #[inline(always)]
    fn registers_mut<W: Width>(frame: &mut Frame<W>) -> &mut [W::Cells; REGISTERS] {
        &mut frame.cells
    }
    #[inline(always)]
    fn left<W: Width>(left: &mut Left<W>) -> &mut [W::Cells; SLOTS] {
        &mut left.cells
    }
}

impl CellsAtom {
    #[inline(never)]
    fn value<W: Width>(&self, scene: Scene<W>, frame: &Frame<W>) -> W::Cells {
        let Scene { statics, view, .. } = scene;
        match self {
            CellsAtom::All => statics.all_cells,
            CellsAtom::Given => view.given,
            CellsAtom::Spots(digit, house) => {
                let plane = view.planes[digit.value(scene, frame)];
                plane.and(statics.cells_of[house.value(scene, frame)])
            }
            CellsAtom::FewCandidates(count) => view.few_candidates[*count as usize],
            CellsAtom::CandidatesWithin(digits) => {
                let others = statics.all_digits.minus(digits.value(scene, frame));
                others.iter().fold(statics.all_cells, |left, d| left.minus(view.planes[d]))
            }
            CellsAtom::Houses(houses) => houses
                .value(scene, frame)
                .iter()
                .fold(W::Cells::EMPTY, |all, h| all.or(statics.cells_of[h])),
            CellsAtom::Planes(digits) => digits
                .value(scene, frame)
                .iter()
                .fold(W::Cells::EMPTY, |all, d| all.or(view.planes[d])),
            CellsAtom::CommonPeers(cells) => cells
                .value(scene, frame)
                .iter()
                .fold(statics.all_cells, |all, c| all.and(statics.peers[c])),
            CellsAtom::Unsolved
            | CellsAtom::House(_)
            | CellsAtom::Plane(_)
            | CellsAtom::Peers(_)
            | CellsAtom::After(_)
            | CellsAtom::Lookup(_) => self.quick(scene, frame),
        }
    }
}

impl From<CellsAtom> for CellsSet {
    fn from(atom: CellsAtom) -> CellsSet {
        Set::Atom(atom)
    }
}
