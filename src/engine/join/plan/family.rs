//! Clauses that say the same of sets of one size after the other, as one.
//!
//! `Cs in choose(2, S), Ds = candidates(Cs), |Ds| <= 3`, the same with 3 and 4, and so on to 7 and 8
//! are `Cs in choose(2..7, S), Ds = candidates(Cs), |Ds| <= |Cs| + 1`: the smaller sets are on the
//! way to the larger ones.

use crate::language::{Arithmetic, Comparison, Literal, Term};

use super::body::Body;

/// What a body chooses: how many, how many more its one bound allows, and where in it that stands.
struct Size {
    count: i64,
    more: i64,
    choice: usize,
    bound: usize,
}

/// The same bodies, those of one family as one.
pub(in crate::engine::join) fn merge(bodies: &[Body]) -> Vec<Body> {
    let mut merged: Vec<(Body, Option<(String, i64)>)> = Vec::new();
    for body in bodies {
        let Some(size) = size_of(body) else {
            merged.push((body.clone(), None));
            continue;
        };
        let sign = sign_of(body, &size);
        let before = merged.iter_mut().find_map(|(family, told)| match told {
            Some((other, last)) if *other == sign && *last + 1 == size.count => {
                *last = size.count;
                Some(family)
            }
            _ => None,
        });
        match before {
            Some(family) => widen(family, &size),
            None => merged.push((body.clone(), Some((sign, size.count)))),
        }
    }
    merged.into_iter().map(|(body, _)| body).collect()
}

/// The one choice of a body, and the one bound on a size; nothing if there are others.
fn size_of(body: &Body) -> Option<Size> {
    let place = |is: &dyn Fn(&Literal) -> bool| {
        let mut places = (0..body.literals.len()).filter(|&i| is(&body.literals[i]));
        let first = places.next()?;
        places.next().is_none().then_some(first)
    };
    let choice = place(&|literal| matches!(literal, Literal::Choose(..)))?;
    let bound = place(&|literal| {
        matches!(literal, Literal::Compare(Comparison::AtMost, Term::Size(_), _))
    })?;
    let Literal::Choose(Term::Var(_), Term::Number(least), Term::Number(most), _) =
        &body.literals[choice]
    else {
        return None;
    };
    let Literal::Compare(_, _, Term::Number(limit)) = &body.literals[bound] else { return None };
    let more = limit.checked_sub(*most).filter(|more| *more >= 0)?;
    (least == most && *most > 0).then_some(Size { count: *most, more, choice, bound })
}

/// All that a body says but for the size.
fn sign_of(body: &Body, size: &Size) -> String {
    let mut literals = body.literals.clone();
    if let Literal::Choose(_, least, most, _) = &mut literals[size.choice] {
        (*least, *most) = (Term::Number(0), Term::Number(0));
    }
    if let Literal::Compare(_, _, limit) = &mut literals[size.bound] {
        *limit = Term::Number(size.more);
    }
    format!("{:?} {:?} {:?}", body.variables, body.heads, literals)
}

/// Lets a family choose up to the size of its next member.
fn widen(family: &mut Body, size: &Size) {
    let Literal::Choose(set, _, most, _) = &mut family.literals[size.choice] else { return };
    *most = Term::Number(size.count);
    let chosen = Term::Size(Box::new(set.clone()));
    if let Literal::Compare(_, _, limit) = &mut family.literals[size.bound] {
        let more = Box::new(Term::Number(size.more));
        *limit = Term::Arithmetic(Arithmetic::Add, Box::new(chosen), more);
    }
}
