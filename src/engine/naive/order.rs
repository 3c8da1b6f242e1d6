//! In which order the literals of a body are used.
//!
//! A literal is tested as soon as its variables are bound; a literal that can enumerate what is
//! unbound in it does so; and a cell, digit or house that nothing enumerates ranges over all of
//! them. That is all the planning there is.

use crate::language::{Clause, Comparison, Kind, Literal, PredicateId, Relation, Term, Var};

/// What to do next while solving a body.
#[derive(Clone, Debug)]
pub(super) enum BodyStep<'c> {
    /// Go on if the literal holds.
    Test(&'c Literal),
    /// Bind the variable to the term's value.
    Define(Var, &'c Term),
    /// Bind the variable to the set that the literal collects.
    Collect(Var, &'c Literal),
    /// Bind the variable to each member of the set.
    Member(Var, &'c Term),
    /// Bind the variable to each subset of these sizes.
    Subset(Var, [&'c Term; 2], &'c Term),
    /// Bind what is unbound to each tuple of a built-in relation.
    Relation(Relation, &'c [Term]),
    /// Bind what is unbound to each tuple of a helper; with the positions bound before.
    Call(PredicateId, &'c [Term], Vec<usize>),
    /// The same, but only tuples found in the last round.
    Fresh(PredicateId, &'c [Term]),
    /// Bind what is unbound of the first terms to each tuple on which the derivation rests.
    Traced(PredicateId, &'c [Term], PredicateId, &'c [Term]),
    /// Bind the variable to everything of its kind.
    Domain(Var),
}

/// The order for a body. `bound` says which variables have a value beforehand; the helper call
/// at `fresh`, if any, comes first and is limited to tuples of the last round.
pub(super) fn order<'c>(
    clause: &'c Clause,
    mut bound: Vec<bool>,
    fresh: Option<usize>,
) -> Vec<BodyStep<'c>> {
    let mut steps = Vec::new();
    let mut rest: Vec<&Literal> = Vec::new();
    for (i, goal) in clause.body.iter().enumerate() {
        match &goal.literal {
            Literal::Call(predicate, terms) if fresh == Some(i) => {
                bind(&mut bound, &goal.literal.variables());
                steps.push(BodyStep::Fresh(*predicate, terms));
            }
            literal => rest.push(literal),
        }
    }
    while !rest.is_empty() {
        // The first literal of the most eager sort.
        let next = (0..rest.len())
            .filter_map(|i| Some((eagerness(rest[i], &bound)?, i)))
            .min_by_key(|&(sort, i)| (sort, i));
        match next {
            Some((_, i)) => {
                let literal = rest.remove(i);
                steps.push(step(literal, &bound));
                bind(&mut bound, &literal.variables());
            }
            None => {
                let variable = most_useful(clause, &rest, &bound);
                bound[variable.index()] = true;
                steps.push(BodyStep::Domain(variable));
            }
        }
    }
    // A variable of the head alone ranges over its kind; those of generators stay free.
    let unbound = (0..bound.len()).filter(|&v| !bound[v]).map(|v| Var(v as u16));
    steps.extend(unbound.filter(|&v| !clause.is_local(v)).map(BodyStep::Domain));
    steps
}

/// Whether every set and number of a body is given by one of its literals, as the checker sees to
/// in whole bodies; a part of a body may lack the literal that gives one.
pub(super) fn gives_all(clause: &Clause) -> bool {
    let mut bound: Vec<bool> = clause.variables.iter().map(|v| v.kind.set().is_some()).collect();
    let mut rest: Vec<&Literal> = clause.body.iter().map(|goal| &goal.literal).collect();
    while let Some(i) = rest.iter().position(|literal| eagerness(literal, &bound).is_some()) {
        bind(&mut bound, &rest.remove(i).variables());
    }
    rest.is_empty()
}

fn bind(bound: &mut [bool], variables: &[Var]) {
    for v in variables {
        bound[v.index()] = true;
    }
}

fn is_bound(term: &Term, bound: &[bool]) -> bool {
    term.is_known(&|v| bound[v.index()])
}

fn free_variable(term: &Term, bound: &[bool]) -> Option<Var> {
    match term {
        Term::Var(v) if !bound[v.index()] => Some(*v),
        _ => None,
    }
}

/// How soon a literal is used: tests, definitions, enumerations that go on from what is bound,
/// enumerations that start afresh. Nothing if it has to wait.
fn eagerness(literal: &Literal, bound: &[bool]) -> Option<u8> {
    if literal.variables().iter().all(|v| bound[v.index()]) {
        return Some(0);
    }
    if definition(literal, bound).is_some() || collected(literal, bound).is_some() {
        return Some(1);
    }
    let goes_on = literal.variables().iter().any(|v| bound[v.index()]);
    let enumerates = match literal {
        Literal::In(member, set) => free_variable(member, bound).is_some() && is_bound(set, bound),
        Literal::Choose(subset, least, most, set) => {
            free_variable(subset, bound).is_some()
                && [least, most, set].into_iter().all(|term| is_bound(term, bound))
        }
        Literal::Relation(_, terms) | Literal::Call(_, terms) => {
            terms.iter().all(|term| is_bound(term, bound) || free_variable(term, bound).is_some())
        }
        Literal::Traced(_, terms, _, goal) => {
            let open = |term| is_bound(term, bound) || free_variable(term, bound).is_some();
            goal.iter().all(|term| is_bound(term, bound)) && terms.iter().all(open)
        }
        _ => false,
    };
    enumerates.then_some(if goes_on { 2 } else { 3 })
}

/// The variable that an equation defines.
fn definition<'c>(literal: &'c Literal, bound: &[bool]) -> Option<(Var, &'c Term)> {
    let Literal::Compare(Comparison::Equal, left, right) = literal else { return None };
    let defines = |a, b| free_variable(a, bound).filter(|_| is_bound(b, bound));
    defines(left, right).map(|v| (v, right)).or_else(|| defines(right, left).map(|v| (v, left)))
}

/// The variable that is a set of what a generator finds, if that can be found.
fn collected(literal: &Literal, bound: &[bool]) -> Option<Var> {
    let Literal::Collect(set, ..) = literal else { return None };
    let others = literal.variables().into_iter().filter(|v| v != set);
    others.into_iter().all(|v| bound[v.index()]).then_some(*set)
}

fn step<'c>(literal: &'c Literal, bound: &[bool]) -> BodyStep<'c> {
    if eagerness(literal, bound) == Some(0) {
        return BodyStep::Test(literal);
    }
    if let Some((variable, term)) = definition(literal, bound) {
        return BodyStep::Define(variable, term);
    }
    if let Some(variable) = collected(literal, bound) {
        return BodyStep::Collect(variable, literal);
    }
    match literal {
        Literal::In(Term::Var(v), set) => BodyStep::Member(*v, set),
        Literal::Choose(Term::Var(v), least, most, set) => BodyStep::Subset(*v, [least, most], set),
        Literal::Relation(relation, terms) => BodyStep::Relation(*relation, terms),
        Literal::Call(predicate, terms) => {
            let known = (0..terms.len()).filter(|&i| is_bound(&terms[i], bound));
            BodyStep::Call(*predicate, terms, known.collect())
        }
        Literal::Traced(fact, terms, goal, others) => BodyStep::Traced(*fact, terms, *goal, others),
        other => unreachable!("{other:?} enumerates nothing"),
    }
}

/// The unbound scalar variable that sets most literals going; of these, of the smallest kind.
fn most_useful(clause: &Clause, rest: &[&Literal], bound: &[bool]) -> Var {
    let wanted = rest.iter().flat_map(|literal| literal.variables());
    let scalar = |v: &Var| !bound[v.index()] && clause.variables[v.index()].kind.set().is_some();
    let sets_going = |v: Var| {
        let mut with = bound.to_vec();
        with[v.index()] = true;
        rest.iter().filter(|literal| eagerness(literal, &with).is_some()).count()
    };
    wanted
        .filter(scalar)
        .min_by_key(|&v| {
            let size = match clause.variables[v.index()].kind {
                Kind::Digit => 0,
                Kind::House => 1,
                _ => 2,
            };
            (usize::MAX - sets_going(v), size, v)
        })
        .expect("sets and numbers are given by some literal: the checker saw to it")
}
