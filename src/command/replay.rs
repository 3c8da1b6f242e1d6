//! `dokulog replay`: check a trace without the engine.

use super::{Context, Failure, Run};

/// Options of `replay`.
#[derive(clap::Args)]
pub struct Arguments {}

/// Runs it.
pub fn run(_arguments: &Arguments, _context: &Context) -> Run {
    Err(Failure::new("not built yet"))
}
