//! Making full grids and puzzles, all from explicit seeds.

mod covered;
mod full;
mod permutation;
mod puzzle;
mod wanted;

pub use full::{Attempt, backtracked, by_columns, by_rows, full_grid, some_full_grid};
pub use permutation::permutation;
pub use puzzle::{Maker, Symmetry, add_until_unique, remove_until_minimal};
pub use wanted::{Judge, Wanted};
