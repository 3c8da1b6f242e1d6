//! Houses that are chosen once it is known which cell would lose its candidate: what they hold out
//! of that cell's sight must lie apart, and a few other houses must hold all of it.
//!
//! ```text
//! Endo within peers(V), Endo = {C in Spots : |touching(Base, C)| >= 2}    apart, out of V's sight
//! Spots \ cells(Cover) within peers(V), Cover in choose(N, …)             held by N houses
//! V in cells(Cover)                                                       held by N - 1 of them
//! ```
//!
//! Both are true of a part of the choice if they are of all of it, so most branches end early. They
//! are asked again of the whole: nothing is settled here.

use crate::language::{Comparison, Function, Kind, Literal, SetOperation, Term, Var};

use super::body::Body;
use super::choose::{chosen, distributes};
use super::effect::upper_bound;
use super::masks::{is_bound, term_mask};

/// What is asked of the houses chosen.
pub(super) struct Held {
    /// What they hold out of sight, as one term over all of them.
    pub image: Term,
    /// The houses that must hold it, and how many they are at most.
    pub houses: Term,
    pub most: Term,
    /// Whether one of those houses holds the cell itself, and so nothing out of its sight.
    pub without_one: bool,
    /// Whether no two of the houses chosen may hold the same cell out of sight.
    pub apart: bool,
}

/// What is asked of the choice at this place, if such conditions are.
pub(super) fn held_of(body: &Body, place: usize, bound: u64) -> Option<Held> {
    let v = chosen(&body.literals[place])?;
    if body.kind(v) != Kind::Houses {
        return None;
    }
    body.literals.iter().find_map(|literal| {
        let Literal::Within(Term::Operation(SetOperation::Difference, all, cover), seen) = literal
        else {
            return None;
        };
        let (cell, other) = (seen_by(seen)?, cells_of(cover)?);
        let all = resolved(all, body, bound);
        let is_of_choice = all.mentions(v)
            && term_mask(&all) & !bound & !(1 << v.index()) == 0
            && distributes(&all, v);
        if !is_of_choice || !is_bound(cell, bound) || other == v {
            return None;
        }
        let (most, houses) = body.literals.iter().find_map(|literal| match literal {
            Literal::Choose(Term::Var(w), _, most, over) if *w == other => {
                let over = resolved(over, body, bound);
                let houses = upper_bound(&over, bound, &mut 0)?;
                is_bound(most, bound).then(|| (most.clone(), houses))
            }
            _ => None,
        })?;
        let without_one = body.literals.iter().any(|literal| {
            matches!(literal, Literal::In(x, cover) if x == cell && cells_of(cover) == Some(other))
        });
        let apart = body.literals.iter().any(|literal| match literal {
            Literal::Within(shared, by) => {
                by == seen && is_shared(&resolved(shared, body, bound), &all, v, body, bound)
            }
            _ => false,
        });
        let image =
            Term::Operation(SetOperation::Difference, Box::new(all), Box::new(seen.clone()));
        Some(Held { image, houses, most, without_one, apart })
    })
}

/// The conditions that a cell is in no house of the choice at this place, and the cells.
pub(super) fn avoided_by(body: &Body, place: usize, bound: u64) -> Vec<(usize, Term)> {
    let Some(v) = chosen(&body.literals[place]) else { return Vec::new() };
    let avoided = |(i, literal): (usize, &Literal)| match literal {
        Literal::Not(inner) => match &**inner {
            Literal::In(x, cells) if cells_of(cells) == Some(v) && is_bound(x, bound) => {
                Some((i, x.clone()))
            }
            _ => None,
        },
        _ => None,
    };
    body.literals.iter().enumerate().filter_map(avoided).collect()
}

/// For `peers(V)`: V.
fn seen_by(term: &Term) -> Option<&Term> {
    match term {
        Term::Call(Function::Peers, terms) => terms.first(),
        _ => None,
    }
}

/// For `cells(Hs)`: Hs, if it is a variable.
fn cells_of(term: &Term) -> Option<Var> {
    match term {
        Term::Call(Function::Cells, terms) => match &terms[..] {
            [Term::Var(v)] => Some(*v),
            _ => None,
        },
        _ => None,
    }
}

/// How many definitions are put in each other's place; a guess, as authors name a set for a reason.
const MOST_RESOLVED: usize = 4;

/// A term with the definitions of those variables that are not known yet in their places.
fn resolved(term: &Term, body: &Body, bound: u64) -> Term {
    let mut term = term.clone();
    for _ in 0..MOST_RESOLVED {
        if is_bound(&term, bound) {
            break;
        }
        term = term.map(&|inner| match inner {
            Term::Var(v) if bound >> v.index() & 1 == 0 => {
                let defined = body.literals.iter().find_map(|literal| match literal {
                    Literal::Compare(Comparison::Equal, Term::Var(w), by)
                        if *w == v && !by.mentions(v) =>
                    {
                        Some(by.clone())
                    }
                    _ => None,
                });
                defined.unwrap_or(Term::Var(v))
            }
            inner => inner,
        });
    }
    term
}

/// Whether a set is of those members of `all` that two or more of the houses chosen hold.
fn is_shared(set: &Term, all: &Term, v: Var, body: &Body, bound: u64) -> bool {
    let Term::Var(set) = set else { return false };
    body.literals.iter().any(|literal| match literal {
        Literal::Collect(other, member, generator) if other == set => {
            let is_member = |term: &Term| match term {
                Term::Lone(cell) => **cell == Term::Var(*member),
                term => *term == Term::Var(*member),
            };
            let [a, b] = &generator.conditions[..] else { return false };
            let is_of_all = |condition: &Literal| {
                matches!(condition, Literal::In(x, from)
                    if is_member(x) && resolved(from, body, bound) == *all)
            };
            let is_in_two = |condition: &Literal| match in_two_or_more(condition) {
                Some(Term::Call(Function::Touching, terms)) => {
                    terms[0] == Term::Var(v) && is_member(&terms[1])
                }
                _ => false,
            };
            is_of_all(a) && is_in_two(b) || is_of_all(b) && is_in_two(a)
        }
        _ => false,
    })
}

/// For `|S| >= 2`, however it is written: S.
fn in_two_or_more(condition: &Literal) -> Option<&Term> {
    match condition {
        Literal::Compare(Comparison::AtLeast, Term::Size(set), Term::Number(2))
        | Literal::Compare(Comparison::AtMost, Term::Number(2), Term::Size(set))
        | Literal::Compare(Comparison::Greater, Term::Size(set), Term::Number(1))
        | Literal::Compare(Comparison::Less, Term::Number(1), Term::Size(set)) => Some(set),
        _ => None,
    }
}
