//! Sets with one member at most: once that is known, so is the set.

use crate::language::{Comparison, Kind, Literal, Term, Var};

use super::body::Body;
use super::split::split_literal;

/// Where a cell is in a set with one member at most, the set is that cell alone: it need not be
/// looked for among rows, and what is said of the set is said of the cell.
pub(super) fn define_lone(body: &mut Body) {
    if !body.goes_through_rows() {
        return;
    }
    while let Some((cell, set)) = lone(body) {
        let only = Term::Set(Kind::Cell, vec![Term::Var(cell)]);
        let put = |term: &Term| {
            term.map(&|term| if term == Term::Var(set) { only.clone() } else { term })
        };
        for literal in std::mem::take(&mut body.literals) {
            if is_in(&literal, cell, set) || is_few(&literal, set) {
                continue;
            }
            match literal {
                Literal::Call(..) => body.literals.push(literal),
                other => split_literal(other.map(&put, &|v| v), &mut body.literals),
            }
        }
        body.heads = body.heads.iter().map(|head| head.map(&put)).collect();
        body.literals.push(Literal::Compare(Comparison::Equal, Term::Var(set), only));
    }
}

fn is_in(literal: &Literal, cell: Var, set: Var) -> bool {
    matches!(literal, Literal::In(Term::Var(c), Term::Var(s)) if (*c, *s) == (cell, set))
}

fn is_few(literal: &Literal, set: Var) -> bool {
    matches!(literal, Literal::Compare(Comparison::AtMost, Term::Size(size), Term::Number(1))
        if **size == Term::Var(set))
}

/// A cell that is in a set with one member at most.
fn lone(body: &Body) -> Option<(Var, Var)> {
    body.literals.iter().find_map(|literal| match literal {
        Literal::In(Term::Var(cell), Term::Var(set))
            if body.kind(*set) == Kind::Cells
                && body.literals.iter().any(|other| is_few(other, *set)) =>
        {
            Some((*cell, *set))
        }
        _ => None,
    })
}
