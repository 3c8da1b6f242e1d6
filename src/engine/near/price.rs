//! What a failing condition costs: the candidates that would have to go for it to hold.

use std::collections::BTreeSet;

use crate::board::{Candidate, Cells, Digits};
use crate::language::{Clause, Comparison, Function, Literal, SetOperation, Term, Var};
use crate::trace::{Scene, Value};

/// The candidates that would have to go; nothing if their going would not help.
pub(super) fn price(clause: &Clause, scene: &Scene, literal: &Literal) -> Option<Vec<Candidate>> {
    match literal {
        Literal::Within(left, right) => {
            let (all, allowed) = (members(scene.term(left)?), members(scene.term(right)?));
            let mut going = BTreeSet::new();
            for extra in all.iter().filter(|member| !allowed.contains(member)) {
                going.extend(makers(clause, scene, left, *extra)?);
            }
            Some(going.into_iter().collect())
        }
        Literal::Compare(Comparison::AtMost, Term::Size(set), most) => {
            let Value::Number(most) = scene.term(most)? else { return None };
            let all = members(scene.term(set)?);
            let excess = all.len().checked_sub(usize::try_from(most).ok()?)?;
            let makers: Option<Vec<Vec<Candidate>>> =
                all.iter().map(|&member| makers(clause, scene, set, member)).collect();
            let mut makers = makers?;
            makers.sort_by_key(|makers| makers.len());
            Some(makers.into_iter().take(excess).flatten().collect())
        }
        _ => None,
    }
}

/// The live candidates because of which something is in a set; nothing if it is there anyway.
fn makers(clause: &Clause, scene: &Scene, set: &Term, member: Value) -> Option<Vec<Candidate>> {
    match set {
        Term::Var(var) => makers(clause, scene, definition(clause, *var)?, member),
        Term::Call(Function::Spots, arguments) => {
            let (Value::Digits(digits), Value::Cell(cell)) = (scene.term(&arguments[0])?, member)
            else {
                return None;
            };
            Some(live(scene, Cells::only(cell), digits))
        }
        Term::Call(Function::Candidates, arguments) => {
            let (Value::Cells(cells), Value::Digit(digit)) = (scene.term(&arguments[0])?, member)
            else {
                return None;
            };
            Some(live(scene, cells, Digits::only(digit)))
        }
        Term::Call(Function::Touching, arguments) => {
            let (Value::Cells(cells), Value::House(house)) = (scene.term(&arguments[1])?, member)
            else {
                return None;
            };
            let mut all = Vec::new();
            for cell in cells & scene.grid.layout().cells(house) {
                all.extend(makers(clause, scene, &arguments[1], Value::Cell(cell))?);
            }
            Some(all)
        }
        Term::Operation(SetOperation::Union, left, right) => {
            let mut all = Vec::new();
            for side in [left, right] {
                if members(scene.term(side)?).contains(&member) {
                    all.extend(makers(clause, scene, side, member)?);
                }
            }
            Some(all)
        }
        Term::Operation(SetOperation::Intersection, left, right) => {
            makers(clause, scene, left, member).or_else(|| makers(clause, scene, right, member))
        }
        Term::Operation(SetOperation::Difference, left, _) => makers(clause, scene, left, member),
        _ => None,
    }
}

fn live(scene: &Scene, cells: Cells, digits: Digits) -> Vec<Candidate> {
    let here = |digit| (scene.grid.plane(digit) & cells).iter().map(move |cell| (cell, digit));
    digits.iter().flat_map(here).map(|(cell, digit)| Candidate { cell, digit }).collect()
}

/// The term that a variable was set equal to.
pub(super) fn definition(clause: &Clause, var: Var) -> Option<&Term> {
    clause.body.iter().find_map(|goal| match &goal.literal {
        Literal::Compare(Comparison::Equal, Term::Var(v), term) if *v == var => Some(term),
        Literal::Compare(Comparison::Equal, term, Term::Var(v)) if *v == var => Some(term),
        _ => None,
    })
}

/// The members of a set, in order.
pub(super) fn members(value: Value) -> Vec<Value> {
    match value {
        Value::Cells(cells) => cells.iter().map(Value::Cell).collect(),
        Value::Digits(digits) => digits.iter().map(Value::Digit).collect(),
        Value::Houses(houses) => houses.iter().map(Value::House).collect(),
        _ => Vec::new(),
    }
}
