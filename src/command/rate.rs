//! `dokulog rate`: a puzzle's hardest rule and its score.

use super::{Context, Failure, Run};

/// Options of `rate`.
#[derive(clap::Args)]
pub struct Arguments {}

/// Runs it.
pub fn run(_arguments: &Arguments, _context: &Context) -> Run {
    Err(Failure::new("not built yet"))
}
