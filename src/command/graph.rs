//! `dokulog graph`: the constraint graph of a layout.

use super::boards::LayoutOption;
use super::{Context, Run, Status};
use crate::board::{Cell, Cells, ConstraintGraph, Grid, Layout};
use crate::trace::{Caption, Marks, Picture, Words};

/// Options of `graph`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dokulog graph > nine.dot           which cell is in which house
  dokulog graph --size 4 | dot -Tsvg > four.svg
  dokulog graph --layout windoku     with its windows")]
pub(super) struct Arguments {
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
pub(super) fn run(arguments: &Arguments, _context: &Context) -> Run {
    let layout = arguments.layout.find_or(arguments.size)?;
    let text = match arguments.format {
        Format::Dot => ConstraintGraph::of(&layout).to_dot(&layout),
        Format::Svg => {
            let words = Words::plain(layout.clone());
            let heading = match layout.parts().title.as_str() {
                "" => format!("{0}×{0}", layout.size()),
                title => title.to_string(),
            };
            let shown = telling_cell(&layout);
            let tinted = shown.map_or(Cells::EMPTY, |(cell, others)| others | Cells::only(cell));
            let text = shown.map_or(String::new(), |(cell, _)| {
                let cell = layout.cell_name(cell);
                format!("{cell}, and the cells of other houses that it has to do with")
            });
            let marks = Marks { tinted, ..Marks::default() };
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

/// The cell that shows best which pairs there are, and those that pairs join it to: most of them
/// in none of its houses, and far away; nearest to the middle if there are several. Nothing where
/// there are no pairs.
fn telling_cell(layout: &Layout) -> Option<(Cell, Cells)> {
    let parts = layout.parts();
    let by_value = parts.excluded.iter().map(|(a, b)| (a.cell, b.cell));
    let mut joined = vec![Cells::EMPTY; layout.cell_count()];
    for (a, b) in parts.differ.iter().copied().chain(by_value) {
        joined[a.index()].insert(b);
        joined[b.index()].insert(a);
    }
    let place = |cell| (layout.row_index(cell), layout.column_index(cell));
    let apart = |(r, c): (usize, usize), (s, d): (usize, usize)| r.abs_diff(s) + c.abs_diff(d);
    let middle = (layout.size() / 2, layout.size() / 2);
    let worth = |cell: Cell| {
        let others = joined[cell.index()];
        let beyond =
            others.iter().filter(|&o| (layout.houses_of(o) & layout.houses_of(cell)).is_empty());
        let far: usize = others.iter().map(|other| apart(place(cell), place(other))).sum();
        (beyond.count(), far, std::cmp::Reverse(apart(place(cell), middle)))
    };
    let some = layout.all_cells().into_iter().filter(|cell| !joined[cell.index()].is_empty());
    some.max_by_key(|&cell| worth(cell)).map(|cell| (cell, joined[cell.index()]))
}
