//! What a puzzle is: digits, cells, houses, their layout, and the candidates still possible.

mod graph;
pub mod groups;
mod grid;
mod layout;
mod parts;
mod sets;
pub mod simd;

pub use graph::{ConstraintGraph, Reliance};
pub use grid::{Candidate, Clash, Grid, Hole};
pub use layout::{HouseKind, Layout, MOST_HOUSES, SIZES};
pub use parts::{Named, Parts};
pub use sets::{Cell, Cells, Digit, Digits, House, Houses, Index, Set};
