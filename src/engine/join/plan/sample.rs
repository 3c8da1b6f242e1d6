//! The board that plans are made for.

use std::sync::Arc;

use crate::board::{Cell, Cells, Digit, Digits, Grid, Layout};
use crate::random::Random;

/// A board such as the standard rules leave it: two thirds of the cells open, a quarter of these
/// with two candidates and the others with more. What a table holds there is what plans expect.
pub(in crate::engine::join) fn sample(layout: &Arc<Layout>) -> Grid {
    let mut random = Random::new(16);
    let (size, height, width) = (layout.size(), layout.box_height(), layout.box_width());
    let solution = |cell: Cell| {
        let (row, column) = (layout.row_index(cell), layout.column_index(cell));
        match layout.has_boxes() && height < size {
            true => (row % height * width + row / height + column) % size,
            false => (row + column) % size,
        }
    };
    let mut planes = vec![Cells::EMPTY; size];
    let placed: Cells = layout.all_cells().iter().filter(|_| random.below(10) < 3).collect();
    for cell in layout.all_cells() {
        let own = solution(cell);
        planes[own].insert(cell);
        if placed.contains(cell) {
            continue;
        }
        let mut taken = Digits::only(Digit::at(own));
        (*layout.peers(cell) & placed).iter().for_each(|peer| {
            taken.insert(Digit::at(solution(peer)));
        });
        let others: Vec<Digit> = (layout.all_digits() - taken).iter().collect();
        let kept: Vec<Digit> = others.iter().copied().filter(|_| random.below(10) < 9).collect();
        let has_two = kept.is_empty() || random.below(4) == 0;
        let kept = if has_two { &others[..others.len().min(1)] } else { &kept[..] };
        for digit in kept {
            planes[digit.index()].insert(cell);
        }
    }
    Grid::from_parts(layout.clone(), planes, placed, placed)
}
