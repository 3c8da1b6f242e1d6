//! What happened and why: values, matches, steps, outcomes; explanations; replay.

mod step;

pub use step::{Bindings, Conclusion, Match, Outcome, Report, Step, Trace, Value};
