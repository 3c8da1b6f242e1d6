//! Which names stand at a level of a clause, and not inside a generator there.

use crate::language::ast::Operator;
use crate::language::ast::{Atom, Clause, Condition, ConditionKind, Expression, ExpressionKind};
use crate::language::diagnostic::Span;

/// The names of a clause outside of all generators.
pub(super) fn of_clause(clause: &Clause) -> Vec<String> {
    let mut names = of_body(&clause.body);
    for head in clause.heads.iter().filter(|head| head.each.is_none()) {
        of_atom(&head.atom, &mut names);
    }
    names
}

/// The names of conditions, without those in generators among them.
pub(super) fn of_body(conditions: &[Condition]) -> Vec<String> {
    let mut names = Vec::new();
    conditions.iter().for_each(|condition| of_condition(condition, &mut names));
    names
}

/// The variables that conditions make when they stand in a generator: the X of each `X in S`.
pub(super) fn members(conditions: &[Condition]) -> Vec<String> {
    let mut names = Vec::new();
    for condition in conditions {
        if let ConditionKind::Binary(Operator::In, member, _) = &condition.kind
            && let ExpressionKind::Variable(name) = &member.kind
            && name != "_"
            && !names.contains(name)
        {
            names.push(name.clone());
        }
    }
    names
}

fn of_condition(condition: &Condition, names: &mut Vec<String>) {
    match &condition.kind {
        ConditionKind::Binary(_, left, right) => {
            of_term(left, names);
            of_term(right, names);
        }
        ConditionKind::Atom(atom) => of_atom(atom, names),
        ConditionKind::Traced(fact, goal) => {
            of_atom(fact, names);
            of_atom(goal, names);
        }
        ConditionKind::Not(denied) => of_condition(denied, names),
        ConditionKind::Suppose(supposition) => {
            supposition.hypotheses.iter().for_each(|atom| of_atom(atom, names));
            of_atom(&supposition.goal, names);
        }
        ConditionKind::Forall(..) | ConditionKind::Exists(..) => {}
    }
}

/// Adds the names of a call or a conclusion.
pub(super) fn of_atom(atom: &Atom, names: &mut Vec<String>) {
    atom.arguments.iter().for_each(|argument| of_term(argument, names));
}

/// Adds the names of a term.
pub(super) fn of_term(term: &Expression, names: &mut Vec<String>) {
    match &term.kind {
        ExpressionKind::Variable(name) if name != "_" && !names.contains(name) => {
            names.push(name.clone());
        }
        ExpressionKind::Atom(atom) => of_atom(atom, names),
        ExpressionKind::Set(terms) => terms.iter().for_each(|term| of_term(term, names)),
        ExpressionKind::Size(term) => of_term(term, names),
        ExpressionKind::Binary(_, left, right) | ExpressionKind::Range(left, right) => {
            of_term(left, names);
            of_term(right, names);
        }
        _ => {}
    }
}

/// Where a variable first stands in a term.
pub(super) fn place_of(term: &Expression, name: &str) -> Option<Span> {
    let first = |terms: &[Expression]| terms.iter().find_map(|term| place_of(term, name));
    match &term.kind {
        ExpressionKind::Variable(other) if other == name => Some(term.span),
        ExpressionKind::Atom(atom) => first(&atom.arguments),
        ExpressionKind::Set(terms) => first(terms),
        ExpressionKind::Size(term) => place_of(term, name),
        ExpressionKind::Binary(_, left, right) | ExpressionKind::Range(left, right) => {
            place_of(left, name).or_else(|| place_of(right, name))
        }
        _ => None,
    }
}
