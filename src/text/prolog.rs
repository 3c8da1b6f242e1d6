//! Prolog lists of lists, `grille([[_,_,3,…],…]).`, wherever they stand in a program.

use crate::board::SIZES;

use super::alphabet::{Alphabet, size_of_square};
use super::puzzle::{Fault, Item, Puzzle, classic, grid_of_givens};

/// A cell as written: its number (0 for a blank), its line and column.
type Entry = (u8, usize, usize);

/// Lists inside each other that are looked into: deeper ones hold no grid.
const DEEPEST: usize = 8;
/// Lists remembered of a list, and cells of a list: no grid has more, and a program may.
const MOST_ROWS: usize = 1_000;
const MOST_ENTRIES: usize = 25 * 25 + 1;

/// Reads a program line by line and hands out the grids in it.
#[derive(Default)]
pub(super) struct Prolog {
    /// The lists that are open, innermost last.
    open: Vec<List>,
    /// How many more are open inside the innermost of these.
    deeper: usize,
    in_comment: bool,
}

#[derive(Default)]
struct List {
    line: usize,
    entries: Vec<Entry>,
    rows: Vec<List>,
    /// Something in it can be no cell.
    foreign: Option<(usize, usize, String)>,
}

impl Prolog {
    /// Takes one line, without its end.
    pub(super) fn line(&mut self, number: usize, line: &[u8], found: &mut Vec<Item>) {
        let text = String::from_utf8_lossy(line);
        let signs: Vec<char> = text.chars().collect();
        let mut at = 0;
        while at < signs.len() {
            let sign = signs[at];
            if self.in_comment {
                self.in_comment = !(sign == '*' && signs.get(at + 1) == Some(&'/'));
                at += 1 + usize::from(!self.in_comment);
                continue;
            }
            match sign {
                '%' => return,
                '/' if signs.get(at + 1) == Some(&'*') => self.in_comment = true,
                '[' if self.open.len() == DEEPEST => self.deeper += 1,
                '[' => self.open.push(List { line: number, ..List::default() }),
                ']' if self.deeper > 0 => self.deeper -= 1,
                ']' => self.close(found),
                ',' | ' ' | '\t' | '\r' => {}
                _ => {
                    let end = (at + 1..signs.len())
                        .find(|&i| !signs[i].is_alphanumeric() && signs[i] != '_')
                        .filter(|_| sign.is_alphanumeric() || sign == '_');
                    let whole = sign.is_alphanumeric() || sign == '_';
                    let end = if whole { end.unwrap_or(signs.len()) } else { at + 1 };
                    let word: String = signs[at..end].iter().collect();
                    self.word(number, at + 1, word);
                    at = end;
                    continue;
                }
            }
            at += 1;
        }
    }

    /// Takes the end of the file.
    pub(super) fn finish(&mut self, found: &mut Vec<Item>) {
        let depth = self.open.len();
        if let Some(list) = self.open.drain(..).next()
            && (depth > 1 || list.rows.len() > 1)
        {
            found.push(Err(Fault::at(list.line, 0, "list is not closed")));
        }
    }

    fn word(&mut self, line: usize, column: usize, word: String) {
        let Some(list) = self.open.last_mut() else { return };
        if self.deeper > 0 || list.entries.len() == MOST_ENTRIES {
            return;
        }
        let first = word.chars().next().unwrap_or('_');
        if first == '_' || first.is_uppercase() || word == "null" {
            list.entries.push((0, line, column));
        } else if let Some(digit) = word.parse::<u8>().ok().filter(|n| *n <= 25) {
            list.entries.push((digit, line, column));
        } else if list.foreign.is_none() {
            list.foreign = Some((line, column, word));
        }
    }

    fn close(&mut self, found: &mut Vec<Item>) {
        let Some(list) = self.open.pop() else { return };
        if !list.rows.is_empty() {
            found.extend(grid(list));
        } else if size_of_square(list.entries.len()).is_some_and(|size| size > 4)
            && list.foreign.is_none()
            && !self.open.iter().any(|l| !l.entries.is_empty())
            && list.entries.len() > 25
        {
            let size = size_of_square(list.entries.len());
            found.push(puzzle(size.expect("just asked"), list.line, &list.entries));
        } else if let Some(outer) = self.open.last_mut()
            && outer.rows.len() < MOST_ROWS
        {
            outer.rows.push(list);
        }
    }
}

/// The grid of a list of rows; nothing if the list is about something else.
fn grid(list: List) -> Option<Item> {
    let lengths: Vec<usize> = list.rows.iter().map(|row| row.entries.len()).collect();
    let size = SIZES.into_iter().rev().find(|size| {
        2 * lengths.iter().filter(|n| *n == size).count() > lengths.len().max(*size / 2)
    })?;
    for row in &list.rows {
        if let Some((line, column, word)) = &row.foreign {
            let message = format!("'{}' is not 1-{size}, a variable or 0", word.escape_debug());
            return Some(Err(Fault::at(*line, *column, message)));
        }
        if row.entries.len() != size {
            let message =
                format!("row has {} cells, the other rows have {size}", row.entries.len());
            return Some(Err(Fault::at(row.line, 0, message)));
        }
    }
    if list.rows.len() != size {
        let message = format!("grid has {} rows, {size} are needed", list.rows.len());
        return Some(Err(Fault::at(list.line, 0, message)));
    }
    let entries: Vec<Entry> = list.rows.iter().flat_map(|row| row.entries.clone()).collect();
    Some(puzzle(size, list.line, &entries))
}

fn puzzle(size: usize, line: usize, entries: &[Entry]) -> Item {
    if let Some((digit, line, column)) = entries.iter().find(|e| e.0 as usize > size) {
        let message = format!("{digit} is not 1-{size}, a variable or 0");
        return Err(Fault::at(*line, *column, message));
    }
    let numbers: Vec<u8> = entries.iter().map(|e| e.0).collect();
    let alphabet = if size > 9 { Alphabet::Numbers } else { Alphabet::One };
    let grid = grid_of_givens(&classic(size, &None), &numbers, alphabet, |cell| {
        (entries[cell].1, entries[cell].2)
    })?;
    Ok(Puzzle { grid, id: None, line, alphabet })
}
