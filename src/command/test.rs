//! `dokulog test`: run the examples in rule files, and rules on generated puzzles.

use super::{Context, Failure, Run};

/// Options of `test`.
#[derive(clap::Args)]
pub struct Arguments {}

/// Runs it.
pub fn run(_arguments: &Arguments, _context: &Context) -> Run {
    Err(Failure::new("not built yet"))
}
