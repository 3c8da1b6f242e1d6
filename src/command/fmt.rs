//! `dokulog fmt`: rule files in their canonical layout.

use super::{Context, Failure, Run};

/// Options of `fmt`.
#[derive(clap::Args)]
pub struct Arguments {}

/// Runs it.
pub fn run(_arguments: &Arguments, _context: &Context) -> Run {
    Err(Failure::new("not built yet"))
}
