//! One puzzle a line: signs, separated cells, or one sign a candidate.

use std::sync::Arc;

use crate::board::{Layout, SIZES};

use super::alphabet::{Alphabet, STRAY, size_of_cube, size_of_square};
use super::form::Form;
use super::frame;
use super::marks::grid_of_masks;
use super::puzzle::{Fault, Item, Puzzle, classic, grid_of_givens, stray};

/// Bytes that end the signs of a puzzle when more follows on the line.
fn is_separator(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b',' | b';' | b':' | b'|' | b'#' | b'"')
}

/// Reads lines of one form, size and alphabet. Every line stands for itself.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    /// [`Form::Line`], [`Form::Separated`] or [`Form::Cube`].
    pub form: Form,
    /// Digits of the puzzles.
    pub size: usize,
    /// How digits are written.
    pub alphabet: Alphabet,
    /// The layout, where it is no classic one.
    pub board: Option<Arc<Layout>>,
    table: [u8; 256],
}

impl Lines {
    /// A reader for such lines.
    pub(super) fn new(form: Form, size: usize, alphabet: Alphabet) -> Lines {
        Lines { form, size, alphabet, board: None, table: alphabet.table(size) }
    }

    /// The same for another layout.
    pub(super) fn on(self, board: Option<Arc<Layout>>) -> Lines {
        Lines { board, ..self }
    }

    /// What a line says; nothing if it is empty or a comment.
    pub(super) fn line(&self, number: usize, line: &[u8]) -> Option<Item> {
        if frame::is_blank(line) || frame::is_comment(line) {
            return None;
        }
        Some(match self.form {
            Form::Separated => self.separated(number, line),
            _ => {
                let (start, end, id) = self.field(line);
                self.signs(number, start, &line[start..end], id)
            }
        })
    }

    /// How many signs a puzzle has.
    fn length(&self) -> usize {
        let square = self.size * self.size;
        if self.form == Form::Cube { square * self.size } else { square }
    }

    /// Where the puzzle is on a line, and what else the line says.
    fn field(&self, line: &[u8]) -> (usize, usize, Option<String>) {
        let length = self.length();
        let line = &line[..line.trim_ascii_end().len().max(line.len().min(length))];
        if line.len() == length && line.iter().all(|b| self.is_sign(*b) || *b == b' ') {
            return (0, length, None);
        }
        let mut longest = (0, 0);
        let mut start = 0;
        for end in 0..=line.len() {
            if end < line.len() && !is_separator(line[end]) {
                continue;
            }
            if end - start == length {
                longest = (start, end);
                break;
            }
            if end - start > longest.1 - longest.0 {
                longest = (start, end);
            }
            start = end + 1;
        }
        let (start, end) = longest;
        let (before, after) = (&line[..start], &line[end..]);
        (start, end, if start > 0 { self.id_in(before) } else { self.id_in(after) })
    }

    fn is_sign(&self, byte: u8) -> bool {
        self.table[byte as usize] != STRAY
    }

    /// What stands beside a puzzle, unless it is another grid.
    fn id_in(&self, rest: &[u8]) -> Option<String> {
        let rest = String::from_utf8_lossy(rest);
        let separates = |c: char| c.is_ascii() && is_separator(c as u8);
        let rest = rest.trim_matches(separates);
        let first = rest.split(separates).next().unwrap_or_default();
        let is_grid = first.len() == self.size * self.size;
        (!rest.is_empty() && !is_grid).then(|| rest.to_string())
    }

    /// The puzzle of a run of signs that begins at a column (from 0).
    pub(super) fn signs(
        &self,
        number: usize,
        start: usize,
        signs: &[u8],
        id: Option<String>,
    ) -> Item {
        match self.numbers(number, start, signs) {
            Err(fault) => Err(fault.of(id)),
            Ok(numbers) if self.form == Form::Cube => self.cube(number, start, &numbers, id),
            Ok(numbers) => self.givens(number, &numbers, id, |cell| start + cell),
        }
    }

    fn numbers(&self, number: usize, start: usize, signs: &[u8]) -> Result<Vec<u8>, Fault> {
        let length = self.length();
        let mut numbers = Vec::with_capacity(length);
        let flat = frame::flatten(signs);
        for (i, &sign) in flat.iter().enumerate() {
            match self.table[sign as usize] {
                STRAY if sign == b' ' && flat.len() == length => numbers.push(0),
                STRAY if flat.len().abs_diff(length) <= length / 4 => {
                    let sign = frame::character(signs, i);
                    return Err(stray(number, start + i + 1, sign, self.size, self.alphabet));
                }
                digit => numbers.push(digit),
            }
        }
        if numbers.len() == length {
            return Ok(numbers);
        }
        let what = if self.form == Form::Cube { "candidates" } else { "cells" };
        let message = format!("line has {} {what}, {length} are needed", numbers.len());
        Err(Fault::at(number, 0, message))
    }

    fn givens(
        &self,
        number: usize,
        numbers: &[u8],
        id: Option<String>,
        column: impl Fn(usize) -> usize,
    ) -> Item {
        let place = |cell: usize| (number, column(cell) + 1);
        match grid_of_givens(&classic(self.size, &self.board), numbers, self.alphabet, place) {
            Ok(grid) => Ok(Puzzle { grid, id, line: number, alphabet: self.alphabet }),
            Err(fault) => Err(fault.of(id)),
        }
    }

    fn cube(&self, number: usize, start: usize, numbers: &[u8], id: Option<String>) -> Item {
        let mut masks = Vec::with_capacity(self.size * self.size);
        for (cell, candidates) in numbers.chunks(self.size).enumerate() {
            let mut mask = 0;
            for (i, &digit) in candidates.iter().enumerate() {
                if digit as usize == i + 1 {
                    mask |= 1 << i;
                } else if digit > 0 {
                    let column = start + cell * self.size + i + 1;
                    let (found, wanted) = (
                        self.alphabet.sign(digit) as char,
                        self.alphabet.sign(i as u8 + 1) as char,
                    );
                    let message = format!("'{found}' stands where {wanted} or a blank belongs");
                    return Err(Fault::at(number, column, message).of(id));
                }
            }
            masks.push(mask);
        }
        let grid = grid_of_masks(&classic(self.size, &self.board), &masks);
        Ok(Puzzle { grid, id, line: number, alphabet: self.alphabet })
    }

    /// Cells between commas, semicolons or spaces.
    fn separated(&self, number: usize, line: &[u8]) -> Item {
        let fields = separated_fields(line);
        let length = self.length();
        if fields.len() != length {
            let message = format!("line has {} cells, {length} are needed", fields.len());
            return Err(Fault::at(number, 0, message));
        }
        let mut numbers = Vec::with_capacity(length);
        for &(column, field) in &fields {
            let text = std::str::from_utf8(field).unwrap_or("?!");
            let plain = text.parse::<usize>().ok().filter(|n| *n <= self.size);
            let sign = match field {
                [] => Some(0),
                [sign] => Some(self.table[*sign as usize]).filter(|s| *s != STRAY),
                _ => None,
            };
            let by_number = plain.filter(|_| self.alphabet == Alphabet::Numbers);
            match by_number.map(|n| n as u8).or(sign) {
                Some(digit) => numbers.push(digit),
                None if field.len() > 1 => {
                    let name = self.alphabet.name(self.size);
                    let message = format!("'{}' is not {name} or a blank", text.escape_debug());
                    return Err(Fault::at(number, column + 1, message));
                }
                None => {
                    let sign = frame::character(line, column);
                    return Err(stray(number, column + 1, sign, self.size, self.alphabet));
                }
            }
        }
        self.givens(number, &numbers, None, |cell| fields[cell].0)
    }
}

/// The fields of a line with their columns: between commas or semicolons if there are any (a
/// last one may close the line), else between spaces.
pub(super) fn separated_fields(line: &[u8]) -> Vec<(usize, &[u8])> {
    let delimiter = [b',', b';', b'\t'].into_iter().find(|d| line.contains(d));
    let mut found = Vec::new();
    let mut start = 0;
    for i in 0..=line.len() {
        let ends = match delimiter {
            _ if i == line.len() => true,
            Some(delimiter) => line[i] == delimiter,
            None => line[i].is_ascii_whitespace(),
        };
        if !ends {
            continue;
        }
        let field = &line[start..i];
        let lead = field.len() - field.trim_ascii_start().len();
        let field = field.trim_ascii();
        if delimiter.is_some() || !field.is_empty() {
            found.push((start + lead, field));
        }
        start = i + 1;
    }
    let closes = delimiter.is_some() && found.last().is_some_and(|(_, field)| field.is_empty());
    if closes && size_of_square(found.len()).is_none() {
        found.pop();
    }
    found
}

/// Finds the form of a line that holds a whole puzzle, and its size.
pub(super) fn recognise(line: &[u8]) -> Option<(Form, usize)> {
    let table = |size: usize| (Alphabet::One.table(size), Alphabet::Letters.table(size));
    let known = |signs: &[u8], size: usize| {
        let (one, letters) = table(size);
        signs.iter().all(|b| one[*b as usize] != STRAY || (*b == b' ' && size == 9))
            || signs.iter().all(|b| letters[*b as usize] != STRAY)
    };
    let trimmed = line.trim_ascii_end();
    let words = line.split(|b| is_separator(*b)).filter(|word| word.len() >= 16);
    for signs in words.chain([trimmed, line]) {
        for (form, size) in
            [(Form::Line, size_of_square(signs.len())), (Form::Cube, size_of_cube(signs.len()))]
        {
            if let Some(size) = size.filter(|&size| known(signs, size)) {
                return Some((form, size));
            }
        }
    }
    let fields = separated_fields(line);
    let size = size_of_square(fields.len())?;
    let short = |field: &[u8]| field.len() <= if size > 9 { 2 } else { 1 };
    let is_cell = |field: &[u8]| {
        short(field) && field.iter().all(|b| known(&[*b], if size > 9 { SIZES[5] } else { size }))
    };
    fields.iter().all(|(_, field)| is_cell(field)).then_some((Form::Separated, size))
}
