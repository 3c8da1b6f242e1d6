//! Candidates and cells that are drawn in a way of their own. Each has its shape, not its colour
//! alone.

use std::fmt::Write;

use crate::board::{Candidate, Cell};
use crate::language::Paint;

use super::{Picture, number};

impl Picture<'_> {
    /// The frame of a cell of the pattern; a double one for a pivot.
    pub(super) fn frame_of(&self, cell: Cell, paint: Option<Paint>, svg: &mut String) {
        let (x, y) = self.corner(cell);
        let class = match paint {
            Some(paint) => format!("tint {}", paint.name()),
            None => "tint".to_string(),
        };
        let square = |class: &str, inside: f64| {
            let (x, y) = (number(x + inside), number(y + inside));
            let side = number(self.cell - 2.0 * inside);
            let name = self.words.layout.cell_name(cell);
            format!(
                "<rect class=\"{class}\" data-cell=\"{name}\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\"/>"
            )
        };
        svg.push_str(&square(&class, 2.5));
        if paint == Some(Paint::Pivot) {
            svg.push_str(&square("inner", 6.0));
        }
    }

    /// A ring around a candidate.
    pub(super) fn ring(&self, candidate: Candidate, class: &str, svg: &mut String) {
        let (x, y) = self.at(candidate);
        let (x, y, r) = (number(x), number(y), number(self.radius()));
        let name = self.name(candidate);
        let _ = write!(
            svg,
            "<circle class=\"{class}\" data-mark=\"{name}\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>"
        );
    }

    /// A candidate in a way of its own, with its digit on it.
    pub(super) fn painted(&self, candidate: Candidate, paint: Paint, svg: &mut String) {
        match paint {
            Paint::Cover => return self.ring(candidate, "ring cover", svg),
            Paint::Base | Paint::Pattern => return self.ring(candidate, "ring", svg),
            _ if paint.is_of_cells() => return self.ring(candidate, "ring", svg),
            _ => {}
        }
        let name = format!(" data-mark=\"{}\"", self.name(candidate));
        svg.push_str(&shape(paint, self.at(candidate), self.radius(), &name));
        self.digit(candidate, paint.name(), svg);
    }

    /// A stroke across a candidate that goes, below its digit.
    pub(super) fn struck(&self, candidate: Candidate, svg: &mut String) {
        let ((x, y), radius, name) = (self.at(candidate), self.radius(), self.name(candidate));
        let (left, right) = (number(x - radius), number(x + radius));
        let (low, high) = (number(y + radius), number(y - radius));
        let _ = write!(
            svg,
            "<path class=\"strike\" data-mark=\"{name}\" d=\"M{left} {low}L{right} {high}\"/>"
        );
        self.digit(candidate, "out", svg);
    }

    /// The digit of a candidate once more, over what is drawn there.
    fn digit(&self, candidate: Candidate, class: &str, svg: &mut String) {
        let ((x, y), (wide, high)) = (self.at(candidate), self.spot());
        let (x, y) = (number(x), number(y + high.min(20.0) * 0.26));
        let (size, digit) = (number(wide.min(high) * 0.72), candidate.digit);
        let _ = write!(
            svg,
            "<text class=\"{class}-digit\" text-anchor=\"middle\" font-size=\"{size}\" x=\"{x}\" y=\"{y}\">{digit}</text>",
        );
    }
}

/// The shape of a paint around a place: disc, hollow square, hexagon, diamond.
pub(super) fn shape(paint: Paint, (x, y): (f64, f64), radius: f64, attributes: &str) -> String {
    let class = paint.name();
    let corners = |points: &[(f64, f64)]| {
        let at = |(dx, dy): &(f64, f64)| {
            format!("{} {}", number(x + dx * radius), number(y + dy * radius))
        };
        let path = points.iter().map(at).collect::<Vec<_>>().join("L");
        format!("<path class=\"{class}\"{attributes} d=\"M{path}z\"/>")
    };
    match paint {
        Paint::Off | Paint::Orange => {
            let half = radius * 0.88;
            let (x, y, side) = (number(x - half), number(y - half), number(2.0 * half));
            format!(
                "<rect class=\"{class}\"{attributes} x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" rx=\"1.5\"/>"
            )
        }
        Paint::Green => corners(&[
            (-1.1, 0.0),
            (-0.55, -0.95),
            (0.55, -0.95),
            (1.1, 0.0),
            (0.55, 0.95),
            (-0.55, 0.95),
        ]),
        Paint::Fin => corners(&[(-1.25, 0.0), (0.0, -1.25), (1.25, 0.0), (0.0, 1.25)]),
        _ => {
            let (x, y, r) = (number(x), number(y), number(radius));
            format!("<circle class=\"{class}\"{attributes} cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>")
        }
    }
}
