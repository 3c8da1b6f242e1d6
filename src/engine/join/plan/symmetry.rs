//! Bodies that stay the same where two variables change places: `A`, `B` and `X`, `Y` in
//! `r(A, C, X), r(B, C, Y), X != Y`. Where only all effects together are asked for, one order of the
//! two is enough.

use crate::language::{Comparison, Kind, Literal, SetOperation, Term, Var};

use super::body::Body;
use super::masks::local_mask;

/// Asks that of two variables that can change places one comes first.
pub(super) fn break_symmetry(body: &mut Body) {
    let signs: Vec<Vec<String>> =
        (0..body.variables.len()).map(|v| sign(body, Var(v as u16))).collect();
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
    let pairs: Vec<(usize, usize)> = pairs.filter(|&(a, b)| alike(a, b)).collect();
    // Sets first: most is tried for them.
    let is_set = |&&(a, _): &&(usize, usize)| body.variables[a].kind.set().is_none();
    let sorted = pairs.iter().filter(is_set).chain(pairs.iter().filter(|pair| !is_set(pair)));
    let own = told(body, &[]);
    for &first in sorted {
        let alone = told(body, &[first]) == own;
        let with_another = || {
            let others = pairs
                .iter()
                .filter(|&&(a, b)| ![a, b].iter().any(|v| [first.0, first.1].contains(v)));
            others.into_iter().any(|&other| told(body, &[first, other]) == own)
        };
        if alone || with_another() {
            let [a, b] = [first.0, first.1].map(|v| Term::Var(Var(v as u16)));
            body.literals.push(Literal::Compare(Comparison::AtMost, a, b));
            return;
        }
    }
}

/// Where a variable stands, whatever the others are.
fn sign(body: &Body, v: Var) -> Vec<String> {
    let blank = |other: Var| if other == v { Var(0) } else { Var(1) };
    let mentioning: Vec<&Literal> = body.literals.iter().filter(|l| l.mentions(v)).collect();
    let mut sign: Vec<String> = mentioning.iter().map(|l| told_of(l, &blank)).collect();
    sign.sort();
    sign
}

/// What a body says where variables have changed places, in an order of its own.
fn told(body: &Body, swaps: &[(usize, usize)]) -> Vec<String> {
    let rename = |v: Var| {
        let of = |&(a, b): &(usize, usize)| match v.index() {
            at if at == a => Some(b),
            at if at == b => Some(a),
            _ => None,
        };
        swaps.iter().find_map(of).map_or(v, |to| Var(to as u16))
    };
    let put = |term: &Term| settled(term, &rename);
    let heads = body.heads.iter().map(|head| format!("{:?}", head.map(&put)));
    let mut told: Vec<String> = body.literals.iter().map(|l| told_of(l, &rename)).collect();
    told.sort();
    told.extend(heads);
    told
}

/// A condition with other variables, the same however its sides and members are written.
fn told_of(literal: &Literal, rename: &dyn Fn(Var) -> Var) -> String {
    let put = |term: &Term| settled(term, rename);
    let mut renamed = literal.map(&put, rename);
    if let Literal::Compare(Comparison::Equal | Comparison::Unequal, a, b) = &mut renamed {
        order(a, b);
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
