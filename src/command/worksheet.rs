//! `dokulog worksheet`: the position right before the first use of a rule, for print.

use super::{Context, Failure, Run};

/// Options of `worksheet`.
#[derive(clap::Args)]
pub struct Arguments {}

/// Runs it.
pub fn run(_arguments: &Arguments, _context: &Context) -> Run {
    Err(Failure::new("not built yet"))
}
