//! The built-in relations that are tables.

use crate::board::{Candidate, Layout};

/// All tuples of `rectangle`, one after the other.
pub(in crate::engine::join) fn rectangles(layout: &Layout) -> Vec<u16> {
    let mut tuples = Vec::new();
    for a in layout.all_cells() {
        let (row, column) = (layout.row_index(a), layout.column_index(a));
        for r in (0..layout.size()).filter(|&r| r != row) {
            for c in (0..layout.size()).filter(|&c| c != column) {
                let along = layout.cell_at(row, c);
                let down = layout.cell_at(r, column);
                let across = layout.cell_at(r, c);
                let [here, beside, below, last] =
                    [a, along, down, across].map(|cell| layout.box_of(cell));
                let lies = here == beside && below == last && here != below;
                let stands = here == below && beside == last && here != beside;
                if layout.has_boxes() && (lies || stands) {
                    for (b, c) in [(along, down), (down, along)] {
                        tuples.extend([a, b, c, across].map(|cell| cell.index() as u16));
                    }
                }
            }
        }
    }
    tuples
}

/// All tuples of `excludes`, one after the other.
pub(in crate::engine::join) fn excluded(layout: &Layout) -> Vec<u16> {
    let tuple = |a: Candidate, b: Candidate| {
        [a.cell.index(), a.digit.index(), b.cell.index(), b.digit.index()].map(|i| i as u16)
    };
    let pairs = &layout.parts().excluded;
    pairs.iter().flat_map(|&(a, b)| [tuple(a, b), tuple(b, a)]).flatten().collect()
}
