//! What is allowed but hardly meant. W120, W121, W122.

use crate::language::clause::{
    Clause, Comparison, ConstantSet, Function, Kind, Literal, Relation, SetOperation, Term,
};
use crate::language::diagnostic::Diagnostic;
use crate::language::rule::Parameter;
use crate::text::thousands;

use super::range;

/// Warns of a clause that can never be true.
pub(super) fn never(
    clause: &Clause,
    parameter: Option<&Parameter>,
    owner: &str,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for goal in &clause.body {
        if let Some(reason) = impossible(&goal.literal, parameter) {
            let message = format!("this is never true, so {owner} can never fire here");
            diagnostics.push(Diagnostic::warning("W120", goal.span, message).label(reason));
        }
    }
    for (number, goal) in clause.body.iter().enumerate() {
        let Literal::In(Term::Var(v), Term::Constant(set)) = goal.literal else { continue };
        for other in &clause.body[..number] {
            let Literal::In(Term::Var(w), Term::Constant(before)) = other.literal else { continue };
            if v == w && disjoint(set, before) {
                let name = &clause.variables[v.index()].name;
                let message = format!("this is never true, so {owner} can never fire here");
                let label = format!("`{name}` is already one of {}", constant(before));
                diagnostics.push(Diagnostic::warning("W120", goal.span, message).label(label));
            }
        }
    }
}

/// Keeps groups apart from houses: no digit must be in a group, so it misses none, and where its
/// spots are says nothing. E020, W122.
pub(super) fn groups(clause: &Clause, diagnostics: &mut Vec<Diagnostic>) {
    let may_be_group = |house: &Term| {
        clause.conditions().any(|literal| match literal {
            Literal::In(member, set) if member == house => mentions_groups(set),
            _ => false,
        })
    };
    for goal in &clause.body {
        let mut missing = None;
        goal.literal.each_term(&mut |term| {
            if let Term::Call(Function::Missing, terms) = term
                && may_be_group(&terms[0])
            {
                missing = Some(terms[0].clone());
            }
        });
        let name = |term: &Term| match term {
            Term::Var(v) => clause.variables[v.index()].name.clone(),
            _ => "this".to_string(),
        };
        if let Some(group) = missing {
            let message =
                format!("`missing` asks for a house, and `{}` may be a group", name(&group));
            let label = "no digit must be in a group";
            diagnostics.push(Diagnostic::error("E020", goal.span, message).label(label));
        }
        let few = match &goal.literal {
            Literal::Within(left, _) => Some(left),
            Literal::Compare(Comparison::AtMost | Comparison::Less, Term::Size(set), _)
            | Literal::Compare(Comparison::Equal, Term::Size(set), _) => Some(&**set),
            _ => None,
        };
        let Some(Term::Call(Function::Spots, terms)) = few else { continue };
        let Term::CellsOf(house) = &terms[1] else { continue };
        if may_be_group(house) {
            let message =
                format!("`{}` may be a group, which need not have the digit", name(house));
            let label = "of a house this would say where it is";
            diagnostics.push(Diagnostic::warning("W122", goal.span, message).label(label));
        }
    }
}

/// Whether groups may be in a set of houses.
fn mentions_groups(set: &Term) -> bool {
    match set {
        Term::Constant(ConstantSet::Groups) => true,
        Term::Operation(SetOperation::Difference, left, _) => mentions_groups(left),
        Term::Operation(_, left, right) => mentions_groups(left) || mentions_groups(right),
        _ => false,
    }
}

fn constant(set: ConstantSet) -> &'static str {
    match set {
        ConstantSet::Digits => "the digits",
        ConstantSet::Rows => "the rows",
        ConstantSet::Columns => "the columns",
        ConstantSet::Boxes => "the boxes",
        ConstantSet::Lines => "the lines",
        ConstantSet::Houses => "the houses",
        ConstantSet::Groups => "the groups",
        ConstantSet::Pieces => "the pieces",
        ConstantSet::Unsolved => "the unsolved cells",
    }
}

fn disjoint(a: ConstantSet, b: ConstantSet) -> bool {
    use ConstantSet::{Boxes, Columns, Groups, Lines, Pieces, Rows};
    let apart = |a, b| {
        matches!((a, b), (Rows, Columns) | (Rows | Columns | Lines, Boxes | Pieces))
            || a == Groups && b != Groups
    };
    apart(a, b) || apart(b, a)
}

fn impossible(literal: &Literal, parameter: Option<&Parameter>) -> Option<&'static str> {
    let empty = |term: &Term| match term {
        Term::Set(_, members) => members.is_empty(),
        Term::Operation(SetOperation::Difference, a, b) => a == b,
        _ => false,
    };
    match literal {
        Literal::In(_, set) if empty(set) => Some("nothing is in the empty set"),
        Literal::Relation(Relation::Sees, terms) if terms[0] == terms[1] => {
            Some("a cell does not see itself")
        }
        Literal::Compare(comparison, left, right) => {
            let strict =
                matches!(comparison, Comparison::Unequal | Comparison::Less | Comparison::Greater);
            if strict && left == right {
                return Some("both sides are the same");
            }
            let values: Vec<Option<i64>> = match parameter {
                Some(p) => (p.from..=p.to).map(Some).collect(),
                None => vec![None],
            };
            let may = |&value: &Option<i64>| {
                range::of(left, value).may(*comparison, range::of(right, value))
            };
            (!values.iter().any(may)).then_some("for no value")
        }
        _ => None,
    }
}

/// Warns where the body falls into parts that share no variable: all combinations are tried.
pub(super) fn product(clause: &Clause, owner: &str, diagnostics: &mut Vec<Diagnostic>) {
    // The part of each variable by the number of its first condition.
    let mut part: Vec<Option<usize>> = vec![None; clause.variables.len()];
    for (number, goal) in clause.body.iter().enumerate() {
        let own = goal.literal.variables();
        let touched: Vec<usize> = own.iter().filter_map(|v| part[v.index()]).collect();
        let first = touched.iter().copied().min().unwrap_or(number);
        for of in part.iter_mut().filter(|of| of.is_some_and(|of| touched.contains(&of))) {
            *of = Some(first);
        }
        own.iter().for_each(|v| part[v.index()] = Some(first));
    }
    let mut parts: Vec<usize> = part.iter().flatten().copied().collect();
    parts.sort_unstable();
    parts.dedup();
    if parts.len() < 2 {
        return;
    }
    let cost = |first: &usize| {
        let of_part = part.iter().zip(&clause.variables).filter(|(of, _)| **of == Some(*first));
        of_part.map(|(_, variable)| ways(variable.kind)).product()
    };
    let costs: Vec<u64> = parts.iter().map(cost).collect();
    let total = costs.iter().fold(1u64, |total, &cost| total.saturating_mul(cost));
    let factors: Vec<String> = costs.iter().map(|&cost| thousands(cost)).collect();
    let message = format!(
        "these conditions of {owner} share no variable with those before: all combinations are tried"
    );
    let label = format!("up to {} = {} on a 9×9 grid", factors.join(" × "), thousands(total));
    diagnostics.push(
        Diagnostic::warning("W121", clause.body[parts[1]].span, message)
            .label(label)
            .help("tie them together, with `sees`, `in` or a shared variable"),
    );
}

/// How many values a variable of a kind can have on a 9×9 grid.
fn ways(kind: Kind) -> u64 {
    match kind {
        Kind::Cell => 81,
        Kind::Digit => 9,
        Kind::House => 27,
        _ => 1,
    }
}
