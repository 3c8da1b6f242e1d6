//! `dokulog hint`: the next step, as much of it as asked for.

use super::{Context, Failure, Run};

/// Options of `hint`.
#[derive(clap::Args)]
pub struct Arguments {}

/// Runs it.
pub fn run(_arguments: &Arguments, _context: &Context) -> Run {
    Err(Failure::new("not built yet"))
}
