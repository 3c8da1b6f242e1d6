//! `dokulog fire`: every match of one rule on this very state.

use super::{Context, Failure, Run};

/// Options of `fire`.
#[derive(clap::Args)]
pub struct Arguments {}

/// Runs it.
pub fn run(_arguments: &Arguments, _context: &Context) -> Run {
    Err(Failure::new("not built yet"))
}
