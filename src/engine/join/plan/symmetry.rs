//! Bodies that stay the same where two variables change places: `A`, `B` and `X`, `Y` in
//! `r(A, C, X), r(B, C, Y), X != Y`. Where only all effects together are asked for, one order of the
//! two is enough.

use crate::language::{
    Comparison, Function, Head, Kind, Literal, PredicateId, SetOperation, Term, Var,
};

use super::body::Body;
use super::masks::local_mask;

/// Helpers, and two columns of each that can change places.
pub(in crate::engine::join) type Symmetric = Vec<(PredicateId, (usize, usize))>;

/// Asks that of two variables that can change places one comes first.
pub(super) fn break_symmetry(body: &mut Body, helpers: &Symmetric) {
    let pairs = pairs(body, helpers);
    // Sets first: most is tried for them.
    let is_set = |&&(a, _): &&(usize, usize)| body.variables[a].kind.set().is_none();
    let mut sorted = pairs.iter().filter(is_set).chain(pairs.iter().filter(|pair| !is_set(pair)));
    if let Some(&(a, b)) = sorted.find(|&&first| stays(body, first, &pairs, helpers)) {
        let [a, b] = [a, b].map(|v| Term::Var(Var(v as u16)));
        // It takes less than any other test, so it is the first.
        body.literals.insert(0, Literal::Compare(Comparison::AtMost, a, b));
    }
}

/// Two columns with sets of a helper that can change places, in all its bodies.
pub(in crate::engine::join) fn symmetric_columns(bodies: &[Body]) -> Option<(usize, usize)> {
    let can_change = |body: &Body, (i, j): (usize, usize)| {
        let [Head::Helper(terms)] = &body.heads[..] else { return false };
        let (Term::Var(a), Term::Var(b)) = (&terms[i], &terms[j]) else { return false };
        let body = Body { heads: Vec::new(), ..body.clone() };
        let (pairs, first) = (pairs(&body, &Vec::new()), (a.min(b).index(), a.max(b).index()));
        pairs.contains(&first) && stays(&body, first, &pairs, &Vec::new())
    };
    let [Head::Helper(terms)] = &bodies.first()?.heads[..] else { return None };
    let is_set = |i: &usize| bodies[0].has_sets(&terms[*i..=*i]);
    let columns: Vec<usize> = (0..terms.len()).filter(is_set).collect();
    let mut pairs = columns.windows(2).map(|pair| (pair[0], pair[1]));
    pairs.find(|&columns| bodies.iter().all(|body| can_change(body, columns)))
}

/// Whether two bodies have the same effects: they say the same where the variables of the one's head
/// stand for those of the other's.
pub(in crate::engine::join) fn is_same(one: &Body, other: &Body, helpers: &Symmetric) -> bool {
    let of_head = |body: &Body| {
        let mut variables = Vec::new();
        let mut add = |v: Var| variables.push(v);
        body.heads.iter().flat_map(Head::terms).for_each(|term| term.each_variable(&mut add));
        variables
    };
    let (from, to) = (of_head(one), of_head(other));
    let place = |all: &[Var], v: Var| all.iter().position(|other| *other == v);
    // What no head has stays what it is, so nothing else may take its place.
    let is_free = |v: Var| !one.literals.iter().any(|literal| literal.mentions(v));
    let is_renaming = from.len() == to.len()
        && to.iter().all(|&v| place(&from, v).is_some() || is_free(v))
        && from.iter().zip(&to).all(|(a, b)| place(&from, *a) == place(&to, *b))
        && from.iter().zip(&to).all(|(a, b)| one.kind(*a) == other.kind(*b));
    let stand_for = |v: Var| place(&from, v).map_or(v, |place| to[place]);
    is_renaming && told(one, &stand_for, helpers) == told(other, &|v| v, helpers)
}

/// The pairs of variables that stand in places alike.
fn pairs(body: &Body, helpers: &Symmetric) -> Vec<(usize, usize)> {
    let signs: Vec<Vec<String>> =
        (0..body.variables.len()).map(|v| sign(body, Var(v as u16), helpers)).collect();
    // What a generator makes is nothing outside of it, and the rows of chains are no numbers.
    let local = body.literals.iter().fold(0, |mask, literal| mask | local_mask(literal));
    let is_open = |v: usize| local >> v & 1 == 0 && body.variables[v].kind != Kind::Number;
    let alike = |a: usize, b: usize| {
        body.variables[a].kind == body.variables[b].kind
            && is_open(a)
            && is_open(b)
            && !signs[a].is_empty()
            && signs[a] == signs[b]
    };
    let count = body.variables.len();
    let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
    pairs.filter(|&(a, b)| alike(a, b)).collect()
}

/// Whether a body says the same once a pair has changed places, alone or together with another.
fn stays(
    body: &Body,
    first: (usize, usize),
    pairs: &[(usize, usize)],
    helpers: &Symmetric,
) -> bool {
    let own = told(body, &|v| v, helpers);
    let stays = |swaps: &[(usize, usize)]| {
        let swapped = |v: Var| {
            let of = |&(a, b): &(usize, usize)| match v.index() {
                at if at == a => Some(b),
                at if at == b => Some(a),
                _ => None,
            };
            swaps.iter().find_map(of).map_or(v, |to| Var(to as u16))
        };
        told(body, &swapped, helpers) == own
    };
    let is_apart =
        |&&(a, b): &&(usize, usize)| ![a, b].iter().any(|v| [first.0, first.1].contains(v));
    stays(&[first]) || pairs.iter().filter(is_apart).any(|&other| stays(&[first, other]))
}

/// Where a variable stands, whatever the others are.
fn sign(body: &Body, v: Var, helpers: &Symmetric) -> Vec<String> {
    let blank = |other: Var| if other == v { Var(0) } else { Var(1) };
    let mentioning = body.literals.iter().filter(|l| l.mentions(v));
    let mut sign: Vec<String> = mentioning.map(|l| told_of(l, &blank, helpers)).collect();
    sign.sort();
    sign
}

/// What a body says with other variables, in an order of its own.
fn told(body: &Body, rename: &dyn Fn(Var) -> Var, helpers: &Symmetric) -> Vec<String> {
    let put = |term: &Term| settled(term, rename);
    let heads = body.heads.iter().map(|head| format!("{:?}", head.map(&put)));
    let literals = body.literals.iter();
    let mut told: Vec<String> = literals.map(|l| told_of(l, rename, helpers)).collect();
    told.sort();
    told.extend(heads);
    told
}

/// A condition with other variables, the same however its sides and members are written.
fn told_of(literal: &Literal, rename: &dyn Fn(Var) -> Var, helpers: &Symmetric) -> String {
    let put = |term: &Term| settled(term, rename);
    let mut renamed = literal.map(&put, rename);
    match &mut renamed {
        Literal::Compare(Comparison::Equal | Comparison::Unequal, a, b) => order(a, b),
        // Each of the one sees each of the other.
        Literal::Within(a, Term::Call(Function::CommonPeers, terms)) => order(a, &mut terms[0]),
        Literal::Call(helper, terms) => {
            if let Some((_, (i, j))) = helpers.iter().find(|(symmetric, _)| symmetric == helper) {
                let (head, tail) = terms.split_at_mut(*j);
                order(&mut head[*i], &mut tail[0]);
            }
        }
        _ => {}
    }
    format!("{renamed:?}")
}

fn settled(term: &Term, rename: &dyn Fn(Var) -> Var) -> Term {
    term.map(&|term| match term {
        Term::Var(v) => Term::Var(rename(v)),
        Term::Set(kind, mut members) => {
            members.sort_by_cached_key(|member| format!("{member:?}"));
            Term::Set(kind, members)
        }
        Term::Operation(SetOperation::Difference, a, b) => {
            Term::Operation(SetOperation::Difference, a, b)
        }
        Term::Operation(operation, mut a, mut b) => {
            order(&mut a, &mut b);
            Term::Operation(operation, a, b)
        }
        other => other,
    })
}

fn order<T: std::fmt::Debug>(a: &mut T, b: &mut T) {
    if format!("{a:?}") > format!("{b:?}") {
        std::mem::swap(a, b);
    }
}
