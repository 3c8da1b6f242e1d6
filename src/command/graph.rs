//! `dokulog graph`: the constraint graph of a layout.

use super::boards::LayoutOption;
use super::{Context, Run, Status};
use crate::board::{Cells, ConstraintGraph, Grid, Layout};
use crate::trace::{Caption, Marks, Picture, Words};

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
    /// The board, with its further houses
    Svg,
}

/// Runs it.
pub fn run(arguments: &Arguments, _context: &Context) -> Run {
    let layout = arguments.layout.find_or(arguments.size)?;
    let text = match arguments.format {
        Format::Dot => ConstraintGraph::of(&layout).to_dot(&layout),
        Format::Svg => {
            let words = Words::plain(layout.clone());
            let heading = match layout.parts().title.as_str() {
                "" => format!("{0}×{0}", layout.size()),
                title => title.to_string(),
            };
            let marks = Marks { tinted: beyond_houses(&layout), ..Marks::default() };
            let text = match marks.tinted.is_empty() {
                true => String::new(),
                false => {
                    "The middle cell, and those that it has to do with beyond its houses".into()
                }
            };
            let caption = Caption { heading, text };
            // Nothing but the board: no pencil marks.
            let planes = vec![Cells::EMPTY; layout.size()];
            let empty = Grid::from_parts(layout, planes, Cells::EMPTY, Cells::EMPTY);
            Picture::new(&words).svg(&empty, &marks, &caption)
        }
    };
    super::print(&text)?;
    Ok(Status::Done)
}

/// The middle cell and those that pairs join it to; nothing where there are no pairs.
fn beyond_houses(layout: &Layout) -> Cells {
    let middle = layout.cell_at(layout.size() / 2, layout.size() / 2);
    let parts = layout.parts();
    let by_value = parts.excluded.iter().map(|(a, b)| (a.cell, b.cell));
    let pairs = parts.differ.iter().copied().chain(by_value);
    pairs.filter(|(a, b)| *a == middle || *b == middle).flat_map(|(a, b)| [a, b]).collect()
}
