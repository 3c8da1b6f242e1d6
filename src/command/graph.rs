//! `dokulog graph`: the constraint graph of a layout.

use super::boards::LayoutOption;
use super::{Context, Run, Status};
use crate::board::ConstraintGraph;

/// Options of `graph`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog graph > nine.dot           which cell is in which house
  dokulog graph --size 4 | dot -Tsvg > four.svg
  dokulog graph --layout windoku     with its windows")]
pub struct Arguments {
    /// The size of the grid: 4, 6, 9, 12, 16 or 25 [default: 9]
    #[arg(long, value_name = "N")]
    size: Option<usize>,
    #[command(flatten)]
    layout: LayoutOption,
    /// How to write it
    #[arg(long, value_enum, default_value_t = Format::Dot)]
    format: Format,
}

/// How a graph is written.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For Graphviz
    Dot,
}

/// Runs it.
pub fn run(arguments: &Arguments, _context: &Context) -> Run {
    let layout = arguments.layout.find_or(arguments.size)?;
    let text = match arguments.format {
        Format::Dot => ConstraintGraph::of(&layout).to_dot(&layout),
    };
    super::print(&text)?;
    Ok(Status::Done)
}
