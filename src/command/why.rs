//! `dokulog why`: the steps that a placed digit rests on.

use super::{Context, Failure, Run};

/// Options of `why`.
#[derive(clap::Args)]
pub struct Arguments {}

/// Runs it.
pub fn run(_arguments: &Arguments, _context: &Context) -> Run {
    Err(Failure::new("not built yet"))
}
