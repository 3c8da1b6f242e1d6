//! `dokulog why-not`: the first condition of a rule that fails, and the closest match.

use super::{Context, Failure, Run};

/// Options of `why-not`.
#[derive(clap::Args)]
pub struct Arguments {}

/// Runs it.
pub fn run(_arguments: &Arguments, _context: &Context) -> Run {
    Err(Failure::new("not built yet"))
}
