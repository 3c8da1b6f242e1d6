//! The forms in which people write puzzles down.

use std::fmt;

/// How a file holds its puzzles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// One row of the grid a line, framed or not, with titles between grids.
    Rows,
    /// Rows of pencil marks: the candidates of each cell.
    Marks,
    /// One puzzle a line, one sign a cell.
    Line,
    /// One puzzle a line, cells separated by commas or spaces.
    Separated,
    /// One puzzle a line, one sign a candidate: 729 for nine digits.
    Cube,
    /// A table with a header.
    Csv,
    /// One JSON object a line.
    Json,
    /// Prolog lists of lists.
    Prolog,
    /// Lines of a technique library, `:code:digits:givens:…`.
    Library,
    /// The `data` attributes of OpenSudoku files.
    Xml,
    /// 81 little-endian numbers of 32 bits.
    Binary,
    /// Game ids of Simon Tatham's Solo, one a line.
    Solo,
}

/// Every form with its name on the command line and what it is.
pub const FORMS: [(Form, &str, &str); 12] = [
    (Form::Rows, "rows", "rows of the grid"),
    (Form::Marks, "marks", "rows of pencil marks"),
    (Form::Line, "line", "one puzzle a line"),
    (Form::Separated, "separated", "one puzzle a line, cells separated"),
    (Form::Cube, "729", "one puzzle a line, one sign a candidate"),
    (Form::Csv, "csv", "CSV with a header"),
    (Form::Json, "json", "one JSON object a line"),
    (Form::Prolog, "prolog", "Prolog lists of lists"),
    (Form::Library, "library", "technique library lines"),
    (Form::Xml, "xml", "OpenSudoku games"),
    (Form::Binary, "binary", "81 little-endian 32-bit numbers"),
    (Form::Solo, "solo", "game ids of Simon Tatham's Solo"),
];

impl Form {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        FORMS.iter().find(|f| f.0 == self).expect("every form is listed").1
    }
    /// What it is, in a few words.
    pub fn about(self) -> &'static str {
        FORMS.iter().find(|f| f.0 == self).expect("every form is listed").2
    }
    /// The form of this name.
    pub fn named(name: &str) -> Option<Form> {
        FORMS.iter().find(|f| f.1 == name).map(|f| f.0)
    }
    /// Whether every line stands for itself, so that lines can be read in any order.
    pub fn is_line_by_line(self) -> bool {
        !matches!(self, Form::Rows | Form::Marks | Form::Prolog | Form::Binary)
    }
    /// The form that files with this extension usually have.
    pub fn of_extension(extension: &str) -> Option<Form> {
        Some(match extension.to_ascii_lowercase().as_str() {
            "sud" | "sdk" | "ss" | "p1" | "p2" => Form::Rows,
            "sdm" => Form::Line,
            "csv" | "tsv" => Form::Csv,
            "json" | "jsonl" | "ndjson" => Form::Json,
            "pl" | "pro" => Form::Prolog,
            "opensudoku" | "xml" => Form::Xml,
            _ => return None,
        })
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}
