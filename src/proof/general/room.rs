//! How many cells and houses a clause needs, where the layout is not known.

use crate::language::{ConstantSet, Function, Head, Kind, Literal, Relation, Term};

use super::super::flatten::Flat;
use super::rewrite::Rewrite;
use super::{MOST_EXTRAS, MOST_GROUPS, Room};

impl Rewrite<'_> {
    /// Whether a condition asks which of all lines touch something.
    fn touches(&self, literal: &Literal) -> bool {
        let mut found = false;
        literal.each_term(&mut |term| {
            if let Term::Call(Function::Touching, terms) = term {
                found |= !self.is_whole(&terms[0]);
            }
        });
        found
    }

    /// The cells and houses that it takes; nothing if that is too many.
    pub(super) fn room(&self, flat: &Flat, parameter: Option<i64>, size: usize) -> Option<Room> {
        let mentioned = flat.mentioned();
        let of_kind = |kind: Kind| {
            let all = flat.variables.iter().zip(&mentioned);
            all.filter(move |(variable, mentioned)| **mentioned && variable.kind == kind)
        };
        let count = |kind: Kind| of_kind(kind).count();
        let mut room = Room {
            size,
            named: count(Kind::Cell) + 1,
            houses: count(Kind::House),
            digits: count(Kind::Digit) + 1,
            sets: 0,
            kinds: false,
            lines: flat.body.iter().any(|literal| self.touches(literal)),
        };
        for literal in &flat.body {
            if let Literal::Choose(subset, _, most, _) = literal {
                let most = usize::try_from(most.constant(parameter)?).ok()?;
                match subset.kind(&flat.variables) {
                    Kind::Cells => room.named += most,
                    Kind::Houses => room.houses += most,
                    _ => room.digits += most,
                }
            }
            if let Literal::Compare(_, Term::Size(set), number) = literal
                && set.kind(&flat.variables) == Kind::Digits
            {
                let most = number.constant(parameter).and_then(|most| usize::try_from(most).ok());
                room.digits += most.unwrap_or(0);
            }
        }
        room.digits = room.digits.min(size);
        room.sets = sets(flat).len();
        room.kinds = knows_kinds(flat);
        let most = if mentions_groups(flat) { MOST_GROUPS } else { MOST_EXTRAS };
        let fits = room.houses <= most && room.cells() <= size * size;
        fits.then_some(room)
    }
}

/// The sets of cells of which a helper says what they have. One that is said twice is one.
fn sets(flat: &Flat) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    let mut see = |terms: &[Term]| {
        for term in terms.iter().filter(|term| term.kind(&flat.variables) == Kind::Cells) {
            if !found.contains(term) {
                found.push(term.clone());
            }
        }
    };
    for literal in &flat.body {
        literal.each(&mut |literal| {
            if let Literal::Call(_, terms) = literal {
                see(terms);
            }
        });
    }
    for head in &flat.heads {
        if let Head::Helper(terms) = head {
            see(terms);
        }
    }
    found
}

/// Whether rows, columns and boxes are told from other houses.
pub(crate) fn knows_kinds(flat: &Flat) -> bool {
    let mut found = false;
    let mut see = |term: &Term| {
        found |= matches!(
            term,
            Term::Constant(
                ConstantSet::Rows | ConstantSet::Columns | ConstantSet::Boxes | ConstantSet::Lines
            )
        );
    };
    flat.body.iter().for_each(|literal| literal.each_term(&mut see));
    flat.heads.iter().flat_map(Head::terms).for_each(|term| term.each(&mut see));
    let orients = |l: &Literal| matches!(l, Literal::Relation(Relation::Orientation, _));
    found || flat.body.iter().any(orients)
}

fn mentions_groups(flat: &Flat) -> bool {
    let mut found = false;
    let mut see = |term: &Term| found |= *term == Term::Constant(ConstantSet::Groups);
    flat.body.iter().for_each(|literal| literal.each_term(&mut see));
    found
}
