//! `dokulog stats`: which rules a collection of puzzles needs.

use super::{Context, Failure, Run};

/// Options of `stats`.
#[derive(clap::Args)]
pub struct Arguments {}

/// Runs it.
pub fn run(_arguments: &Arguments, _context: &Context) -> Run {
    Err(Failure::new("not built yet"))
}
