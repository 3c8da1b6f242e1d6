//! What happened and why: values, matches, steps, outcomes; explanations; replay.

mod step;
mod derivation;
mod words;
pub mod json;

pub use derivation::Derivation;
pub use step::{Bindings, Conclusion, Match, Outcome, Report, Step, Trace, Value};
pub use words::{Language, Notation, Words, digit_named};
