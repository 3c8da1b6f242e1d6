//! What a head that changes something says about its variables beforehand.

use crate::language::{
    Comparison, ConstantSet, Function, Head, Kind, Literal, Relation, SetOperation, Term, Var,
};

use super::body::{Body, members};
use super::masks::is_bound;
use super::split::split_in;

/// `eliminate(S, D)` with a set S that is made of sets is `eliminate(T, D)` for each T in S. So T
/// can be bound first, and what it says about those sets sieves their rows.
pub(super) fn name_victim(body: &mut Body) {
    if !body.goes_through_rows() {
        return;
    }
    let [Head::Eliminate(cells, Term::Lone(digit))] = &body.heads[..] else { return };
    if matches!(cells, Term::Lone(_)) {
        return;
    }
    let (cells, digit) = (cells.clone(), digit.clone());
    let victim = body.add_variable(Kind::Cell);
    split_in(victim.clone(), cells, &mut body.literals);
    body.heads = vec![Head::Eliminate(Term::Lone(Box::new(victim)), Term::Lone(digit))];
}

/// `eliminate(S, D)` with `S = …` is `eliminate(T, D)` for each T in what S is, if no other condition
/// but `|S| > 0` asks about S. So T is bound before a choice that S hangs on, and says what has to be
/// chosen.
pub(super) fn name_victim_of_choice(body: &mut Body) {
    let [Head::Eliminate(Term::Var(set), Term::Lone(digit))] = &body.heads[..] else { return };
    let (set, digit) = (*set, digit.clone());
    let is_set = |term: &Term| *term == Term::Var(set);
    let is_some = |literal: &Literal| {
        matches!(literal, Literal::Compare(Comparison::Less, Term::Number(0), Term::Size(size))
            if is_set(size))
    };
    let asks = |literal: &&Literal| literal.mentions(set) && !is_some(literal);
    let asking: Vec<&Literal> = body.literals.iter().filter(asks).collect();
    let [Literal::Compare(Comparison::Equal, own, cells)] = asking[..] else { return };
    let chooses = body.literals.iter().any(|literal| matches!(literal, Literal::Choose(..)));
    if !is_set(own) || cells.mentions(set) || !chooses || digit.mentions(set) {
        return;
    }
    let cells = cells.clone();
    body.literals.retain(|literal| !literal.mentions(set));
    body.dropped |= 1 << set.index();
    let victim = body.add_variable(Kind::Cell);
    split_in(victim.clone(), cells, &mut body.literals);
    body.heads = vec![Head::Eliminate(Term::Lone(Box::new(victim.clone())), Term::Lone(digit))];
    while dissolve(body, &victim) {}
}

/// The same for a set that nothing is asked of but that a cell is in it: whether there was one.
fn dissolve(body: &mut Body, cell: &Term) -> bool {
    let dissolved = body.literals.iter().find_map(|literal| match literal {
        Literal::In(x, Term::Var(set)) if x == cell => Some((*set, definition_of(body, *set, x)?)),
        _ => None,
    });
    let Some((set, cells)) = dissolved else { return false };
    body.literals.retain(|literal| !literal.mentions(set));
    body.dropped |= 1 << set.index();
    split_in(cell.clone(), cells, &mut body.literals);
    true
}

/// What a set is, if no other condition asks about it but that it has a member, and that this is one.
fn definition_of(body: &Body, set: Var, member: &Term) -> Option<Term> {
    let mut definition = None;
    for literal in body.literals.iter().filter(|literal| literal.mentions(set)) {
        match literal {
            Literal::In(x, Term::Var(own)) if x == member && *own == set => {}
            Literal::Compare(Comparison::Less, Term::Number(0), Term::Size(size))
                if **size == Term::Var(set) => {}
            Literal::Compare(Comparison::Equal, Term::Var(own), cells)
                if *own == set && definition.is_none() && !cells.mentions(set) =>
            {
                definition = Some(cells.clone());
            }
            _ => return None,
        }
    }
    definition
}

/// `eliminate(T, D)` changes nothing unless D is possible in T.
pub(super) fn add_effects(body: &mut Body) {
    let [head] = &body.heads[..] else { return };
    let further = match head {
        Head::Eliminate(Term::Lone(cell), Term::Lone(digit)) => {
            Literal::Relation(Relation::Live, vec![(**cell).clone(), (**digit).clone()])
        }
        _ => return,
    };
    if !body.literals.contains(&further) {
        body.literals.push(further);
    }
}

/// A set that holds the term's, from the parts of it that are known; and how many they are.
pub(super) fn upper_bound(term: &Term, bound: u64, parts: &mut usize) -> Option<Term> {
    if is_bound(term, bound) {
        *parts += match term {
            Term::Constant(ConstantSet::Unsolved) => 0,
            _ => 1,
        };
        return Some(term.clone());
    }
    match term {
        Term::Operation(SetOperation::Intersection, a, b) => {
            match (upper_bound(a, bound, parts), upper_bound(b, bound, parts)) {
                (Some(a), Some(b)) => {
                    let (a, b) = (Box::new(a), Box::new(b));
                    Some(Term::Operation(SetOperation::Intersection, a, b))
                }
                (one, None) | (None, one) => one,
            }
        }
        Term::Operation(SetOperation::Difference, a, b) => {
            let a = upper_bound(a, bound, parts)?;
            if !is_bound(b, bound) {
                return Some(a);
            }
            *parts += 1;
            Some(Term::Operation(SetOperation::Difference, Box::new(a), b.clone()))
        }
        Term::Operation(SetOperation::Union, a, b) => {
            let a = Box::new(upper_bound(a, bound, parts)?);
            let b = Box::new(upper_bound(b, bound, parts)?);
            Some(Term::Operation(SetOperation::Union, a, b))
        }
        Term::Call(Function::CommonPeers, terms) => {
            let is_known = |cell: &&Term| is_bound(cell, bound);
            let known: Vec<Term> = members(&terms[0])?.iter().filter(is_known).cloned().collect();
            *parts += known.len();
            let some = !known.is_empty();
            some.then(|| Term::Call(Function::CommonPeers, vec![Term::Set(Kind::Cell, known)]))
        }
        Term::Call(Function::Touching, terms) => upper_bound(&terms[0], bound, parts),
        _ => None,
    }
}
