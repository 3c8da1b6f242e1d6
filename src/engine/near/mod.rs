//! Why a rule does not apply: its first condition without an answer, and its closest match.
//!
//! The closest match is the one that fewest candidates stand in the way of. It is searched by
//! nested loops over the rule's conditions, where a condition that fails only because of
//! candidates (`spots(D, B) within L`, `|Ds| <= N`) is let pass at the price of those candidates;
//! the price allowed grows from one candidate until a match is found.

mod price;
mod search;

use crate::board::{Candidate, Cell, Grid, House, HouseKind};
use crate::language::{
    Clause, Comparison, Function, Goal, Head, Kind, Literal, RuleSet, Span, Term, Var,
};
use crate::meaning::{Bindings, Scene, Value};
use crate::trace::Conclusion;

use super::naive::{BUDGET, can_be_asked, each_answer};
use search::Search;

/// A match that would be there without some candidates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NearMiss {
    /// Which clause of the rule.
    pub clause: usize,
    /// The variables.
    pub bindings: Bindings,
    /// The conditions that fail: the rule's, or a helper's.
    pub failing: Vec<Span>,
    /// The candidates in the way.
    pub needs: Vec<Candidate>,
    /// What would follow without them.
    pub conclusion: Conclusion,
}

/// Variables that someone has chosen, by name.
pub type Chosen = [(String, Value)];

/// A price higher than this is no near miss.
const DEAREST: usize = 6;
/// Steps that one question may take.
const QUESTION: u64 = BUDGET / 10;
/// How many loops may be entered in all.
const EFFORT: u64 = 600_000;
/// What running the rule on another state counts for, in loops.
const TRIAL: u64 = 10_000;

/// The closest match of an instance that would change something, if one is close enough.
pub fn near_miss(
    rules: &RuleSet,
    instance: usize,
    grid: &Grid,
    chosen: &Chosen,
) -> Option<NearMiss> {
    let mut effort = EFFORT;
    for price in 1..=DEAREST {
        for clause in 0..rules.rule(rules.instances()[instance].rule).clauses.len() {
            let mut search = Search::new(rules, instance, clause, grid, price, effort);
            if let Some(found) = search.run(chosen) {
                return Some(found);
            }
            effort = search.effort_left();
        }
    }
    None
}

/// Whether a match tells a learner something: its cells are different ones, and none of them is
/// left with one candidate.
pub fn is_telling(bindings: &[Value], grid: &Grid) -> bool {
    let cells: Vec<_> = bindings
        .iter()
        .filter_map(|value| match value {
            Value::Cell(cell) => Some(*cell),
            _ => None,
        })
        .collect();
    cells.iter().enumerate().all(|(i, cell)| {
        let is_open = grid.placed().contains(*cell) || grid.candidates(*cell).len() > 1;
        is_open && !cells[..i].contains(cell)
    })
}

/// Whether each digit that a helper is asked about is possible in one of the cells it is asked
/// about: a cell with one candidate left is within any two digits that have it.
pub fn is_possible(clause: &Clause, bindings: &[Value], grid: &Grid) -> bool {
    let scene = Scene::on(grid, None, bindings);
    clause.body.iter().all(|goal| {
        let Literal::Call(_, terms) = &goal.literal else { return true };
        let values: Vec<Value> = terms.iter().filter_map(|term| scene.value(term)).collect();
        let cells = || {
            values.iter().filter_map(|value| match value {
                Value::Cell(cell) => Some(*cell),
                _ => None,
            })
        };
        cells().next().is_none()
            || values.iter().all(|value| match value {
                Value::Digit(digit) => {
                    cells().any(|cell| grid.is_possible(Candidate { cell, digit: *digit }))
                }
                _ => true,
            })
    })
}

/// The place in a clause's body of the first condition that, with all before it, has no answer.
pub fn first_without_answer(
    rules: &RuleSet,
    instance: usize,
    clause: usize,
    grid: &Grid,
    chosen: &Chosen,
) -> Option<usize> {
    let instance = &rules.instances()[instance];
    let clause = &rules.rule(instance.rule).clauses[clause];
    (1..=clause.body.len()).find_map(|count| {
        let prefix = prefix(clause, count, instance.parameter, grid, chosen);
        // A condition may stand before the one that gives its set: it is asked with that one.
        let mut has_answer = !can_be_asked(&prefix);
        if !has_answer {
            let see = &mut |_| {
                has_answer = true;
                false
            };
            // What takes too long to ask is not blamed.
            has_answer |= each_answer(&prefix, rules, grid, QUESTION, see);
        }
        (!has_answer).then_some(count - 1)
    })
}

/// The first conditions of a clause as a clause of their own, without a parameter, with the
/// chosen variables fixed, and with no other variables than they name.
fn prefix(
    clause: &Clause,
    count: usize,
    parameter: Option<i64>,
    grid: &Grid,
    chosen: &Chosen,
) -> Clause {
    let mut used: Vec<Var> = Vec::new();
    let mut body: Vec<Goal> = clause.body[..count].to_vec();
    for goal in &mut body {
        goal.literal.each_term(&mut |term| {
            if let Term::Var(var) = term
                && !used.contains(var)
            {
                used.push(*var);
            }
        });
        goal.literal.each(&mut |literal| {
            let set = match literal {
                Literal::Collect(set, ..) => Some(*set),
                _ => None,
            };
            for own in literal.locals().into_iter().chain(set) {
                if !used.contains(&own) {
                    used.push(own);
                }
            }
        });
    }
    let number = |var: Var| used.iter().position(|&u| u == var).expect("all variables are listed");
    let renumbered = |var: Var| Var(number(var) as u16);
    for goal in &mut body {
        let put = |term: &Term| {
            term.map(&|term| match term {
                Term::Parameter => Term::Number(parameter.unwrap_or(0)),
                Term::Var(var) => Term::Var(renumbered(var)),
                other => other,
            })
        };
        goal.literal = goal.literal.map(&put, &renumbered);
    }
    let variables: Vec<_> = used.iter().map(|var| clause.variables[var.index()].clone()).collect();
    for (name, value) in chosen {
        if let Some(place) = variables.iter().position(|v| v.name == *name)
            && let Some(term) = as_term(grid, value)
        {
            let variable = Term::Var(Var(place as u16));
            let literal = Literal::Compare(Comparison::Equal, variable, term);
            body.push(Goal { literal, span: clause.span });
        }
    }
    Clause { heads: Vec::<Head>::new(), body, variables, span: clause.span }
}

/// A value as a term that has it.
fn as_term(grid: &Grid, value: &Value) -> Option<Term> {
    let layout = grid.layout();
    let cell = |cell| Term::Cell {
        row: layout.row_index(cell) as u8,
        column: layout.column_index(cell) as u8,
    };
    Some(match value {
        Value::Cell(c) => cell(*c),
        Value::Digit(digit) => Term::Digit(*digit),
        Value::Number(number) => Term::Number(*number),
        Value::Cells(cells) => Term::Set(Kind::Cell, cells.iter().map(cell).collect()),
        Value::Digits(digits) => Term::Set(Kind::Digit, digits.iter().map(Term::Digit).collect()),
        Value::House(house) => house_term(grid, *house, &cell)?,
        Value::Houses(houses) => {
            let each = houses.iter().map(|h| house_term(grid, h, &cell));
            Term::Set(Kind::House, each.collect::<Option<_>>()?)
        }
    })
}

fn house_term(grid: &Grid, house: House, cell: &dyn Fn(Cell) -> Term) -> Option<Term> {
    let layout = grid.layout();
    let function = match layout.kind(house) {
        HouseKind::Row => Function::Row,
        HouseKind::Column => Function::Column,
        HouseKind::Box => Function::Box,
        HouseKind::Extra => return None,
    };
    Some(Term::Call(function, vec![cell(layout.cells(house).first()?)]))
}
