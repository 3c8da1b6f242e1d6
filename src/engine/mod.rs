//! How rules run: the naive evaluator that defines their meaning, and the fast back ends.

mod fruitless;
pub mod join;
pub mod naive;
pub mod plan;
pub mod near;
mod tell;
pub mod shape;
mod compiled;
mod fit;
mod gaps;
mod late;
mod matcher;
mod suppose;
pub mod whole;
mod worker;

use crate::board::Grid;
use crate::trace::{Match, Report, Step, Trace};

pub use compiled::{AssumesUnique, BackEnds, Engine, Exhausted, Options};
pub use fit::Unfit;
pub use gaps::gaps;
pub use naive::{BUDGET, Naive};
pub use tell::{account, rate, tell};
pub use worker::Worker;

/// Something that runs a rule set on grids. The naive evaluator and the engine both do, and must
/// agree.
pub trait Deducer {
    /// Fires everything to the fixpoint, all matches a pass.
    fn fixpoint(&mut self, grid: &mut Grid) -> Report;
    /// Fires one match a step, easiest first, to the fixpoint.
    fn trace(&mut self, grid: &mut Grid) -> (Report, Trace);
    /// The next step that [`Deducer::trace`] would make.
    fn next_step(&mut self, grid: &Grid) -> Option<Step>;
    /// Every match of one instance on this very state, those that change nothing included, in a
    /// fixed order.
    fn matches(&mut self, instance: usize, grid: &Grid) -> Vec<Match>;
    /// A match with the step's conclusion, on the state before the step.
    fn witness(&mut self, step: &Step, before: &Grid) -> Option<Match>;
}
