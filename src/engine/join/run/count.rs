//! Inferences: what a Prolog would call for the steps of a plan.
//!
//! The join intersects all sets that a variable must be in at once. A Prolog opens a scan of one
//! of them and calls the other literals for each member that is left; where none of them can be
//! scanned, as in `candidates(C) within {D}` with C open, it goes through all there are.

use super::super::bits::{Bits, Width};
use super::super::code::{Frame, Narrowing, Scene, Sort};

/// The calls to bind a variable: one for the scan, and one of each other literal for each member
/// that is left to it.
pub(super) fn calls<S: Sort, W: Width>(
    domain: &[Narrowing<S>],
    scene: &Scene<W>,
    frame: &Frame<W>,
) -> u64 {
    // What to go through for a set that cannot be scanned.
    let all = |set: &S| set.instead_of_scan();
    let scan = domain.iter().position(|bound| !bound.negated && all(&bound.set).is_none());
    let mut left = match scan {
        Some(scan) => domain[scan].set.value(scene, frame),
        None => {
            let all = domain.iter().find_map(|bound| all(&bound.set));
            all.map_or(S::Bits::<W>::EMPTY, |all| all.value(scene, frame))
        }
    };
    let mut calls = 1;
    for (_, bound) in domain.iter().enumerate().filter(|(i, _)| Some(*i) != scan) {
        calls += left.len() as u64;
        let set = bound.set.value(scene, frame);
        left = if bound.negated { left.minus(set) } else { left.and(set) };
    }
    calls
}
