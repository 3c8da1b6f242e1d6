//! A puzzle: what is placed, and what is still possible elsewhere.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::board::{Digit, Grid, Layout};
use crate::generate::{Judge, Maker, Symmetry, Wanted};
use crate::language::Source;
use crate::meaning::{KnownBoards, Layouts};
use crate::search;
use crate::text::{self, Alphabet, Form, Hint, Item};
use crate::trace::{Caption, Marks, Picture, Words};

use super::error::{Error, Problem};

/// A puzzle, or the state of one: digits that are placed, candidates elsewhere.
///
/// ```
/// use dokulog::Puzzle;
///
/// let puzzle: Puzzle = "12..34....21..43".parse()?;
/// assert_eq!((puzzle.size(), puzzle.digit(1, 2), puzzle.digit(1, 3)), (4, Some(2), None));
/// assert_eq!(puzzle.candidates(1, 3), [3]);
/// assert_eq!(puzzle.to_string(), "12..34....21..43");
/// # Ok::<(), dokulog::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Puzzle {
    pub(super) grid: Grid,
}

impl Puzzle {
    /// All puzzles of a text in any form that `dokulog detect` knows: rows, lines, CSV, pencil
    /// marks and others. Each has its own fault if something is wrong with it.
    pub fn read(text: &str) -> Result<Vec<Result<Puzzle, Error>>, Error> {
        Puzzle::read_on(text, KnownBoards::default())
    }

    /// The same where all are for a layout: the name of a bundled one, such as `windoku`, or the
    /// text of a rule file that has one.
    pub fn read_for(text: &str, layout: &str) -> Result<Vec<Result<Puzzle, Error>>, Error> {
        Puzzle::read_on(text, KnownBoards::asking(Some(layout_of(layout)?)))
    }

    fn read_on(text: &str, boards: KnownBoards) -> Result<Vec<Result<Puzzle, Error>>, Error> {
        let puzzle = |item: Item| Ok(Puzzle { grid: item?.grid });
        let hint = Hint { boards: Some(&boards), ..Hint::default() };
        Ok(text::read(text.as_bytes(), hint)?.into_iter().map(puzzle).collect())
    }

    /// A 9×9 puzzle with one solution, none of whose clues can go; the same for the same seed.
    /// [`Rules::generate`](crate::Rules::generate) makes others.
    pub fn generate(seed: u64) -> Puzzle {
        let layout = Layout::classic(9).expect("9 is a classic size");
        let (symmetry, clues, solution) = (Symmetry::None, None, None);
        let maker = Maker { seed, symmetry, clues, add: false, solution, attempts: 1 };
        let any = Wanted::default();
        let puzzle = Judge::new(&any, &layout).make(&any, &maker, 0, &|| true);
        let grid = Grid::from_givens(layout, &puzzle.expect("nothing else is asked of it"));
        Puzzle { grid: grid.expect("the clues are those of a full grid") }
    }

    /// Digits, cells a row: 4, 6, 9, 12, 16 or 25.
    pub fn size(&self) -> usize {
        self.grid.layout().size()
    }

    /// The digit placed in a cell; row and column count from 1.
    ///
    /// # Panics
    /// If there is no such cell.
    pub fn digit(&self, row: usize, column: usize) -> Option<usize> {
        let cell = self.grid.layout().cell_at(row - 1, column - 1);
        self.grid.digit_at(cell).map(Digit::number)
    }

    /// The digits that are still possible in a cell; row and column count from 1.
    ///
    /// # Panics
    /// If there is no such cell.
    pub fn candidates(&self, row: usize, column: usize) -> Vec<usize> {
        let cell = self.grid.layout().cell_at(row - 1, column - 1);
        self.grid.candidates(cell).iter().map(Digit::number).collect()
    }

    /// Whether every cell is placed.
    pub fn is_solved(&self) -> bool {
        self.grid.is_solved()
    }

    /// A picture of it, with its candidates, as SVG.
    pub fn svg(&self) -> String {
        let words = Words::plain(self.grid.layout().clone());
        Picture::new(&words).svg(&self.grid, &Marks::default(), &Caption::default())
    }

    /// Its candidates: a sign for each digit of each cell, a dot where it is gone.
    pub fn pencil_marks(&self) -> String {
        let mut cube = Vec::new();
        text::write(&self.grid, Form::Cube, Alphabet::default(), &mut cube);
        String::from_utf8_lossy(&cube).trim_end().to_string()
    }

    /// How many solutions there are, counted up to a limit; an error if that takes too long.
    pub fn count(&self, limit: usize) -> Result<usize, Error> {
        let (count, has_more) = search::count(&self.grid, limit);
        if has_more && count < limit { Err(Error::GivenUp) } else { Ok(count) }
    }
}

/// A layout by its name, or the only one of a text.
pub(super) fn layout_of(layout: &str) -> Result<Arc<Layout>, Error> {
    if !layout.contains('{') {
        let layouts = Layouts::bundled();
        let none = |refusal| Error::NotMade(layouts.sentence(layout, &refusal));
        return layouts.find(layout).map_err(none);
    }
    let source = Source { name: "layout".to_string(), text: layout.to_string() };
    let layouts = Layouts::with(vec![source]);
    let mistakes = layouts.mistakes();
    if !mistakes.is_empty() {
        return Err(Error::BadRules(Problem::all(&mistakes, layouts.sources())));
    }
    let own: Vec<&str> = layouts.own().collect();
    match own[..] {
        [only] => layouts.find(only).map_err(|no| Error::NotMade(layouts.sentence(only, &no))),
        [] => Err(Error::NotMade("the text has no layout".to_string())),
        _ => Err(Error::NotMade(format!("the text has several layouts: {}", own.join(", ")))),
    }
}

impl FromStr for Puzzle {
    type Err = Error;

    /// Reads the first puzzle of a text.
    fn from_str(text: &str) -> Result<Puzzle, Error> {
        let nothing = || Err(Error::from(text::Fault::whole("no puzzle found")));
        Puzzle::read(text)?.into_iter().next().unwrap_or_else(nothing)
    }
}

/// One line, a sign for each cell and a dot for what is open.
impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut line = Vec::new();
        text::write(&self.grid, Form::Json, Alphabet::default(), &mut line);
        f.write_str(&String::from_utf8_lossy(&line))
    }
}

impl fmt::Debug for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Puzzle({self})")
    }
}
