//! Making full grids and puzzles, all from explicit seeds.

mod covered;
mod full;
mod permutation;
mod puzzle;
mod wanted;

pub use full::{Attempt, backtracked, by_columns, by_rows, full_grid, some_full_grid};
pub use puzzle::{Maker, Symmetry, remove_until_minimal};
pub use wanted::{Judge, Wanted};
