//! `dokulog query`: the answers to a goal, as Prolog's prompt gives them.

use super::{Context, Failure, Run};

/// Options of `query`.
#[derive(clap::Args)]
pub struct Arguments {}

/// Runs it.
pub fn run(_arguments: &Arguments, _context: &Context) -> Run {
    Err(Failure::new("not built yet"))
}
