//! `dokulog deduce`: write what the rules alone decide: .sud → .p1.

use super::{Context, Failure, Run};

/// Options of `deduce`.
#[derive(clap::Args)]
pub struct Arguments {}

/// Runs it.
pub fn run(_arguments: &Arguments, _context: &Context) -> Run {
    Err(Failure::new("not built yet"))
}
