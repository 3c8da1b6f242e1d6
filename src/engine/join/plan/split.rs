//! Conditions broken up into the smallest that mean the same.
//!
//! `C in unsolved & H` becomes `C in unsolved, C in H`; `{A, B} within H` becomes
//! `A in H, B in H`; `C in common_peers({A, B})` becomes `sees(C, A), sees(C, B)`; and so on.
//! What is left constrains few variables each, and the planner intersects them again.

use crate::language::{Comparison, Function, Literal, Relation, SetOperation, Term};

use super::body::{Body, members};

/// Breaks up the literals, and gives every call plain arguments.
pub(super) fn split(mut body: Body) -> Body {
    for literal in std::mem::take(&mut body.literals) {
        let plain = plain_call(literal, &mut body);
        split_literal(plain, &mut body.literals);
    }
    body
}

/// A computed argument of a call becomes a variable of its own.
fn plain_call(literal: Literal, body: &mut Body) -> Literal {
    let Literal::Call(predicate, mut terms) = literal else { return literal };
    for term in &mut terms {
        let kind = term.kind(&body.variables);
        let is_house =
            matches!(term, Term::Call(Function::Row | Function::Column | Function::Box, _));
        if is_house || kind.set().is_none() && !matches!(term, Term::Var(_)) {
            let fresh = body.add_variable(kind);
            let computed = std::mem::replace(term, fresh.clone());
            body.literals.push(Literal::Compare(Comparison::Equal, fresh, computed));
        }
    }
    Literal::Call(predicate, terms)
}

pub(super) fn split_literal(literal: Literal, out: &mut Vec<Literal>) {
    match literal {
        Literal::In(x, set) => split_in(x, set, out),
        Literal::Within(left, right) => split_within(left, right, out),
        Literal::Compare(Comparison::Greater, a, b) => {
            out.push(Literal::Compare(Comparison::Less, b, a));
        }
        Literal::Compare(Comparison::AtLeast, a, b) => {
            out.push(Literal::Compare(Comparison::AtMost, b, a));
        }
        Literal::Not(inner) => match *inner {
            Literal::Not(again) => split_literal(*again, out),
            inner => out.push(Literal::Not(Box::new(inner))),
        },
        other => out.push(other),
    }
}

/// `x in set`.
pub(super) fn split_in(x: Term, set: Term, out: &mut Vec<Literal>) {
    let live = |cell: &Term, digit: &Term| {
        Literal::Relation(Relation::Live, vec![cell.clone(), digit.clone()])
    };
    match set {
        Term::Operation(SetOperation::Intersection, a, b) => {
            split_in(x.clone(), *a, out);
            split_in(x, *b, out);
        }
        Term::Operation(SetOperation::Difference, a, b) => {
            split_in(x.clone(), *a, out);
            out.push(Literal::Not(Box::new(Literal::In(x, *b))));
        }
        Term::Lone(y) => out.push(Literal::Compare(Comparison::Equal, x, *y)),
        Term::Call(function, terms) => match (function, &terms[..]) {
            (Function::Spots, [Term::Lone(digit), cells]) => {
                out.push(live(&x, digit));
                split_in(x, cells.clone(), out);
            }
            (Function::Candidates, [Term::Lone(cell)]) => out.push(live(cell, &x)),
            (Function::Peers, [cell]) => {
                out.push(Literal::Relation(Relation::Sees, vec![x, cell.clone()]));
            }
            (Function::CommonPeers, [set]) if members(set).is_some_and(|m| !m.is_empty()) => {
                let sees = |cell: &Term| vec![x.clone(), cell.clone()];
                let cells = members(set).into_iter().flatten();
                out.extend(cells.map(|cell| Literal::Relation(Relation::Sees, sees(cell))));
            }
            // To see all of them is to be seen by all of them.
            (Function::CommonPeers, [set]) => {
                let peers = Term::Call(Function::Peers, vec![x]);
                split_within(set.clone(), peers, out);
            }
            _ => out.push(Literal::In(x, Term::Call(function, terms))),
        },
        set => out.push(Literal::In(x, set)),
    }
}

/// `left within right`.
fn split_within(left: Term, right: Term, out: &mut Vec<Literal>) {
    match (left, right) {
        (Term::Set(_, members), set) => {
            members.into_iter().for_each(|member| split_in(member, set.clone(), out));
        }
        (Term::Lone(member), set) => split_in(*member, set, out),
        (Term::Operation(SetOperation::Union, a, b), set) => {
            split_within(*a, set.clone(), out);
            split_within(*b, set, out);
        }
        (Term::Call(Function::Spots, terms), set)
            if matches!(terms[1], Term::Operation(SetOperation::Union, ..)) =>
        {
            let Term::Operation(_, a, b) = &terms[1] else { unreachable!("just seen") };
            for part in [a, b] {
                let spots = vec![terms[0].clone(), (**part).clone()];
                split_within(Term::Call(Function::Spots, spots), set.clone(), out);
            }
        }
        (left, Term::Operation(SetOperation::Intersection, a, b)) => {
            split_within(left.clone(), *a, out);
            split_within(left, *b, out);
        }
        (Term::Call(Function::Candidates, terms), set) if matches!(terms[0], Term::Set(..)) => {
            for member in members(&terms[0]).into_iter().flatten() {
                let lone = vec![Term::Lone(Box::new(member.clone()))];
                out.push(Literal::Within(Term::Call(Function::Candidates, lone), set.clone()));
            }
        }
        (left, Term::Call(Function::CommonPeers, terms)) => match &terms[..] {
            [Term::Set(_, members)] if !members.is_empty() => {
                for member in members {
                    let peers = Term::Call(Function::Peers, vec![member.clone()]);
                    out.push(Literal::Within(left.clone(), peers));
                }
            }
            _ => out.push(Literal::Within(left, Term::Call(Function::CommonPeers, terms))),
        },
        (left, right) => out.push(Literal::Within(left, right)),
    }
}
