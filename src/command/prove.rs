//! `dokulog prove`: prove rules sound, or show a puzzle where they go wrong.

use super::{Context, Failure, Run};

/// Options of `prove`.
#[derive(clap::Args)]
pub struct Arguments {}

/// Runs it.
pub fn run(_arguments: &Arguments, _context: &Context) -> Run {
    Err(Failure::new("not built yet"))
}
