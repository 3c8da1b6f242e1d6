//! What an account says, condition by condition: either … or, excludes, fits only in, holds only.
//!
//! A helper's derivation is walked from premise to premise. Conditions that a player would not
//! say aloud (`A != B`, `C in unsolved`, `live(A, X)`) are left out.

use crate::board::{Candidate, Cell, Cells, Digits, Grid, House};
use crate::language::{Clause, Function, Literal, RuleSet, Term};

use super::derivation::Derivation;
use super::words::Words;
use crate::meaning::{Scene, Value};

/// Where two candidates meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meeting {
    /// In a house, for one digit.
    House(House),
    /// In a cell, for two digits.
    Cell(Cell),
}

/// One link of an argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Statement {
    /// One of the two is true: no other spot in the house, no other digit in the cell.
    Either(Candidate, Candidate, Option<Meeting>),
    /// Not both are true.
    Excludes(Candidate, Candidate, Meeting),
    /// The digits have no other spots in the house (or these cells).
    FitOnly(Digits, Option<House>, Cells),
    /// The cells have no other candidates.
    HoldOnly(Cells, Digits),
}

impl Statement {
    /// The statement in words.
    pub(super) fn say(&self, words: &Words) -> String {
        match *self {
            Statement::Either(a, b, at) => {
                let pair = words.either(vec![words.equal(a), words.equal(b)]);
                match at {
                    Some(Meeting::House(house)) => format!("{pair} ({})", words.house(house)),
                    _ => pair,
                }
            }
            Statement::Excludes(a, b, at) => {
                let verb = words.pick("excludes", "exclut");
                let (a, b) = (words.equal(a), words.equal(b));
                match at {
                    Meeting::House(house) => format!("{a} {verb} {b} ({})", words.house(house)),
                    Meeting::Cell(_) => format!("{a} {verb} {b}"),
                }
            }
            Statement::FitOnly(digits, house, cells) => {
                let one = digits.len() == 1;
                let verb = words.pick(
                    if one { "fits only in" } else { "fit only in" },
                    if one { "ne va que dans" } else { "ne vont que dans" },
                );
                let only = format!("{} {verb} {}", words.digits(digits), words.cells(cells));
                match house {
                    Some(house) => {
                        let preposition = words.pick("in", "dans la");
                        format!("{preposition} {}, {only}", words.house(house))
                    }
                    None => only,
                }
            }
            Statement::HoldOnly(cells, digits) => match (cells.single(), digits.len()) {
                (Some(cell), 1) => {
                    let verb = words.pick("can only be", "ne peut être que");
                    format!("{} {verb} {}", words.cell(cell), words.digits(digits))
                }
                (Some(cell), _) => {
                    let digits = words.either(digits.iter().map(|d| d.to_string()).collect());
                    format!("{} {} {digits}", words.cell(cell), words.pick("is", "vaut"))
                }
                (None, _) => {
                    let verb = words.pick("hold only", "ne contiennent que");
                    format!("{} {verb} {}", words.cells(cells), words.digits(digits))
                }
            },
        }
    }
}

/// What a clause's body says, the helpers it calls unfolded, in the order of the body.
pub(super) fn statements(
    rules: &RuleSet,
    clause: &Clause,
    scene: &Scene,
    grid: &Grid,
    premises: &[Derivation],
) -> Vec<Statement> {
    let mut said = Vec::new();
    let mut premises = premises.iter();
    for goal in &clause.body {
        match &goal.literal {
            Literal::Call(..) => {
                if let Some(derivation) = premises.next() {
                    said.extend(of_derivation(rules, grid, derivation));
                }
            }
            literal => said.extend(of_literal(literal, scene)),
        }
    }
    said.dedup();
    said
}

/// What a derivation says.
pub(super) fn of_derivation(
    rules: &RuleSet,
    grid: &Grid,
    derivation: &Derivation,
) -> Vec<Statement> {
    let clause = &rules.predicate(derivation.predicate).clauses[derivation.clause];
    let scene = Scene::on(grid, None, &derivation.bindings);
    statements(rules, clause, &scene, grid, &derivation.premises)
}

fn of_literal(literal: &Literal, scene: &Scene) -> Option<Statement> {
    let Literal::Within(left @ Term::Call(function, arguments), right) = literal else {
        return None;
    };
    let pair = listed_pair(right, scene);
    match (function, &arguments[..]) {
        (Function::Spots, [digits, cells]) => {
            let (Value::Digits(digits), Value::Cells(spots)) =
                (scene.value(digits)?, scene.value(left)?)
            else {
                return None;
            };
            let house = house_of(cells, scene);
            if let (Some(digit), Some((Value::Cell(a), Value::Cell(b)))) = (digits.single(), pair) {
                let at = |cell| Candidate { cell, digit };
                return Some(Statement::Either(at(a), at(b), house.map(Meeting::House)));
            }
            Some(Statement::FitOnly(digits, house, spots))
        }
        (Function::Candidates, [cells]) => {
            let (Value::Cells(cells), Value::Digits(digits)) =
                (scene.value(cells)?, scene.value(right)?)
            else {
                return None;
            };
            if let (Some(cell), Some((Value::Digit(a), Value::Digit(b)))) = (cells.single(), pair) {
                let at = |digit| Candidate { cell, digit };
                return Some(Statement::Either(at(a), at(b), Some(Meeting::Cell(cell))));
            }
            Some(Statement::HoldOnly(cells, digits))
        }
        _ => None,
    }
}

/// The two members of `{A, B}`, in the author's order.
fn listed_pair(term: &Term, scene: &Scene) -> Option<(Value, Value)> {
    match term {
        Term::Set(_, members) if members.len() == 2 => {
            Some((scene.value(&members[0])?, scene.value(&members[1])?))
        }
        _ => None,
    }
}

/// The house whose cells a term is.
fn house_of(cells: &Term, scene: &Scene) -> Option<House> {
    match cells {
        Term::CellsOf(house) => match scene.value(house)? {
            Value::House(house) => Some(house),
            _ => None,
        },
        _ => None,
    }
}

/// Puts `excludes` between one `either` and the next, turned so that they meet end to end.
pub(super) fn as_chain(grid: &Grid, said: Vec<Statement>) -> Vec<Statement> {
    let mut chain: Vec<Statement> = Vec::new();
    for (i, statement) in said.iter().enumerate() {
        let Statement::Either(mut a, mut b, at) = *statement else {
            chain.push(statement.clone());
            continue;
        };
        match chain.last().cloned() {
            Some(Statement::Either(_, end, _)) => {
                let meets = |c: Candidate| c == end || meeting(grid, end, c).is_some();
                if b == end || (!meets(a) && meets(b)) {
                    (a, b) = (b, a);
                }
                chain.extend(meeting(grid, end, a).map(|at| Statement::Excludes(end, a, at)));
            }
            _ => {
                // The first link: its far end is the one that meets the next link.
                if let Some(&Statement::Either(x, y, _)) = said.get(i + 1) {
                    let joins = |end| end == x || end == y;
                    let meets = |end| meeting(grid, end, x).or(meeting(grid, end, y)).is_some();
                    if joins(a) || (!joins(b) && !meets(b) && meets(a)) {
                        (a, b) = (b, a);
                    }
                }
            }
        }
        chain.push(Statement::Either(a, b, at));
    }
    chain
}

/// Where two different candidates exclude each other, if they do.
pub fn meeting(grid: &Grid, a: Candidate, b: Candidate) -> Option<Meeting> {
    let layout = grid.layout();
    if a.cell == b.cell {
        return (a.digit != b.digit).then_some(Meeting::Cell(a.cell));
    }
    let shared = layout.houses_of(a.cell) & layout.houses_of(b.cell);
    shared.first().filter(|_| a.digit == b.digit).map(Meeting::House)
}
