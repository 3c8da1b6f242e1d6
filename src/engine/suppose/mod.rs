//! Hypotheses: where they lead, and the rules that suppose them.
//!
//! ```text
//! ends   a state, a hypothesis, the rules under a level: the state at their end
//! net    clauses that ask the same of all ends: contradictions, and what ends have in common
//! reason the steps to an end, cut to what the goal rests on; the shortest of many
//! ```
//!
//! The ends of a state are kept and shared by all rules that suppose. A clause that `net` does not
//! know runs on the naive evaluator, which asks for the ends one by one.

mod ends;
mod net;
mod reason;

pub(super) use ends::Ends;
pub(super) use net::Net;
pub(super) use reason::{Reason, TRIES};
