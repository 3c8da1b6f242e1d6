//! `dokulog count`: count the solutions.

use super::{Context, Failure, Run};

/// Options of `count`.
#[derive(clap::Args)]
pub struct Arguments {}

/// Runs it.
pub fn run(_arguments: &Arguments, _context: &Context) -> Run {
    Err(Failure::new("not built yet"))
}
