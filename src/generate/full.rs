//! Full grids: the two makers of the course work, the tutorial's, and a fast one.

use std::sync::Arc;

use crate::board::{Candidate, Cell, Digit, Digits, Grid, Layout};
use crate::random::Random;
use crate::search::any::Enumerator;
use crate::search::{Limits, Sat, Solver, plain};

use super::permutation::permutation;

/// What a maker that may fail made, and how much it tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// The grid by number, unless the budget ran out.
    pub grid: Option<Vec<u8>>,
    /// Rows or digits drawn.
    pub drawn: u64,
}

/// Version 0 of the course work: draw a permutation for a row, again and again until it fits the
/// rows above it, then go on with the next row.
///
/// Nothing is remembered between draws, so the last row alone takes about 9! of them; `budget`
/// rows are drawn at most. Rows that fit may leave a next row that nothing fits; the budget ends
/// that too.
pub fn by_rows(layout: &Layout, random: &mut Random, budget: u64) -> Attempt {
    let size = layout.size();
    let mut grid: Vec<u8> = Vec::with_capacity(layout.cell_count());
    let mut drawn = 0;
    while grid.len() < layout.cell_count() {
        if drawn == budget {
            return Attempt { grid: None, drawn };
        }
        drawn += 1;
        let above = grid.len();
        grid.extend(permutation(size, random).into_iter().map(|i| i as u8 + 1));
        let fits = (above..above + size).all(|cell| {
            let peers = layout.peers(Cell::at(cell));
            peers.iter().all(|p| p.index() >= above || grid[p.index()] != grid[cell])
        });
        if !fits {
            grid.truncate(above);
        }
    }
    Attempt { grid: Some(grid), drawn }
}

/// Version 1 of the course work: each cell draws from what its column and box still allow; a cell
/// that nothing is left for makes the row begin again.
///
/// A row that fails `20 × size` times is beyond repair (the source's grids have no boxes, so it
/// does not meet this): then the whole grid begins again. `budget` digits are drawn at most.
pub fn by_columns(layout: &Layout, random: &mut Random, budget: u64) -> Attempt {
    let size = layout.size();
    let mut drawn = 0;
    'grid: loop {
        let mut grid = vec![0u8; layout.cell_count()];
        for row in 0..size {
            let mut failures = 0;
            while !fill_row(layout, &mut grid, row, random, &mut drawn) {
                grid[row * size..(row + 1) * size].fill(0);
                failures += 1;
                if drawn >= budget {
                    return Attempt { grid: None, drawn };
                }
                if failures == 20 * size {
                    continue 'grid;
                }
            }
        }
        return Attempt { grid: Some(grid), drawn };
    }
}

/// Fills the cells of a row in random order; whether every cell found a digit.
fn fill_row(
    layout: &Layout,
    grid: &mut [u8],
    row: usize,
    random: &mut Random,
    drawn: &mut u64,
) -> bool {
    for column in permutation(layout.size(), random) {
        let cell = layout.cell_at(row, column);
        let left: Vec<Digit> = possible(layout, grid, cell).into_iter().collect();
        if left.is_empty() {
            return false;
        }
        *drawn += 1;
        grid[cell.index()] = random.pick(&left).number() as u8;
    }
    true
}

fn possible(layout: &Layout, grid: &[u8], cell: Cell) -> Digits {
    let used = layout.peers(cell).iter().map(|p| grid[p.index()]).filter(|&n| n > 0);
    layout.all_digits() - used.map(|n| Digit::new(n as usize)).collect()
}

/// The tutorial's: backtracking over an empty grid, position by position, each cell with its
/// digits in a random order. `budget` digits are tried at most.
pub fn backtracked(layout: &Layout, random: &mut Random, budget: u64) -> Attempt {
    let cells = layout.cell_count();
    let orders: Vec<Vec<usize>> = (0..cells).map(|_| permutation(layout.size(), random)).collect();
    let mut grid = vec![0u8; cells];
    let mut next = vec![0; cells];
    let (mut position, mut drawn) = (0, 0);
    while position < cells {
        if drawn >= budget {
            return Attempt { grid: None, drawn };
        }
        grid[position] = 0;
        let left = possible(layout, &grid, Cell::at(position));
        let order = &orders[position][next[position]..];
        match order.iter().position(|&i| left.contains(Digit::at(i))) {
            Some(skip) => {
                drawn += 1;
                grid[position] = order[skip] as u8 + 1;
                next[position] += skip + 1;
                position += 1;
            }
            // The first cell's digits can all be completed, so there is always one before.
            None => {
                next[position] = 0;
                position -= 1;
            }
        }
    }
    Attempt { grid: Some(grid), drawn }
}

/// A random full grid, fast, for any layout.
///
/// At size 4 it is drawn uniformly from all grids (there are 288 of the classic layout). Larger
/// ones are random, every grid is possible, but not all equally likely.
///
/// # Panics
/// If the layout has no full grid; [`some_full_grid`] tells.
pub fn full_grid(layout: &Layout, random: &mut Random) -> Vec<u8> {
    some_full_grid(layout, random).expect("the layout has a full grid")
}

/// The same; nothing if there is none, or none that can be found.
pub fn some_full_grid(layout: &Layout, random: &mut Random) -> Option<Vec<u8>> {
    if layout.size() <= 4 {
        let mut all = Vec::new();
        plain::each_solution(layout, &vec![0; layout.cell_count()], &mut |grid| {
            all.push(grid.to_vec());
            true
        });
        return (!all.is_empty()).then(|| random.pick(&all).clone());
    }
    if !layout.is_boxed() {
        return searched(layout, random);
    }
    loop {
        if let Some(grid) = fill(layout, random) {
            return Some(grid);
        }
    }
}

/// Guesses of a search for a full grid, and how many searches there are.
const PATIENCE: u64 = 300;
const SEARCHES: usize = 10;
/// Cells filled at random before the SAT solver does the rest; one fewer each time.
const SEEDS: usize = 8;

/// By searches that try what they can in a random order; where full grids are rare, by the SAT
/// solver from a few digits on.
fn searched(layout: &Layout, random: &mut Random) -> Option<Vec<u8>> {
    for _ in 0..SEARCHES {
        // Otherwise it was tired.
        if let Ok(found) = Enumerator::shuffled(layout, random.bits()).next_within(PATIENCE) {
            return found;
        }
    }
    let layout = Arc::new(Layout::new(layout.parts().clone()));
    let limits = Limits { solutions: 1, work: 20_000, seed: 0 };
    for seeds in (0..=SEEDS).rev() {
        let mut grid = Grid::empty(layout.clone());
        for _ in 0..seeds {
            let cell = Cell::at(random.below(layout.cell_count()));
            let digits: Vec<Digit> = grid.candidates(cell).iter().collect();
            if grid.digit_at(cell).is_none() && !digits.is_empty() {
                grid.place(Candidate { cell, digit: *random.pick(&digits) });
            }
        }
        if let Some(found) = Sat.solve(&grid, &limits).solutions.pop() {
            return Some(found);
        }
    }
    None
}

/// Fewest candidates first, digits in random order, given up when it backtracks too much.
fn fill(layout: &Layout, random: &mut Random) -> Option<Vec<u8>> {
    let cells = layout.cell_count();
    let mut masks: Vec<u32> = vec![layout.all_digits().words()[0] as u32; cells];
    let mut grid = vec![0u8; cells];
    let mut budget = 8 * cells;
    descend(layout, random, &mut grid, &mut masks, &mut budget).then_some(grid)
}

fn descend(
    layout: &Layout,
    random: &mut Random,
    grid: &mut [u8],
    masks: &mut [u32],
    budget: &mut usize,
) -> bool {
    // Ties are broken at random: always taking the first cell would favour some grids more.
    let (mut fewest, mut ties, mut choice) = (u32::MAX, 0, None);
    for (cell, &mask) in masks.iter().enumerate() {
        if grid[cell] != 0 {
            continue;
        }
        let count = mask.count_ones();
        if count < fewest {
            (fewest, ties, choice) = (count, 1, Some(cell));
        } else if count == fewest && fewest > 1 {
            ties += 1;
            if random.below(ties) == 0 {
                choice = Some(cell);
            }
        }
    }
    let Some(cell) = choice else { return true };
    let mut left = masks[cell];
    while left != 0 && *budget > 0 {
        *budget -= 1;
        let skip = random.below(left.count_ones() as usize);
        let bit = (0..skip).fold(left, |rest, _| rest & (rest - 1)).trailing_zeros();
        left &= !(1 << bit);
        grid[cell] = bit as u8 + 1;
        let changed: Vec<usize> = layout
            .peers(Cell::at(cell))
            .iter()
            .map(|peer| peer.index())
            .filter(|&p| grid[p] == 0 && masks[p] >> bit & 1 == 1)
            .collect();
        for &p in &changed {
            masks[p] &= !(1 << bit);
        }
        let alive = changed.iter().all(|&p| masks[p] != 0);
        if alive && descend(layout, random, grid, masks, budget) {
            return true;
        }
        for &p in &changed {
            masks[p] |= 1 << bit;
        }
        grid[cell] = 0;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::SIZES;
    use std::collections::BTreeMap;

    fn is_full(layout: &Layout, grid: &[u8]) -> bool {
        layout.all_houses().iter().all(|house| {
            let cells = layout.cells(house);
            let digits: Digits =
                cells.iter().map(|c| Digit::new(grid[c.index()] as usize)).collect();
            digits == layout.all_digits()
        })
    }

    #[test]
    fn every_maker_makes_full_grids() {
        for size in SIZES {
            let layout = Layout::classic(size).expect("a classic size");
            assert!(is_full(&layout, &full_grid(&layout, &mut Random::new(5))), "{size}");
        }
        for size in [4, 6, 9] {
            let layout = Layout::classic(size).expect("a classic size");
            for maker in [by_columns, backtracked] {
                let made = maker(&layout, &mut Random::new(3), 1_000_000);
                assert!(is_full(&layout, &made.grid.expect("a grid within the budget")));
            }
        }
        let four = Layout::classic(4).expect("4 is a classic size");
        assert!(is_full(&four, &by_rows(&four, &mut Random::new(1), 10_000).grid.expect("a grid")));
    }

    #[test]
    fn version_0_ends_at_its_budget() {
        let nine = Layout::classic(9).expect("9 is a classic size");
        assert_eq!(by_rows(&nine, &mut Random::new(1), 100), Attempt { grid: None, drawn: 100 });
    }

    /// 287 degrees of freedom: more than 365 comes about once in a thousand draws.
    #[test]
    fn all_grids_of_four_are_equally_likely() {
        let four = Layout::classic(4).expect("4 is a classic size");
        let mut random = Random::new(11);
        let mut counts = BTreeMap::new();
        let draws = 288 * 20;
        for _ in 0..draws {
            *counts.entry(full_grid(&four, &mut random)).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len(), 288);
        let chi: f64 = counts.values().map(|&n| (n as f64 - 20.0).powi(2) / 20.0).sum();
        assert!(chi < 365.0, "{chi}");
    }
}
