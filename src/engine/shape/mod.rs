//! Which back end suits a clause: decided by its shape, never by its name.
//!
//! ```text
//! normal     the clause without the author's wording: definitions unfolded, comparisons turned
//! ground     what is known without candidates: houses, peers, numbers
//! planes     one free digit, all else known: pairs of cell sets
//! questions  such pairs as questions to the whole board
//! hall       N things of a set that have at most N partners
//! one_digit  whether a clause looks at one digit at a time, whoever runs it
//! ```

mod hall;
mod normal;
mod one_digit;
mod planes;
mod questions;

use crate::board::Layout;
use crate::language::{Clause, Literal};
use crate::meaning::Scene;

pub use hall::{Hall, Incidence};
pub use one_digit::one_digit;
pub use questions::{Effect, KINDS, Kinds, Locked, Pair, Questions};

/// What a clause was recognised as.
#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    /// Questions to the whole board, and what follows for the candidates in the answer.
    Planes(Effect, Questions),
    /// The Hall operator.
    Hall(Hall),
}

/// The shape of a clause, if it has one; on states without a hole it then means the same.
pub fn recognise(clause: &Clause, layout: &Layout, parameter: Option<i64>) -> Option<Shape> {
    if has_generator(clause) {
        return None;
    }
    let normal = normal::Normal::new(clause);
    let ground = Scene::without_state(layout, parameter, normal.variables.len());
    hall::recognise(&normal, &ground)
        .map(Shape::Hall)
        .or_else(|| planes::recognise(&normal, ground).map(|(e, q)| Shape::Planes(e, q)))
}

/// As [`recognise`], but looks for the Hall operator only, which is quick.
pub fn recognise_hall(clause: &Clause, layout: &Layout, parameter: Option<i64>) -> Option<Shape> {
    if has_generator(clause) {
        return None;
    }
    let normal = normal::Normal::new(clause);
    let ground = Scene::without_state(layout, parameter, normal.variables.len());
    hall::recognise(&normal, &ground).map(Shape::Hall)
}

/// Whether a clause has an `exists`, a `for`, a `{X : …}` or a `suppose`, which no shape has.
fn has_generator(clause: &Clause) -> bool {
    let mut found = clause.heads.iter().any(|head| head.generator().is_some());
    clause.conditions().for_each(|literal| {
        literal.each(&mut |l| {
            found |= matches!(
                l,
                Literal::Exists(_)
                    | Literal::Collect(..)
                    | Literal::Suppose(_)
                    | Literal::Traced(..)
            );
        });
    });
    found
}

#[cfg(test)]
mod tests;
