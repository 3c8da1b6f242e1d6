//! Clauses in two parts: what can be said without derivations, and what asks for them.

use std::sync::Arc;

use super::clause::{Clause, Goal, Head, Literal, Term, Var};
use super::rule::{Rule, RuleSet};

/// What was left out of a clause.
#[derive(Clone, Debug)]
pub struct LeftOut {
    /// The variables of what is left, by their places in the whole clause.
    pub variables: Vec<Var>,
    /// The whole clause with only those conditions that were left out.
    pub rest: Clause,
}

impl RuleSet {
    /// The same rules, but in clauses that ask for derivations only the conditions that do not,
    /// and a contradiction for a conclusion; and what is left out of each clause of each rule.
    /// Nothing if no clause asks.
    pub fn untraced(&self) -> Option<(RuleSet, Vec<Vec<Option<LeftOut>>>)> {
        let asks = |rule: &Rule| rule.clauses.iter().any(|c| c.conditions().any(Literal::traces));
        if !self.rules.iter().any(asks) {
            return None;
        }
        let mut left_out = Vec::new();
        let mut rules: Vec<Rule> = self.rules.to_vec();
        for rule in &mut rules {
            let mut of_rule = Vec::new();
            for clause in &mut rule.clauses {
                let parts = clause.conditions().any(Literal::traces).then(|| parted(clause));
                of_rule.push(parts.map(|(kept, left_out)| {
                    *clause = kept;
                    left_out
                }));
            }
            left_out.push(of_rule);
        }
        let rules: Arc<[Rule]> = rules.into();
        Some((RuleSet { rules, ..self.clone() }, left_out))
    }
}

fn parted(clause: &Clause) -> (Clause, LeftOut) {
    let mut lost: Vec<Var> = Vec::new();
    let (mut kept, mut rest): (Vec<Goal>, Vec<Goal>) =
        clause.body.iter().cloned().partition(|goal| !goal.literal.traces());
    // What needs a set or a number that only the rest gives belongs to the rest.
    let mut next = 0;
    while next < rest.len() {
        let is_scalar = |v: &Var| clause.variables[v.index()].kind.set().is_some();
        lost.extend(rest[next].literal.variables().into_iter().filter(|v| !is_scalar(v)));
        next += 1;
        let (more, fewer): (Vec<Goal>, Vec<Goal>) =
            kept.into_iter().partition(|goal| lost.iter().any(|v| goal.literal.mentions(*v)));
        rest.extend(more);
        kept = fewer;
    }
    let mut variables: Vec<Var> = Vec::new();
    for goal in &kept {
        goal.literal.each(&mut |literal| {
            variables.extend(literal.variables());
            variables.extend(literal.locals());
        });
    }
    variables.sort_unstable();
    variables.dedup();
    let number = |v: Var| {
        let place = variables.binary_search(&v).expect("all variables are listed");
        Var(place as u16)
    };
    let put = |term: &Term| {
        term.map(&|term| match term {
            Term::Var(v) => Term::Var(number(v)),
            other => other,
        })
    };
    let renumbered =
        |goal: &Goal| Goal { literal: goal.literal.map(&put, &number), span: goal.span };
    let first = Clause {
        heads: vec![Head::Contradiction],
        body: kept.iter().map(renumbered).collect(),
        variables: variables.iter().map(|v| clause.variables[v.index()].clone()).collect(),
        span: clause.span,
    };
    (first, LeftOut { variables, rest: Clause { body: rest, ..clause.clone() } })
}
