//! Is this rule sound? Proved from the checked rule that also runs, or refuted by a puzzle.
//!
//! For every solved grid and every state that contains it, whenever a body holds in the state, the
//! head does not go against the grid. The negation of that is put to a SAT solver, one small
//! question for each binding of the rule's variables up to symmetry.
//!
//! ```text
//! sat       the solver, behind a trait            flatten   helpers unfolded
//! encode    grid and state as propositions        plan      the order of binding
//! symbol    sets that depend on the state         symmetry  what need not be tried twice
//! evaluate  terms; condition: literals            walk      all bindings
//! stage     as little of the grid as will do      inquiry   the questions
//! meaning   what recursive helpers mean           second    what two solutions look like
//! judge     the verdict                           counterexample   puzzles from models
//! ```

mod agree;
mod counterexample;
mod cover;
mod defence;
mod encode;
mod existence;
mod flatten;
mod judge;
mod lint;
mod meaning;
mod plan;
mod sat;
mod second;
mod inquiry;
mod show;
mod stage;
mod status;
mod symbol;
mod symmetry;
pub mod trial;
mod verdict;
mod walk;

pub use agree::conclusions;
pub use counterexample::{Counterexample, puzzle_of};
pub use cover::{Coverage, covers};
pub use inquiry::{Budget, Claim};
pub use judge::{Options, judge};
pub use lint::superfluous;
pub use show::{as_json, as_svg, as_text};
pub use status::{key, known, status};
pub use verdict::{Judgement, Verdict};
