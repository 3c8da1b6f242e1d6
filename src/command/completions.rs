//! `dokulog completions`: completions for a shell.

use super::{Context, Failure, Run};

/// Options of `completions`.
#[derive(clap::Args)]
pub struct Arguments {}

/// Runs it.
pub fn run(_arguments: &Arguments, _context: &Context) -> Run {
    Err(Failure::new("not built yet"))
}
