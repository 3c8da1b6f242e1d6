//! When rules are not enough: the enumerator, and the solvers of the sources.

mod methods;
pub mod nine;
pub mod plain;
mod solver;
pub mod sources;

pub use methods::{METHODS, Method};
pub use solver::{Answer, Effort, Ending, Limits, Solver};
