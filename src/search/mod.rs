//! When rules are not enough: the enumerator, and the solvers of the sources.

pub mod plain;
mod solver;
pub mod sources;

pub use solver::{Answer, Effort, Ending, Limits, Solver};
