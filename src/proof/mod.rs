//! Is this rule sound? Proved from the checked rule that also runs, or refuted by a puzzle.

mod encode;
mod evaluate;
mod flatten;
mod meaning;
mod plan;
mod sat;
mod second;
mod session;
mod stage;
mod symbol;
mod symmetry;
pub mod trial;
mod walk;
