//! What a layout has beside rows, columns and rectangular boxes: colours behind the cells of
//! further houses and groups, grey behind cells that cannot have every digit, walls between boxes.

use std::fmt::Write;

use crate::board::{Cell, Layout};

use super::number;

/// Light enough for digits to be read on them, also where two lie on each other.
const COLOURS: [&str; 9] = [
    "#8fb8de", "#f2b880", "#9ed39b", "#e39bb5", "#c9b3e6", "#e6dc7e", "#8fd6cf", "#d3a58c",
    "#b8c2a0",
];

fn corner(layout: &Layout, rim: f64, side: f64, cell: Cell) -> (f64, f64) {
    let at = |i: usize| rim + i as f64 * side;
    (at(layout.column_index(cell)), at(layout.row_index(cell)))
}

/// The colours; nothing for a layout that has nothing to show.
pub(super) fn drawn(layout: &Layout, rim: f64, side: f64) -> String {
    let parts = layout.parts();
    let zones = parts.houses.iter().chain(&parts.groups);
    let mut svg = String::new();
    for (zone, colour) in zones.zip(COLOURS.iter().cycle()) {
        for &cell in &zone.cells {
            square(corner(layout, rim, side, cell), side, 0.0, colour, &mut svg);
        }
    }
    for (cell, _) in &parts.only {
        square(corner(layout, rim, side, *cell), side, side * 0.08, "#9a9a9a", &mut svg);
    }
    if svg.is_empty() {
        return svg;
    }
    format!("<g class=\"zones\" fill-opacity=\"0.4\">{svg}</g>\n")
}

fn square((x, y): (f64, f64), side: f64, inside: f64, colour: &str, svg: &mut String) {
    let (x, y, side) = (number(x + inside), number(y + inside), number(side - 2.0 * inside));
    let _ = write!(
        svg,
        "<rect fill=\"{colour}\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\"/>"
    );
}

/// The sides between boxes that are no rectangles side by side.
pub(super) fn walls(layout: &Layout, rim: f64, side: f64) -> String {
    if !layout.has_boxes() || layout.box_width() < layout.size() {
        return String::new();
    }
    let mut path = String::new();
    for cell in layout.all_cells() {
        let (row, column) = (layout.row_index(cell), layout.column_index(cell));
        let (x, y) = corner(layout, rim, side, cell);
        let differs = |other: Cell| layout.box_of(cell) != layout.box_of(other);
        if column > 0 && differs(layout.cell_at(row, column - 1)) {
            let _ = write!(path, "M{} {}v{}", number(x), number(y), number(side));
        }
        if row > 0 && differs(layout.cell_at(row - 1, column)) {
            let _ = write!(path, "M{} {}h{}", number(x), number(y), number(side));
        }
    }
    format!("<path class=\"thick\" fill=\"none\" d=\"{path}\"/>\n")
}
