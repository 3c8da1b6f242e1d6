//! Clauses as the prover walks through them: helpers unfolded, order forgotten where it can be.

use std::collections::VecDeque;

use crate::language::{
    Clause, Comparison, Goal, Head, Kind, Literal, PredicateId, Recursion, RuleSet, Term, TooMany,
    Unfolded, Var, Variable,
};

use super::budget::Budget;

/// A clause whose body has no helper calls left, but for recursive and others that were to be kept and
/// those under `not` and `forall`.
#[derive(Clone, Debug)]
pub(super) struct Flat {
    /// What it concludes.
    pub heads: Vec<Head>,
    /// The conditions.
    pub body: Vec<Literal>,
    /// Its variables: those of the clause first, then those of the helpers.
    pub variables: Vec<Variable>,
    /// Whether some condition compares the order of cells, digits or houses.
    pub ordered: bool,
    /// The cells and digits named in it. Where the layout lacks one, it never holds.
    pub named: Vec<Term>,
    /// Those named in the helpers that it calls under `not` and `forall`: what is said of `r1c1`
    /// there is not said of other cells.
    pub named_inside: Vec<Term>,
    /// How many helpers were looked into for that.
    pub helpers_inside: usize,
    /// Sets that may be anything, and whether the clause is asked of a layout that is not known.
    pub free: Vec<Var>,
    pub general: bool,
    /// Whether its rows, columns and boxes are to be taken for any houses there.
    pub any_kind: bool,
}

impl Flat {
    /// By variable: whether some condition or head mentions it.
    pub(super) fn mentioned(&self) -> Vec<bool> {
        let mut found = vec![false; self.variables.len()];
        let see = &mut |v: Var| found[v.index()] = true;
        for literal in &self.body {
            literal.each(&mut |literal| {
                if let Literal::Collect(set, ..) = literal {
                    see(*set);
                }
                literal.terms().into_iter().for_each(|term| term.each_variable(see));
            });
        }
        self.heads.iter().flat_map(Head::terms).for_each(|term| term.each_variable(see));
        found
    }

    /// Whether a condition takes a house from a set, which may have groups in it. What none does is
    /// one of the houses.
    pub(super) fn may_be_group(&self, variable: Var) -> bool {
        let takes =
            |literal: &Literal| matches!(literal, Literal::In(Term::Var(v), _) if *v == variable);
        self.body.iter().any(takes)
    }
}

/// All alternatives of a clause; calls of the helpers `kept` stay as they are. With `relax`, `A < B` of cells, digits or houses is weakened to
/// `A != B`, so that the alternatives know no order and symmetry applies.
pub(super) fn flatten(
    rules: &RuleSet,
    clause: &Clause,
    recursion: Recursion,
    kept: &[PredicateId],
    relax: bool,
    budget: Budget,
) -> Result<Vec<Flat>, TooMany> {
    let mut flats = Vec::new();
    for part in clause.without_for() {
        // What stands after `for` is at the end of the body: for every way the same must be true.
        if part.heads.is_empty() && !clause.heads.is_empty() {
            continue;
        }
        let part = with_traced(part);
        let unfolded = rules.unfolded_within(&part, recursion, kept, budget.conditions())?;
        flats.extend(unfolded.into_iter().map(|unfolded| flat(rules, unfolded, relax)));
    }
    Ok(flats)
}

/// The clause with the helpers called that stand around `in trace`: both hold. Which of the
/// first a derivation rests on the prover does not know, so it may be any of them.
fn with_traced(mut clause: Clause) -> Clause {
    let mut calls = Vec::new();
    for Goal { literal, span } in &clause.body {
        if let Literal::Traced(fact, terms, goal, others) = literal {
            for call in [Literal::Call(*fact, terms.clone()), Literal::Call(*goal, others.clone())]
            {
                calls.push(Goal { literal: call, span: *span });
            }
        }
    }
    clause.body.extend(calls);
    clause
}

/// The steps that this took.
pub(super) fn unfolding(flats: &Result<Vec<Flat>, TooMany>, budget: Budget) -> u64 {
    match flats {
        Ok(flats) => {
            flats.iter().map(|flat| 2 + (flat.body.len() + flat.helpers_inside) as u64).sum()
        }
        Err(TooMany) => budget.conditions() as u64 / 2,
    }
}

fn flat(rules: &RuleSet, unfolded: Unfolded, relax: bool) -> Flat {
    let Unfolded { heads, body: goals, variables } = unfolded;
    let mut body = Vec::new();
    for goal in goals {
        let literal = if relax { relaxed(goal.literal, &variables) } else { Some(goal.literal) };
        body.extend(literal.filter(|literal| !body.contains(literal)));
    }
    let mut ordered = body.iter().any(|literal| knows_order(literal, &variables));
    let mut named = Vec::new();
    let see = &mut |term: &Term| name(term, &mut named);
    heads.iter().flat_map(Head::terms).for_each(|term| term.each(see));
    body.iter().for_each(|literal| literal.each_term(see));
    let mut named_inside = Vec::new();
    let inner = body.iter().flat_map(Literal::inside).flat_map(Literal::calls);
    let helpers = rules.reachable(inner);
    let helpers_inside = helpers.len();
    for helper in helpers {
        for clause in &rules.predicate(helper).clauses {
            clause.each_term(&mut |term| name(term, &mut named_inside));
            ordered |= clause.body.iter().any(|goal| knows_order(&goal.literal, &clause.variables));
        }
    }
    Flat {
        heads,
        body,
        variables,
        ordered,
        named,
        named_inside,
        helpers_inside,
        free: Vec::new(),
        general: false,
        any_kind: false,
    }
}

/// Adds a term that names a cell or a digit.
fn name(term: &Term, named: &mut Vec<Term>) {
    if matches!(term, Term::Cell { .. } | Term::Digit(_)) && !named.contains(term) {
        named.push(term.clone());
    }
}

/// The condition without what it says of order.
fn relaxed(literal: Literal, variables: &[Variable]) -> Option<Literal> {
    match literal {
        Literal::Compare(comparison, left, right) if is_scalar(left.kind(variables)) => {
            match comparison {
                Comparison::Less | Comparison::Greater => {
                    Some(Literal::Compare(Comparison::Unequal, left, right))
                }
                Comparison::AtMost | Comparison::AtLeast => None,
                _ => Some(Literal::Compare(comparison, left, right)),
            }
        }
        literal => Some(literal),
    }
}

fn is_scalar(kind: Kind) -> bool {
    kind.set().is_some()
}

/// Whether a condition compares the order of cells, digits or houses.
pub(super) fn knows_order(literal: &Literal, variables: &[Variable]) -> bool {
    let mut found = false;
    literal.each(&mut |literal| {
        if let Literal::Compare(comparison, left, _) = literal {
            let order = !matches!(comparison, Comparison::Equal | Comparison::Unequal);
            found |= order && is_scalar(left.kind(variables));
        }
    });
    found
}

/// The recursive helpers that bodies may reach, callees before callers.
pub(super) fn recursive_helpers(rules: &RuleSet, clauses: &[Clause]) -> Vec<PredicateId> {
    let mut found = Vec::new();
    let mut seen = vec![false; rules.predicates().len()];
    // Helpers on the way down, each with the callees that are still to be seen.
    let mut way = vec![(None, clauses.iter().flat_map(Clause::calls).collect::<VecDeque<_>>())];
    while let Some((helper, callees)) = way.last_mut() {
        match callees.pop_front() {
            Some(callee) if !std::mem::replace(&mut seen[usize::from(callee.0)], true) => {
                let clauses = rules.predicate(callee).clauses.iter();
                way.push((Some(callee), clauses.flat_map(Clause::calls).collect()));
            }
            Some(_) => {}
            None => {
                found.extend(helper.filter(|&helper| rules.predicate(helper).recursive));
                way.pop();
            }
        }
    }
    found
}
