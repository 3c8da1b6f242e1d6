//! The crate as others see it: puzzles and rules, and what can be asked of them. Everything here
//! is a short call into the modules above; nothing is decided here.

mod batch;
mod error;
mod look;
mod making;
mod puzzle;
mod rules;
mod selector;
mod told;
mod why;

pub use batch::{Batch, RatedRow, Row, SolvedRow};
pub use error::{Error, Problem};
pub use look::Answer;
pub use making::{Order, Workshop};
pub use puzzle::Puzzle;
pub use rules::Rules;
pub(crate) use selector::{NoRule, Selector};
pub use told::{Deduction, Difficulty, Explanation, Outcome, Proof, Reasons, Solution, Step};
pub(crate) use why::{Question, Why};
