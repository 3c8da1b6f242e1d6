//! `dokulog solve`: write the complete solution: .sud → .p2.

use super::{Context, Failure, Run};

/// Options of `solve`.
#[derive(clap::Args)]
pub struct Arguments {}

/// Runs it.
pub fn run(_arguments: &Arguments, _context: &Context) -> Run {
    Err(Failure::new("not built yet"))
}
