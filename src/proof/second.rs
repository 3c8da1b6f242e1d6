//! The second grid: what shows that a puzzle would have two solutions.
//!
//! A rule that assumes one solution is proved by giving another grid as a function of the first,
//! and showing that it would be a solution too wherever the rule's conclusion is false. Two
//! functions cover what players use: swap two digits, on the corners of a rectangle or on all cells
//! that the rule names, and take the other candidate of every open cell.

use crate::board::{Cell, Cells, Digit, Houses};
use crate::language::{Kind, Literal, Relation, Term};

use super::encode::Encoder;
use super::flatten::Flat;
use super::sat::Lit;
use super::stage::Scope;
use super::symbol::Environment;
use super::symmetry::Used;
use crate::meaning::{Truth, Value};

/// A grid made from the solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Second {
    /// Two digits swapped on these cells.
    Swap(Cells, Digit, Digit),
    /// The other candidate of every open cell, this one candidate left aside.
    Other(Cell, Digit),
}

/// Cells of the shortest loop in which two digits can be swapped.
const SHORTEST: usize = 4;

impl Second {
    /// The second grids that a binding suggests: swaps where it names rectangles and digits, else
    /// swaps on all cells of a loop, and the other candidates.
    pub(super) fn all(flat: &Flat, bound: &Environment) -> Vec<Second> {
        let mut cells = Vec::new();
        let mut digits = Vec::new();
        for (value, variable) in bound.iter().zip(&flat.variables) {
            match value {
                Some(Value::Cell(cell)) => cells.push(*cell),
                Some(Value::Digit(digit)) if variable.kind == Kind::Digit => digits.push(*digit),
                Some(Value::Digits(set)) if set.maybe.is_empty() => digits.extend(set.sure),
                _ => {}
            }
        }
        digits.sort_unstable();
        digits.dedup();
        let corner = |term: &Term| match term {
            Term::Var(v) => match bound[v.index()] {
                Some(Value::Cell(cell)) => Some(cell),
                _ => None,
            },
            _ => None,
        };
        let swaps = |cells: Cells| {
            let pairs = digits.iter().enumerate();
            let pairs = pairs.flat_map(|(i, &x)| digits[i + 1..].iter().map(move |&y| (x, y)));
            pairs.map(move |(x, y)| Second::Swap(cells, x, y)).collect::<Vec<_>>()
        };
        let mut found = Vec::new();
        let mut rectangles = false;
        for literal in &flat.body {
            let Literal::Relation(Relation::Rectangle, terms) = literal else { continue };
            rectangles = true;
            let Some(corners) = terms.iter().map(corner).collect::<Option<Cells>>() else {
                continue;
            };
            found.extend(swaps(corners));
        }
        if !rectangles {
            let all: Cells = cells.iter().copied().collect();
            if all.len() >= SHORTEST {
                found.extend(swaps(all));
            }
            for &cell in &cells {
                found.extend(digits.iter().map(|&digit| Second::Other(cell, digit)));
            }
        }
        found
    }

    /// The ways in which it can fail to be another solution, up to symmetry; each with the part of
    /// the grid it is about.
    pub(super) fn flaws(&self, encoder: &mut Encoder, used: Used) -> Vec<(Lit, Scope)> {
        let nowhere = Scope { cells: Cells::EMPTY, houses: Houses::EMPTY };
        // What excludes by value, and masks, is not looked at: there may always be a flaw.
        if !encoder.layout().is_plain() {
            return vec![(Lit::TRUE, nowhere)];
        }
        match self {
            Second::Swap(cells, x, y) => vec![(swap_fails(encoder, *cells, *x, *y), nowhere)],
            Second::Other(cell, digit) => other_fails(encoder, used, *cell, *digit),
        }
    }
}

/// A swapped cell was given, or clashes with a cell that is not swapped, or nothing was swapped.
fn swap_fails(encoder: &mut Encoder, cells: Cells, x: Digit, y: Digit) -> Lit {
    let layout = encoder.layout().clone();
    let mut fails = Vec::new();
    let mut unchanged = Vec::new();
    for cell in cells {
        let given = encoder.given(cell);
        for (from, to) in [(x, y), (y, x)] {
            let here = encoder.solution(cell, from);
            unchanged.push(!here);
            fails.push(encoder.and(vec![given, here]));
            for peer in *layout.peers(cell) - cells {
                let there = encoder.solution(peer, to);
                fails.push(encoder.and(vec![here, there]));
            }
        }
    }
    fails.push(encoder.and(unchanged));
    encoder.or(fails)
}

/// An open cell has not two candidates, or a house gets a digit twice.
fn other_fails(
    encoder: &mut Encoder,
    used: Used,
    but_cell: Cell,
    but_digit: Digit,
) -> Vec<(Lit, Scope)> {
    let layout = encoder.layout().clone();
    let used = used.cell(&layout, but_cell).digit(but_digit);
    let left = |encoder: &mut Encoder, cell: Cell, digit: Digit| {
        if (cell, digit) == (but_cell, but_digit) {
            Lit::FALSE
        } else {
            encoder.possible(cell, digit)
        }
    };
    let mut flaws = Vec::new();
    for cell in used.cells_to_try(&layout) {
        let open = !encoder.placed(cell);
        let candidates: Vec<Lit> = layout.digits().map(|d| left(encoder, cell, d)).collect();
        let (two, three) = (encoder.at_least(&candidates, 2), encoder.at_least(&candidates, 3));
        let just_two = encoder.and(vec![two, !three]);
        let flaw = encoder.and(vec![open, !just_two]);
        flaws.push((flaw, Scope { cells: Cells::only(cell), houses: Houses::EMPTY }));
    }
    for house in used.houses_to_try(&layout) {
        for digit in used.digits_to_try(&layout) {
            let mut taken = Vec::new();
            for cell in layout.cells(house) {
                let placed = encoder.placed(cell);
                let (here, solution) = (left(encoder, cell, digit), encoder.solution(cell, digit));
                let other = encoder.and(vec![!placed, here, !solution]);
                let same = encoder.and(vec![placed, solution]);
                taken.push(encoder.or(vec![other, same]));
            }
            let flaw = encoder.at_least(&taken, 2);
            let houses = Houses::only(house);
            flaws.push((flaw, Scope { cells: layout.cells(house), houses }));
        }
    }
    flaws
}
