//! Tables with a header: one column holds the puzzles, another perhaps their names.

use std::borrow::Cow;
use std::sync::Arc;

use crate::board::Layout;

use super::alphabet::{size_of_cube, size_of_square};
use super::form::Form;
use super::frame;
use super::lines::{Lines, recognise};
use super::puzzle::{Fault, Item};

/// Columns that hold the puzzle, the fullest state first.
const PUZZLE: [&str; 13] = [
    "candidates",
    "p1",
    "puzzle",
    "puzzles",
    "quizzes",
    "quiz",
    "sudoku",
    "givens",
    "grid",
    "clues",
    "board",
    "problem",
    "question",
];
/// Columns that name it.
const ID: [&str; 5] = ["id", "name", "title", "nr", "no"];

/// Reads the records of a table.
#[derive(Clone, Debug)]
pub(super) struct Csv {
    delimiter: u8,
    header: Vec<u8>,
    puzzle: usize,
    id: Option<usize>,
    lines: Lines,
}

impl Csv {
    /// A reader for tables that begin so, if they hold puzzles.
    pub(super) fn recognise(lines: &[&[u8]]) -> Option<Csv> {
        let mut lines = lines.iter().filter(|l| !frame::is_blank(l) && !frame::is_comment(l));
        let header = *lines.next()?;
        let record = *lines.next()?;
        let delimiter =
            [b',', b';', b'\t'].into_iter().find(|d| header.contains(d)).unwrap_or(b',');
        let names: Vec<String> =
            fields(header, delimiter).iter().map(|(_, name)| name.trim().to_lowercase()).collect();
        let is_name = |name: &String| name.chars().any(char::is_alphabetic) && name.len() < 40;
        let cells = fields(record, delimiter);
        if !names.iter().all(is_name) || cells.len() < names.len() {
            return None;
        }
        let shape = |column: usize| -> Option<(Form, usize)> {
            recognise(cells.get(column)?.1.as_bytes()).filter(|(form, _)| *form != Form::Separated)
        };
        let named = PUZZLE.iter().filter_map(|p| names.iter().position(|n| n == p));
        let puzzle = named.chain(0..names.len()).find(|&column| shape(column).is_some())?;
        let (form, size) = shape(puzzle)?;
        let mut counts = [0; 256];
        cells[puzzle].1.bytes().for_each(|b| counts[b as usize] += 1);
        let alphabet = super::Alphabet::of_signs(size, &counts);
        let id = names.iter().position(|n| ID.contains(&n.as_str())).filter(|&id| id != puzzle);
        let lines = Lines::new(form, size, alphabet);
        Some(Csv { delimiter, header: header.to_vec(), puzzle, id, lines })
    }

    /// The lines inside the puzzle column.
    pub(super) fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The same for another layout.
    pub(super) fn on(mut self, board: Option<Arc<Layout>>) -> Csv {
        self.lines.board = board;
        self
    }

    /// The name of the puzzle column.
    pub(super) fn column(&self) -> String {
        fields(&self.header, self.delimiter)[self.puzzle].1.clone()
    }

    /// Whether a line is a record: not empty, no remark, not the header.
    pub(super) fn is_record(&self, line: &[u8]) -> bool {
        !frame::is_blank(line) && line != self.header && !frame::is_comment(line)
    }

    /// What a record says; nothing for other lines.
    pub(super) fn line(&self, number: usize, line: &[u8]) -> Option<Item> {
        if !self.is_record(line) {
            return None;
        }
        let record = fields(line, self.delimiter);
        let id = self
            .id
            .and_then(|id| record.get(id))
            .map(|(_, text)| as_it_was(text.trim()).to_string())
            .filter(|text| !text.is_empty());
        let Some((column, text)) = record.get(self.puzzle) else {
            let wanted = self.column();
            let message = format!("record has {} fields, no `{wanted}`", record.len());
            return Some(Err(Fault::at(number, 0, message).of(id)));
        };
        let text = text.trim();
        let mut lines = self.lines.clone();
        if let Some(size) = size_of_cube(text.len()).filter(|s| *s == lines.size) {
            lines = Lines::new(Form::Cube, size, lines.alphabet).on(lines.board);
        } else if let Some(size) = size_of_square(text.len()).filter(|s| *s == lines.size) {
            lines = Lines::new(Form::Line, size, lines.alphabet).on(lines.board);
        }
        Some(lines.signs(number, *column, text.as_bytes(), id))
    }
}

/// Whether a spreadsheet would take a text for a formula, but for apostrophes before it.
fn is_formula(text: &str) -> bool {
    let text = text.trim_start_matches('\'');
    text.starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'])
}

/// A field that no spreadsheet takes for a formula: an apostrophe stands before it.
pub fn no_formula(field: &str) -> Cow<'_, str> {
    match is_formula(field) {
        true => Cow::Owned(format!("'{field}")),
        false => Cow::Borrowed(field),
    }
}

/// A field without the apostrophe that keeps it from being taken for a formula.
fn as_it_was(field: &str) -> &str {
    field.strip_prefix('\'').filter(|rest| is_formula(rest)).unwrap_or(field)
}

/// The fields of a record with their columns (from 0), quotes taken off.
fn fields(line: &[u8], delimiter: u8) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut at = 0;
    loop {
        let mut text = Vec::new();
        let mut start = at;
        if line.get(at) == Some(&b'"') {
            at += 1;
            start = at;
            while at < line.len() {
                if line[at] == b'"' && line.get(at + 1) == Some(&b'"') {
                    at += 1;
                } else if line[at] == b'"' {
                    at += 1;
                    break;
                }
                text.push(line[at]);
                at += 1;
            }
        }
        while at < line.len() && line[at] != delimiter {
            text.push(line[at]);
            at += 1;
        }
        found.push((start, String::from_utf8_lossy(&text).into_owned()));
        if at >= line.len() {
            return found;
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_no_formula_and_comes_back_as_it_was() {
        for (name, field) in [
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\tx", "'\tx"),
            ("'=x", "''=x"),
            ("'quoted'", "'quoted'"),
            ("a=b", "a=b"),
            ("", ""),
        ] {
            assert_eq!(no_formula(name), field);
            assert_eq!(as_it_was(field), name);
        }
    }
}
