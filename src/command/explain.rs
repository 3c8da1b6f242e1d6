//! `dokulog explain`: every step in words, or as JSON, SVG or a page.

use super::{Context, Failure, Run};

/// Options of `explain`.
#[derive(clap::Args)]
pub struct Arguments {}

/// Runs it.
pub fn run(_arguments: &Arguments, _context: &Context) -> Run {
    Err(Failure::new("not built yet"))
}
