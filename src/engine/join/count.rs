//! Inferences: what a Prolog would call for the steps of a plan.
//!
//! The join intersects all sets that a variable must be in at once. A Prolog opens a scan of one
//! of them and calls the other literals for each member that is left; where none of them can be
//! scanned, as in `candidates(C) within {D}` with C open, it goes through all there are.

use super::bits::{Bits, Width};
use super::expression::{CellsTerm, Frame, Scene, SmallTerm};
use super::step::Bound;

/// The calls to bind a cell.
pub(super) fn cell_calls<W: Width>(
    domain: &[Bound<CellsTerm>],
    scene: Scene<W>,
    frame: &Frame<W>,
) -> u64 {
    let value = |term: &CellsTerm| term.value(scene, frame);
    let all = |term: &CellsTerm| match term {
        CellsTerm::FewCandidates(_)
        | CellsTerm::CandidatesWithin(_)
        | CellsTerm::Rest { .. }
        | CellsTerm::Every { .. } => Some(value(&CellsTerm::All)),
        _ => None,
    };
    calls(domain, value, all)
}

/// The calls to bind a digit or a house.
pub(super) fn small_calls<W: Width>(
    domain: &[Bound<SmallTerm>],
    scene: Scene<W>,
    frame: &Frame<W>,
) -> u64 {
    let value = |term: &SmallTerm| term.value(scene, frame);
    let all = |term: &SmallTerm| match term {
        SmallTerm::FewDigits(..) => Some(value(&SmallTerm::AllDigits)),
        SmallTerm::FewHouses(..) => Some(value(&SmallTerm::AllHouses)),
        SmallTerm::Rest { everything, .. } | SmallTerm::Every { everything, .. } => {
            Some(value(everything))
        }
        _ => None,
    };
    calls(domain, value, all)
}

/// One call for the scan, and one of each other literal for each member that is left to it.
/// `all` says what to go through for a set that cannot be scanned.
fn calls<T, B: Bits>(
    domain: &[Bound<T>],
    value: impl Fn(&T) -> B,
    all: impl Fn(&T) -> Option<B>,
) -> u64 {
    let scan = domain.iter().position(|bound| !bound.negated && all(&bound.set).is_none());
    let mut left = match scan {
        Some(scan) => value(&domain[scan].set),
        None => domain.iter().find_map(|bound| all(&bound.set)).unwrap_or(B::EMPTY),
    };
    let mut calls = 1;
    for (_, bound) in domain.iter().enumerate().filter(|(i, _)| Some(*i) != scan) {
        calls += left.len() as u64;
        let set = value(&bound.set);
        left = if bound.negated { left.minus(set) } else { left.and(set) };
    }
    calls
}
