//! `dokulog convert`: read puzzles and write them again in another layout.

use super::{Context, Failure, Run};

/// Options of `convert`.
#[derive(clap::Args)]
pub struct Arguments {}

/// Runs it.
pub fn run(_arguments: &Arguments, _context: &Context) -> Run {
    Err(Failure::new("not built yet"))
}
