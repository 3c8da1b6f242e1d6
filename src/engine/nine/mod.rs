//! Plane programs and the Hall operator on the 9×9 board in vector registers.
//!
//! ```text
//! questions   which candidates are alone, which are locked out: the whole board at once
//! memo        tight sets of each house and digit, kept until its candidates change
//! run         the fixpoint: a kernel that goes on until it is done or a join is needed
//! ```
//!
//! This is quick because it does not look for contradictions on the way: what is empty stays
//! empty, so one look at the end tells. A run that ends in [`Stop::Doubtful`] is done again on
//! plain bit sets, which check after each pass and say what went wrong where.

mod memo;
mod questions;
mod run;

pub use memo::Memo;
pub use run::{Passes, Record, Recorded, Run, RunNumbers, Stop};
