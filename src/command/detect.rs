//! `dokulog detect`: say which layout a file has, and why.

use super::{Context, Failure, Run};

/// Options of `detect`.
#[derive(clap::Args)]
pub struct Arguments {}

/// Runs it.
pub fn run(_arguments: &Arguments, _context: &Context) -> Run {
    Err(Failure::new("not built yet"))
}
