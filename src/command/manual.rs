//! `dokulog manual`: the manual page, in roff.

use super::{Context, Failure, Run};

/// Options of `manual`.
#[derive(clap::Args)]
pub struct Arguments {}

/// Runs it.
pub fn run(_arguments: &Arguments, _context: &Context) -> Run {
    Err(Failure::new("not built yet"))
}
