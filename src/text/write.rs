//! Puzzles as text.

use crate::board::Grid;

use super::alphabet::{Alphabet, NOTHING};
use super::form::Form;

/// Writes a grid in a form, with a line end after it.
///
/// Forms that are only read are written as rows; for CSV and JSON, which hold more than a grid,
/// this is the field: one line without an end.
pub fn write(grid: &Grid, form: Form, alphabet: Alphabet, out: &mut Vec<u8>) {
    match form {
        Form::Line => {
            line(grid, alphabet, out);
            out.push(b'\n');
        }
        Form::Csv | Form::Json => line(grid, alphabet, out),
        Form::Cube => {
            cube(grid, alphabet, out);
            out.push(b'\n');
        }
        // A mark 0 would read as a blank.
        Form::Marks if alphabet == Alphabet::Zero => marks(grid, Alphabet::One, out),
        Form::Marks => marks(grid, alphabet, out),
        Form::Prolog => prolog(grid, out),
        Form::Separated => {
            let numbers: Vec<String> = grid.digits().iter().map(u8::to_string).collect();
            out.extend(numbers.join(",").into_bytes());
            out.push(b'\n');
        }
        Form::Solo => {
            // Where Solo has no such layout, the rows say at least what the digits are.
            match super::solo::id(grid) {
                Some(id) => out.extend(id.bytes().chain([b'\n'])),
                None => rows(grid, alphabet, out),
            }
        }
        Form::Rows | Form::Library | Form::Xml | Form::Binary => rows(grid, alphabet, out),
    }
}

fn rows(grid: &Grid, alphabet: Alphabet, out: &mut Vec<u8>) {
    for row in grid.digits().chunks(grid.layout().size()) {
        if alphabet == Alphabet::Numbers {
            let words: Vec<String> = row.iter().map(|n| format!("{n:>2}")).collect();
            out.extend(words.join(" ").into_bytes());
        } else {
            out.extend(row.iter().map(|&n| sign(alphabet, n, b'0')));
        }
        out.push(b'\n');
    }
}

/// The placed digits as one line, without a line end.
fn line(grid: &Grid, alphabet: Alphabet, out: &mut Vec<u8>) {
    out.extend(grid.digits().iter().map(|&n| sign(alphabet, n, b'.')));
}

/// One sign a candidate, without a line end.
fn cube(grid: &Grid, alphabet: Alphabet, out: &mut Vec<u8>) {
    for cell in grid.layout().all_cells() {
        let candidates = grid.candidates(cell);
        for digit in grid.layout().digits() {
            let number = if candidates.contains(digit) { digit.number() as u8 } else { 0 };
            out.push(sign(alphabet, number, b'.'));
        }
    }
}

fn sign(alphabet: Alphabet, number: u8, blank: u8) -> u8 {
    if number == 0 { alphabet.blank(blank) } else { alphabet.sign(number) }
}

fn marks(grid: &Grid, alphabet: Alphabet, out: &mut Vec<u8>) {
    let layout = grid.layout();
    let (size, box_width) = (layout.size(), layout.box_width());
    let words: Vec<Vec<u8>> = layout
        .all_cells()
        .iter()
        .map(|cell| {
            let candidates = grid.candidates(cell);
            match candidates.is_empty() {
                true => vec![NOTHING],
                false => candidates.iter().map(|d| alphabet.sign(d.number() as u8)).collect(),
            }
        })
        .collect();
    let width = |column: usize| {
        (0..size).map(|row| words[row * size + column].len()).max().unwrap_or(1).max(1)
    };
    let widths: Vec<usize> = (0..size).map(width).collect();
    let rule = |out: &mut Vec<u8>| {
        for group in widths.chunks(box_width) {
            let dashes = group.iter().map(|w| w + 1).sum::<usize>() + 1;
            out.push(b'+');
            out.extend(std::iter::repeat_n(b'-', dashes));
        }
        out.extend(b"+\n");
    };
    for (r, row) in words.chunks(size).enumerate() {
        if r % layout.box_height() == 0 {
            rule(out);
        }
        for (column, word) in row.iter().enumerate() {
            out.extend(if column % box_width == 0 { &b"| "[..] } else { b"" });
            out.extend(word);
            out.extend(std::iter::repeat_n(b' ', widths[column] - word.len() + 1));
        }
        out.extend(b"|\n");
    }
    rule(out);
}

fn prolog(grid: &Grid, out: &mut Vec<u8>) {
    let size = grid.layout().size();
    out.extend(b"grille([");
    for (r, row) in grid.digits().chunks(size).enumerate() {
        let word = |n: &u8| if *n == 0 { "_".to_string() } else { n.to_string() };
        let words: Vec<String> = row.iter().map(word).collect();
        let end = if r + 1 == size { "]).\n" } else { ",\n" };
        out.extend(format!("[{}]{end}", words.join(",")).into_bytes());
    }
}
