//! From candidates to a state.

use std::sync::Arc;

use crate::board::{Candidate, Cell, Cells, Digit, Grid, Layout};

/// The state with these candidates, one mask of digits a cell.
///
/// A cell with one candidate counts as placed when no peer still has that digit, else as not yet
/// placed. Placed cells count as given: a file of candidates does not tell them apart, and rules
/// that ask are then on the safe side.
pub(super) fn grid_of_masks(layout: &Arc<Layout>, masks: &[u32]) -> Grid {
    let size = layout.size();
    let mut planes = vec![Cells::EMPTY; size];
    for (i, &mask) in masks.iter().enumerate() {
        for (digit, plane) in planes.iter_mut().enumerate() {
            if mask >> digit & 1 == 1 {
                plane.insert(Cell::at(i));
            }
        }
    }
    for (plane, open) in planes.iter_mut().zip(layout.open()) {
        *plane &= *open;
    }
    let mut placed = Cells::EMPTY;
    for (i, &mask) in masks.iter().enumerate() {
        let cell = Cell::at(i);
        if mask.count_ones() == 1 {
            let digit = Digit::at(mask.trailing_zeros() as usize);
            let excluded = layout.excluded(Candidate { cell, digit }).iter();
            let is_alone = !planes[digit.index()].meets(layout.peers(cell)) && { excluded }
                .all(|(other, cells)| !planes[other.index()].meets(cells));
            if is_alone && planes[digit.index()].contains(cell) {
                placed.insert(cell);
            }
        }
    }
    Grid::from_parts(layout.clone(), planes, placed, placed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_candidate_is_placed_when_no_peer_has_it() {
        let mut masks = vec![0b1111; 16];
        masks[0] = 0b0001;
        let four = Layout::classic(4).expect("4 is a classic size");
        let grid = grid_of_masks(&four, &masks);
        assert!(grid.placed().is_empty());
        for peer in four.peers(Cell::at(0)) {
            masks[peer.index()] &= !1;
        }
        assert_eq!(grid_of_masks(&four, &masks).digit_at(Cell::at(0)), Some(Digit::new(1)));
    }
}
