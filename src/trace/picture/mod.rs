//! A board as SVG: digits, pencil marks, and the marks of a step.
//!
//! Every mark has a shape of its own, so that a picture can be read without colour:
//!
//! ```text
//! house the argument starts from   solid outline        pattern cell        tint and thin frame
//! house where it ends              dashed outline       pattern candidate   ring
//! one of the two is true           solid arrow          eliminated          stroke through it
//! not both are true                dashed arrow         placed              box, drawn large
//! what a chain supposes not to be  hollow square        what then is        filled disc
//! one of two colours               filled disc          the other one       light hexagon
//! fin                              diamond              group of a chain    capsule around it
//! sets                             frames with dashes of their own          pivot: double frame
//! ```
//!
//! The studio draws the same marks in the same colours: `web/board.js`, `web/studio.css`.

mod legend;
mod links;
mod nodes;
mod zones;

use std::fmt::Write;

use crate::board::{Candidate, Cell, Grid, House};
use crate::text::escape;

use super::marks::Marks;
use super::words::Words;

pub(crate) use legend::{Sign, listed, signs};

/// Colours and strokes of a picture that stands alone. Pages bring their own.
pub(super) const STYLE: &str = "\
.paper{fill:#fff}.rim{fill:#575c66;font-size:15px}.thin{stroke:#c9c8c4;stroke-width:1}\
.thick{stroke:#26282d;stroke-width:2.6;stroke-linecap:square}\
.given{fill:#1c1d21;font-weight:700}.placed{fill:#1a58b8}.mark{fill:#575c66}\
.tint{fill:#fdf3d3;stroke:#a0750a;stroke-width:1.8}\
.starts{fill:none;stroke:#1a58b8;stroke-width:4}\
.ends{fill:none;stroke:#8f4a00;stroke-width:4;stroke-dasharray:11 7}\
.ring{fill:none;stroke:#0d6b45;stroke-width:2}.out{fill:#fbe3e0}\
.strike{stroke:#b0221b;stroke-width:2;stroke-linecap:round}\
.out-digit{fill:#8c1410;font-weight:700;stroke:#fbe3e0;stroke-width:2.4;paint-order:stroke}\
.box{fill:none;stroke:#1a58b8;stroke-width:2.8}\
.cover{stroke-dasharray:3 2.4}.fin{fill:#ffe4bd;stroke:#9a4300;stroke-width:1.8}\
.blue{fill:#1a58b8;stroke:#fff;stroke-width:1.2}.green{fill:#cdebc3;stroke:#0d6b45;stroke-width:1.6}\
.orange{fill:#9a4300;stroke:#fff;stroke-width:1.2}.violet{fill:#ece0f6;stroke:#6b2fa0;stroke-width:1.8}\
.set1{fill:#dbe8fb;stroke:#1a58b8}.set2{fill:#fde6cf;stroke:#8f4a00;stroke-dasharray:9 4}\
.set3{fill:#dcf1d6;stroke:#0d6b45;stroke-dasharray:2.5 3}\
.set4{fill:#ece0f6;stroke:#6b2fa0;stroke-dasharray:10 3 2.5 3}\
.set5{fill:#f9dbe6;stroke:#a11f5b;stroke-dasharray:15 5}\
.set6{fill:#e9e6cf;stroke:#5c5a1e;stroke-dasharray:5 5}\
.pivot{fill:#dbe8fb;stroke:#1a58b8;stroke-width:2.6}.pincer{fill:#fde6cf;stroke:#8f4a00}\
.inner{fill:none;stroke:#1a58b8;stroke-width:1.2}\
.capsule{fill:#0d6b45;fill-opacity:.14;stroke:#0d6b45;stroke-width:1.2}\
.on{fill:#0d6b45;stroke:#fff;stroke-width:1.2}.off{fill:#fff;stroke:#1c1d21;stroke-width:1.6}\
.on-digit,.blue-digit,.orange-digit{fill:#fff;font-weight:700}\
.off-digit,.green-digit,.violet-digit,.fin-digit{fill:#1c1d21;font-weight:700}\
.link{fill:none;stroke:#0d6b45;stroke-width:2.4}.group{stroke:#575c66;stroke-width:5;stroke-opacity:.45;stroke-linecap:round}\
.head{fill:#0d6b45}\
.weak{stroke:#1c1d21;stroke-width:1.4;stroke-dasharray:5 4}\
.weak-head{fill:none;stroke:#1c1d21;stroke-width:1.4}\
.effect{fill:none;stroke:#b0221b;stroke-width:1.5;stroke-dasharray:1 4;stroke-linecap:round}\
.sign{fill:#1c1d21;font-size:13.5px}.caption{fill:#1c1d21;font-size:16px}.caption .head{font-weight:700;fill:#1c1d21}";

/// What pages say of legends, and of boards on a phone.
pub const FOR_PAGES: &str = include_str!("pages.css");

/// Room for the labels at the left and the top.
const RIM: f64 = 26.0;

/// Draws boards of one layout.
pub struct Picture<'a> {
    words: &'a Words,
    cell: f64,
    legend: bool,
}

/// What stands below a board: a heading and lines of text.
#[derive(Clone, Debug, Default)]
pub struct Caption {
    /// In bold.
    pub heading: String,
    /// Lines, broken into shorter ones as needed.
    pub text: String,
}

impl Caption {
    /// Room for a line.
    const LINE: f64 = 22.0;
}

impl<'a> Picture<'a> {
    /// A picture with these names on its rim.
    pub fn new(words: &'a Words) -> Picture<'a> {
        let layout = &words.layout;
        let (across, down) = layout.marks();
        let cell = (20.0 * across.max(down) as f64).max(60.0);
        Picture { words, cell, legend: true }
    }

    /// The same for a page that has the legend beside it.
    pub fn without_legend(self) -> Picture<'a> {
        Picture { legend: false, ..self }
    }

    /// What these marks mean, as a list of a page.
    pub fn legend(&self, marks: &Marks) -> String {
        listed(&signs(marks), self.words.language)
    }

    /// A whole SVG file: the board, its marks, what it shows in words.
    pub fn svg(&self, grid: &Grid, marks: &Marks, caption: &Caption) -> String {
        self.sheet(&[(grid, marks, caption)])
    }

    /// A whole SVG file with boards one below the other; the first gives it its title.
    pub fn sheet(&self, boards: &[(&Grid, &Marks, &Caption)]) -> String {
        let (width, height) = self.size();
        let (mut full, mut inner) = (0.0, String::new());
        for (i, (grid, marks, caption)) in boards.iter().enumerate() {
            let lines: Vec<String> =
                caption.text.lines().flat_map(|line| wrap(line, (width / 9.2) as usize)).collect();
            let titled = !caption.heading.is_empty();
            let below = (lines.len() + usize::from(titled)) as f64 * Caption::LINE;
            let (legend, room) = match self.legend {
                true => legend::drawn(marks, self.words.language, width, height),
                false => (String::new(), 0.0),
            };
            let height = height + room;
            let words = self.caption(caption, &lines, height + 14.0);
            let board = self.board(grid, marks) + &legend + &words;
            inner += &match i {
                0 => board,
                _ => format!("<g transform=\"translate(0 {})\">\n{board}</g>\n", number(full)),
            };
            full += if below > 0.0 { height + below + 6.0 } else { height };
        }
        let caption = boards.first().map(|(_, _, caption)| (*caption).clone()).unwrap_or_default();
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" \
             viewBox=\"0 0 {w} {h}\" role=\"img\" font-family=\"sans-serif\">\n",
            w = number(width),
            h = number(full)
        );
        let _ = writeln!(svg, "<title>{}</title>", escape(&caption.heading));
        if !caption.text.is_empty() {
            let _ = writeln!(svg, "<desc>{}</desc>", escape(&caption.text));
        }
        let _ = writeln!(svg, "<style>{STYLE}</style>");
        let (w, h) = (number(width), number(full));
        let _ = writeln!(svg, "<rect class=\"paper\" width=\"{w}\" height=\"{h}\"/>");
        svg.push_str(&inner);
        svg.push_str("</svg>\n");
        svg
    }

    fn caption(&self, caption: &Caption, lines: &[String], top: f64) -> String {
        let heading = (!caption.heading.is_empty()).then_some(("head", &caption.heading));
        let mut svg = String::from("<g class=\"caption\">\n");
        let all = heading.into_iter().chain(lines.iter().map(|line| ("line", line)));
        for (i, (class, line)) in all.enumerate() {
            let y = number(top + i as f64 * Caption::LINE);
            let (x, line) = (number(RIM), escape(line));
            let _ = writeln!(svg, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{line}</text>");
        }
        svg.push_str("</g>\n");
        svg
    }

    /// Width and height of a board with its rim.
    pub fn size(&self) -> (f64, f64) {
        /// Room to breathe at the right and the bottom.
        const MARGIN: f64 = 8.0;
        let side = RIM + self.words.layout.size() as f64 * self.cell + MARGIN;
        (side, side)
    }

    /// The board in layers: what lies under the digits, lines, digits, what lies over them.
    fn board(&self, grid: &Grid, marks: &Marks) -> String {
        let (under, over) = (self.under(marks), self.over(marks));
        format!(
            "{}<g class=\"under\">{under}</g>\n{}{}<g class=\"over\">{over}</g>\n",
            zones::drawn(&self.words.layout, RIM, self.cell),
            self.frame(),
            self.digits(grid, false)
        )
    }

    /// What a layout has beside rows, columns and boxes, as colours behind everything.
    pub fn zones(&self) -> String {
        zones::drawn(&self.words.layout, RIM, self.cell)
    }

    /// Lines and labels.
    pub fn frame(&self) -> String {
        let layout = &self.words.layout;
        let size = layout.size();
        let (from, to) = (RIM, RIM + size as f64 * self.cell);
        let mut svg = String::from("<g class=\"frame\" text-anchor=\"middle\">\n");
        for i in 0..size {
            let middle = RIM + (i as f64 + 0.5) * self.cell;
            let (row, column) = (self.words.row_label(i), i + 1);
            let (x, y) = (number(RIM / 2.0 - 1.0), number(middle + 5.0));
            let _ = writeln!(svg, "<text class=\"rim\" x=\"{x}\" y=\"{y}\">{row}</text>");
            let (x, y) = (number(middle), number(RIM - 8.0));
            let _ = writeln!(svg, "<text class=\"rim\" x=\"{x}\" y=\"{y}\">{column}</text>");
        }
        for (class, thick) in [("thin", false), ("thick", true)] {
            for i in 0..=size {
                let at = number(RIM + i as f64 * self.cell);
                let (from, to) = (number(from), number(to));
                if (i % layout.box_height() == 0) == thick {
                    let _ = write!(svg, "<path class=\"{class}\" d=\"M{from} {at}H{to}\"/>");
                }
                if (i % layout.box_width() == 0) == thick {
                    let _ = writeln!(svg, "<path class=\"{class}\" d=\"M{at} {from}V{to}\"/>");
                }
            }
        }
        svg.push_str(&zones::walls(layout, RIM, self.cell));
        svg.push_str("</g>\n");
        svg
    }

    /// Placed digits and pencil marks. For a page each has a name: `n12` a cell's digit, `m12-3`
    /// a mark, both counted from 0.
    pub fn digits(&self, grid: &Grid, named: bool) -> String {
        let layout = grid.layout();
        // As large as the rings around them allow: on a phone the board is 360 pixels wide.
        let small = if layout.size() > 9 { 0.64 } else { 0.82 };
        let (wide, high) = self.spot();
        let mut svg = format!(
            "<g class=\"digits\" text-anchor=\"middle\" font-size=\"{}\">\n",
            number(wide.min(high) * small)
        );
        let large = number(self.cell * if layout.size() > 9 { 0.5 } else { 0.6 });
        for cell in layout.all_cells() {
            let digit = grid.digit_at(cell);
            let name = match named {
                true => format!(" id=\"n{}\"", cell.index()),
                false => String::new(),
            };
            if digit.is_some() || named {
                let (x, y) = self.middle(cell);
                let class = if grid.given().contains(cell) { "given" } else { "placed" };
                let digit = digit.map_or(String::new(), |d| d.to_string());
                let (x, y) = (number(x), number(y + self.cell * 0.21));
                let _ = writeln!(
                    svg,
                    "<text{name} class=\"{class}\" font-size=\"{large}\" x=\"{x}\" y=\"{y}\">{digit}</text>",
                );
            }
            if digit.is_none() {
                self.pencil_marks(grid, cell, named, &mut svg);
            }
        }
        svg.push_str("</g>\n");
        svg
    }

    fn pencil_marks(&self, grid: &Grid, cell: Cell, named: bool, svg: &mut String) {
        for digit in grid.candidates(cell) {
            let (x, y) = self.at(Candidate { cell, digit });
            let (_, high) = self.spot();
            let name = match named {
                true => format!(" id=\"m{}-{}\"", cell.index(), digit.index()),
                false => String::new(),
            };
            let (x, y) = (number(x), number(y + high.min(20.0) * 0.29));
            let _ = write!(svg, "<text{name} class=\"mark\" x=\"{x}\" y=\"{y}\">{digit}</text>");
        }
        svg.push('\n');
    }

    /// What lies under the digits: pattern cells, and a disc behind what goes.
    pub fn under(&self, marks: &Marks) -> String {
        let mut svg = String::new();
        for cell in marks.tinted {
            self.frame_of(cell, marks.framed.get(&cell).copied(), &mut svg);
        }
        for &candidate in &marks.struck {
            let (x, y) = self.at(candidate);
            let (x, y, r) = (number(x), number(y), number(self.radius()));
            let _ = write!(svg, "<circle class=\"out\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>");
        }
        svg
    }

    /// What lies over the digits: outlines, links, rings, strokes, boxes.
    pub fn over(&self, marks: &Marks) -> String {
        let mut svg = String::new();
        for (i, &house) in marks.outlined.iter().enumerate() {
            let class = if i < marks.starting { "starts" } else { "ends" };
            self.outline(house, class, if i < marks.starting { 0.0 } else { 3.0 }, &mut svg);
        }
        svg.push_str(&self.links(marks));
        let radius = self.radius();
        marks.ringed.iter().for_each(|&candidate| self.ring(candidate, "ring", &mut svg));
        marks.painted.iter().for_each(|(&c, &paint)| self.painted(c, paint, &mut svg));
        marks.struck.iter().for_each(|&candidate| self.struck(candidate, &mut svg));
        for &candidate in &marks.boxed {
            let (x, y) = self.at(candidate);
            let (x, y) = (number(x - radius), number(y - radius));
            let (side, name) = (number(2.0 * radius), self.name(candidate));
            let _ = write!(
                svg,
                "<rect class=\"box\" data-mark=\"{name}\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\"/>"
            );
            let (x, y) = self.corner(candidate.cell);
            let (x, y, side) = (number(x + 2.5), number(y + 2.5), number(self.cell - 5.0));
            let _ = write!(
                svg,
                "<rect class=\"box\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\"/>"
            );
        }
        svg
    }

    /// The edge of a house, whatever its shape, drawn `inside` the cells' own edges.
    fn outline(&self, house: House, class: &str, inside: f64, svg: &mut String) {
        let layout = &self.words.layout;
        let cells = layout.cells(house);
        let size = layout.size();
        let mut path = String::new();
        for cell in cells {
            let (row, column) = (layout.row_index(cell), layout.column_index(cell));
            let has = |row: usize, column: usize| {
                row < size && column < size && cells.contains(layout.cell_at(row, column))
            };
            let (x, y) = self.corner(cell);
            let (left, right) = (has(row, column.wrapping_sub(1)), has(row, column + 1));
            let (up, down) = (has(row.wrapping_sub(1), column), has(row + 1, column));
            let x0 = number(if left { x } else { x + inside });
            let x1 = number(if right { x + self.cell } else { x + self.cell - inside });
            let y0 = number(if up { y } else { y + inside });
            let y1 = number(if down { y + self.cell } else { y + self.cell - inside });
            let sides = [
                (!up, format!("M{x0} {y0}H{x1}")),
                (!down, format!("M{x0} {y1}H{x1}")),
                (!left, format!("M{x0} {y0}V{y1}")),
                (!right, format!("M{x1} {y0}V{y1}")),
            ];
            sides.into_iter().filter(|(edge, _)| *edge).for_each(|(_, side)| path.push_str(&side));
        }
        let name = escape(&layout.house_name(house));
        let _ = write!(svg, "<path class=\"{class}\" data-house=\"{name}\" d=\"{path}\"/>");
    }

    fn name(&self, candidate: Candidate) -> String {
        format!("{}={}", self.words.layout.cell_name(candidate.cell), candidate.digit)
    }

    /// Width and height of the room for one pencil mark.
    fn spot(&self) -> (f64, f64) {
        let (across, down) = self.words.layout.marks();
        let inner = self.cell - 4.0;
        (inner / across as f64, inner / down as f64)
    }

    fn radius(&self) -> f64 {
        let (wide, high) = self.spot();
        wide.min(high).min(24.0) * 0.46
    }

    fn corner(&self, cell: Cell) -> (f64, f64) {
        let layout = &self.words.layout;
        let at = |i: usize| RIM + i as f64 * self.cell;
        (at(layout.column_index(cell)), at(layout.row_index(cell)))
    }

    fn middle(&self, cell: Cell) -> (f64, f64) {
        let (x, y) = self.corner(cell);
        (x + self.cell / 2.0, y + self.cell / 2.0)
    }

    /// The middle of a candidate's place in its cell.
    fn at(&self, Candidate { cell, digit }: Candidate) -> (f64, f64) {
        let (across, _) = self.words.layout.marks();
        let (x, y) = self.corner(cell);
        let (wide, high) = self.spot();
        let (row, column) = (digit.index() / across, digit.index() % across);
        (x + 2.0 + (column as f64 + 0.5) * wide, y + 2.0 + (row as f64 + 0.5) * high)
    }
}

/// A coordinate with at most one decimal.
pub(super) fn number(x: f64) -> String {
    let text = format!("{x:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_string)
}

/// Text in lines of about this many signs, broken at spaces.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}
