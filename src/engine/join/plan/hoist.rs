//! What need not be made again for every value of another variable.
//!
//! In `T within common_peers(S)` with S bound before T, the common peers are those of S alone: they
//! become a variable of their own, which is defined as soon as S is known. Only where rows are gone
//! through: elsewhere the sets are small, and chosen last.

use crate::language::{Comparison, Function, Kind, Literal, Term};

use super::body::Body;
use super::masks::{literal_mask, term_mask};
use super::scan::sees_spots;

/// Gives the parts of conditions that go through a set variable names of their own.
pub(super) fn hoist(body: &mut Body) {
    if !body.goes_through_rows() {
        return;
    }
    let mut known: Vec<(Term, Term)> = Vec::new();
    for place in 0..body.literals.len() {
        let whole = literal_mask(&body.literals[place]);
        let mut found = Vec::new();
        match &body.literals[place] {
            // Rows are sieved by it cell by cell: what each of these sees is kept.
            literal if sees_spots(literal).is_some() => continue,
            Literal::Within(a, b) | Literal::In(a, b) => {
                parts(a, body, whole, &mut found);
                parts(b, body, whole, &mut found);
            }
            _ => continue,
        }
        for part in found {
            let known_as = known.iter().find(|(term, _)| *term == part);
            let name = known_as.map(|(_, name)| name.clone()).unwrap_or_else(|| {
                let name = body.add_variable(part.kind(&body.variables));
                let equal = Literal::Compare(Comparison::Equal, name.clone(), part.clone());
                body.literals.push(equal);
                known.push((part.clone(), name.clone()));
                name
            });
            let renamed =
                |term: &Term| term.map(&|term| if term == part { name.clone() } else { term });
            let literal = body.literals[place].map(&renamed, &|v| v);
            body.literals[place] = literal;
        }
    }
}

/// Gives what houses are chosen from a name of its own, unless it has one: the cells that they must
/// hold may be bound later.
pub(super) fn hoist_choices(body: &mut Body) {
    for place in 0..body.literals.len() {
        let Literal::Choose(set, least, most, over) = &body.literals[place] else { continue };
        if let Term::Operation(..) | Term::Call(..) = over
            && set.kind(&body.variables) == Kind::Houses
        {
            let (set, least, most) = (set.clone(), least.clone(), most.clone());
            let over = over.clone();
            let name = body.add_variable(over.kind(&body.variables));
            body.literals.push(Literal::Compare(Comparison::Equal, name.clone(), over));
            body.literals[place] = Literal::Choose(set, least, most, name);
        }
    }
}

/// The parts of a term that are made by going through a set variable, and hang on fewer variables
/// than the whole condition.
fn parts(term: &Term, body: &Body, whole: u64, found: &mut Vec<Term>) {
    let is_set = |v: usize| body.variables[v].kind.set().is_none();
    let mask = term_mask(term);
    if let Term::Call(Function::CommonPeers | Function::Candidates, _) = term
        && mask & !whole == 0
        && mask != whole
        && (0..body.variables.len()).any(|v| mask >> v & 1 == 1 && is_set(v))
    {
        found.push(term.clone());
        return;
    }
    match term {
        Term::Operation(_, a, b) => {
            parts(a, body, whole, found);
            parts(b, body, whole, found);
        }
        Term::Call(_, terms) => terms.iter().for_each(|term| parts(term, body, whole, found)),
        _ => {}
    }
}
