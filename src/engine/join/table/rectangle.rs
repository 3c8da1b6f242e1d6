//! The built-in relation that is a table.

use crate::board::Layout;

/// All tuples of `rectangle`, one after the other.
pub(in crate::engine::join) fn rectangles(layout: &Layout) -> Vec<u16> {
    let mut tuples = Vec::new();
    for a in layout.all_cells() {
        let (row, column) = (layout.row_index(a), layout.column_index(a));
        for r in (0..layout.size()).filter(|&r| r != row) {
            for c in (0..layout.size()).filter(|&c| c != column) {
                let along = layout.cell_at(row, c);
                let down = layout.cell_at(r, column);
                let one = layout.box_of(a);
                if (layout.box_of(along) == one) != (layout.box_of(down) == one) {
                    for (b, c) in [(along, down), (down, along)] {
                        let across =
                            layout.cell_at(layout.row_index(down), layout.column_index(along));
                        tuples.extend([a, b, c, across].map(|cell| cell.index() as u16));
                    }
                }
            }
        }
    }
    tuples
}
