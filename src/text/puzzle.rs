//! What a reader hands out: a puzzle, or what is wrong with it.

use std::fmt;
use std::sync::Arc;

use crate::board::{Candidate, Cell, Digit, Grid, Layout};

use super::alphabet::Alphabet;

/// A puzzle as it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Puzzle {
    /// The state: givens, or candidates where the file has them.
    pub grid: Grid,
    /// What the file calls it: a title, a column `id`, what stands behind a line.
    pub id: Option<String>,
    /// The line it begins on, from 1 (0 where the file has no lines).
    pub line: usize,
    /// The signs it was written with.
    pub alphabet: Alphabet,
}

/// Why something could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Fault {
    /// Where: the line, from 1, or 0 for the file as a whole.
    pub line: usize,
    /// Where: the character on the line, from 1, or 0 for the whole line.
    pub column: usize,
    /// One sentence without a full stop.
    pub message: String,
    /// What the file calls the puzzle.
    pub id: Option<String>,
}

/// A puzzle or what is wrong with it.
pub type Item = Result<Puzzle, Fault>;

impl Fault {
    /// A fault of the file as a whole.
    pub fn whole(message: impl Into<String>) -> Fault {
        Fault { message: message.into(), ..Fault::default() }
    }
    /// A fault of one line, or one character of it.
    pub fn at(line: usize, column: usize, message: impl Into<String>) -> Fault {
        Fault { line, column, message: message.into(), id: None }
    }
    /// The same fault, of the puzzle with this id.
    pub fn of(mut self, id: Option<String>) -> Fault {
        self.id = id;
        self
    }
    /// `file:line:column: message`, as far as known.
    pub fn in_file<'a>(&'a self, file: &'a str) -> impl fmt::Display + 'a {
        Located { file, fault: self }
    }
}

struct Located<'a> {
    file: &'a str,
    fault: &'a Fault,
}

impl fmt::Display for Located<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.file)?;
        if self.fault.line > 0 {
            write!(f, ":{}", self.fault.line)?;
            if self.fault.column > 0 {
                write!(f, ":{}", self.fault.column)?;
            }
        }
        write!(f, ": {}", self.fault.message)
    }
}

/// The fault of a character that is no sign.
pub(super) fn stray(line: usize, column: usize, sign: char, size: usize, of: Alphabet) -> Fault {
    let shown = sign.escape_debug();
    let (signs, blanks) = (of.name(size), of.blanks());
    Fault::at(line, column, format!("'{shown}' is not {signs} or a blank ({blanks})"))
}

/// The layout of this size, if no other was asked for.
pub(super) fn classic(size: usize, board: &Option<Arc<Layout>>) -> Arc<Layout> {
    let classic = || Layout::classic(size).expect("readers make classic sizes only");
    board.clone().unwrap_or_else(classic)
}

/// The grid with these givens (0 is blank); `place` tells where a cell stands in the file.
pub(super) fn grid_of_givens(
    layout: &Arc<Layout>,
    numbers: &[u8],
    alphabet: Alphabet,
    place: impl Fn(usize) -> (usize, usize),
) -> Result<Grid, Fault> {
    Grid::from_givens(layout.clone(), numbers).map_err(|clash| {
        let (line, column) = place(clash.candidate.cell.index());
        let sign = sign_text(alphabet, clash.candidate.digit);
        Fault::at(line, column, clash.in_words(layout, &sign))
    })
}

/// Adds digits that are placed but not given (0 is none).
pub(super) fn place_further(
    grid: &mut Grid,
    numbers: &[u8],
    alphabet: Alphabet,
    place: impl Fn(usize) -> (usize, usize),
) -> Result<(), Fault> {
    for (i, &number) in numbers.iter().enumerate().filter(|(_, number)| **number > 0) {
        let candidate = Candidate { cell: Cell::at(i), digit: Digit::new(number as usize) };
        if grid.digit_at(candidate.cell) == Some(candidate.digit) {
            continue;
        }
        if !grid.is_possible(candidate) {
            let (line, column) = place(i);
            let sign = sign_text(alphabet, candidate.digit);
            let cell = grid.layout().cell_name(candidate.cell);
            return Err(Fault::at(line, column, format!("{sign} cannot be in {cell}")));
        }
        grid.place(candidate);
    }
    Ok(())
}

/// A digit as the file writes it.
pub(super) fn sign_text(alphabet: Alphabet, digit: Digit) -> String {
    match alphabet {
        Alphabet::Numbers => digit.number().to_string(),
        _ => char::from(alphabet.sign(digit.number() as u8)).to_string(),
    }
}
