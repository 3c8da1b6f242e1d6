//! `dokulog rules`: the rules loaded, in firing order, or one rule whole.

use super::{Context, Failure, Run};

/// Options of `rules`.
#[derive(clap::Args)]
pub struct Arguments {}

/// Runs it.
pub fn run(_arguments: &Arguments, _context: &Context) -> Run {
    Err(Failure::new("not built yet"))
}
