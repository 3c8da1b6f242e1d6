//! Technique libraries: one case a line, a position and what a technique must find in it.
//!
//! ```text
//! :0200:46:.5+3…:411 612:437 638:…:
//!  code digits position deleted eliminations placements extra
//! ```
//!
//! The position has 81 signs; `+7` is a 7 that is placed but not given. Candidates are triples of
//! digit, row and column. A code may have a variant behind a dash; the variant `x` says that the
//! technique must find nothing.

use crate::board::{Candidate, Digit, Grid, Layout};

use super::alphabet::Alphabet;
use super::puzzle::{Fault, Item, Puzzle};

/// A case of a technique library.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Which technique, without the variant.
    pub code: String,
    /// The variant, if there is one.
    pub variant: Option<String>,
    /// The position.
    pub grid: Grid,
    /// What one match eliminates, sorted.
    pub eliminates: Vec<Candidate>,
    /// What one match places, sorted.
    pub places: Vec<Candidate>,
}

impl Case {
    /// The case on a line, or what is wrong with it: the column, from 1, and a sentence.
    pub fn parse(line: &str) -> Result<Case, (usize, String)> {
        let mut fields = Vec::new();
        let mut column = 1;
        for field in line.trim_end().split(':') {
            fields.push((column, field));
            column += field.chars().count() + 1;
        }
        if fields.len() < 5 || !fields[0].1.trim().is_empty() {
            return Err((1, "a library line is `:code:digits:position:deleted:…`".into()));
        }
        let (code, variant) = match fields[1].1.split_once('-') {
            Some((code, variant)) => (code, Some(variant.to_string())),
            None => (fields[1].1, None),
        };
        let mut grid = position(fields[3])?;
        for candidate in candidates(fields.get(4), &grid)? {
            if grid.digit_at(candidate.cell) == Some(candidate.digit) {
                let cell = grid.layout().cell_name(candidate.cell);
                return Err((fields[4].0, format!("{} is placed in {cell}", candidate.digit)));
            }
            grid.eliminate(candidate);
        }
        Ok(Case {
            code: code.to_string(),
            variant,
            eliminates: candidates(fields.get(5), &grid)?,
            places: candidates(fields.get(6), &grid)?,
            grid,
        })
    }

    /// Whether the technique must find nothing here.
    pub fn finds_nothing(&self) -> bool {
        self.variant.as_deref() == Some("x")
    }
}

/// The position of a line.
pub(super) fn line(number: usize, line: &[u8]) -> Item {
    let text = String::from_utf8_lossy(line);
    let id = text.split(':').nth(1).filter(|code| !code.is_empty()).map(str::to_string);
    match Case::parse(&text) {
        Ok(Case { grid, .. }) => Ok(Puzzle { grid, id, line: number, alphabet: Alphabet::One }),
        Err((column, message)) => Err(Fault::at(number, column, message).of(id)),
    }
}

fn position((start, text): (usize, &str)) -> Result<Grid, (usize, String)> {
    let layout = Layout::classic(9).expect("9 is a classic size");
    let mut grid = Grid::empty(layout.clone());
    let (mut cells, mut plus) = (layout.all_cells().iter(), false);
    for (i, sign) in text.chars().enumerate() {
        let fault = |message: String| (start + i, message);
        if sign == '+' && !plus {
            plus = true;
            continue;
        }
        let cell = cells.next().ok_or_else(|| fault("a position has 81 cells".into()))?;
        match sign {
            '.' | '0' if !plus => {}
            '1'..='9' => {
                let digit = Digit::new(sign as usize - '0' as usize);
                let candidate = Candidate { cell, digit };
                if !grid.is_possible(candidate) {
                    return Err(fault(format!("{sign} cannot be in {}", layout.cell_name(cell))));
                }
                if plus {
                    grid.place(candidate);
                } else {
                    grid.give(candidate)
                        .map_err(|_| fault(format!("{sign} stands there twice")))?;
                }
            }
            _ => {
                let shown = sign.escape_debug();
                return Err(fault(format!("'{shown}' is not 1-9 or a blank (. 0)")));
            }
        }
        plus = false;
    }
    match cells.next() {
        Some(_) => Err((start, "a position has 81 cells, this one has fewer".into())),
        None => Ok(grid),
    }
}

fn candidates(
    field: Option<&(usize, &str)>,
    grid: &Grid,
) -> Result<Vec<Candidate>, (usize, String)> {
    let Some(&(start, text)) = field else { return Ok(Vec::new()) };
    let triples = text.split_whitespace().map(|triple| {
        let numbers: Vec<usize> =
            triple.chars().filter_map(|c| c.to_digit(10)).map(|n| n as usize).collect();
        match numbers[..] {
            [d, r, c] if triple.len() == 3 && d * r * c > 0 => {
                Ok(Candidate { cell: grid.layout().cell_at(r - 1, c - 1), digit: Digit::new(d) })
            }
            _ => {
                let shown = triple.escape_debug();
                Err((start, format!("'{shown}' is not a digit, a row and a column")))
            }
        }
    });
    let mut found = triples.collect::<Result<Vec<_>, _>>()?;
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const POSITION: &str = concat!(
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..+7",
        "9"
    );

    #[test]
    fn a_case_has_a_position_and_an_effect() {
        let case = Case::parse(&format!(":0003-1:5:{POSITION}:113 246::555:")).expect("a case");
        assert_eq!((case.code.as_str(), case.variant.as_deref()), ("0003", Some("1")));
        assert_eq!(case.grid.placed().len(), 30);
        assert_eq!(case.grid.given().len(), 29);
        let one = Candidate { cell: case.grid.layout().cell_at(0, 2), digit: Digit::new(1) };
        assert!(!case.grid.is_possible(one));
        assert_eq!(case.places.len(), 1);
        assert!(case.eliminates.is_empty() && !case.finds_nothing());
    }

    #[test]
    fn a_broken_line_says_where() {
        assert_eq!(Case::parse("0003").expect_err("no fields").0, 1);
        let (column, message) = Case::parse(":0003:5:5a.:").expect_err("a letter");
        assert_eq!((column, message.as_str()), (10, "'a' is not 1-9 or a blank (. 0)"));
        let (column, _) = Case::parse(":0003:5:55.:").expect_err("twice");
        assert_eq!(column, 10);
        let (_, message) = Case::parse(&format!(":0003:5:{POSITION}:11:")).expect_err("a pair");
        assert_eq!(message, "'11' is not a digit, a row and a column");
    }
}
