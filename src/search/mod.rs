//! When rules are not enough: the enumerator, and the solvers of the sources.

pub mod any;
mod last_resort;
mod methods;
mod misled;
pub mod nine;
pub mod plain;
pub mod sat;
mod reasoner;
mod solver;
mod standing;
mod unique;
pub mod sources;

pub use last_resort::{Auto, Enumerate, Sat};
pub use methods::{METHODS, Method};
pub use misled::{WrongStep, lost};
pub use reasoner::{InShort, NotUnique, Reasoner, Solved, Workers, filled};
pub use solver::{Answer, Effort, Ending, Limits, Solver};
pub use standing::{Blame, Standing, differences, standing};
pub use unique::{count, has_one_solution};
