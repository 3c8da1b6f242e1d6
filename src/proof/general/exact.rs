//! What is the same for the part of a board that is kept as for the whole.

use crate::language::{ConstantSet, Function, Head, Kind, Literal, Relation, SetOperation, Term};

use super::super::flatten::Flat;
use super::rewrite::Rewrite;
use super::room::knows_kinds;

impl Rewrite<'_> {
    /// Whether all members of a set of cells or houses are kept; of digits all are.
    pub(super) fn is_whole(&self, term: &Term) -> bool {
        match term {
            Term::Var(v) => self.variables[v.index()].kind == Kind::Digits || self.whole[v.index()],
            Term::Set(..) | Term::Lone(_) => true,
            Term::Operation(SetOperation::Union, a, b) => self.is_whole(a) && self.is_whole(b),
            Term::Operation(SetOperation::Intersection, a, b) => {
                self.is_whole(a) || self.is_whole(b)
            }
            Term::Operation(SetOperation::Difference, a, _) => self.is_whole(a),
            Term::Call(Function::Spots, terms) => self.is_whole(&terms[1]),
            Term::Call(Function::Touching, terms) => self.is_whole(&terms[0]),
            Term::Call(Function::Candidates | Function::Missing, _) => true,
            Term::Constant(ConstantSet::Digits) => true,
            _ => false,
        }
    }

    /// Whether a set has houses only that are all kept.
    pub(super) fn is_of_kinds(&self, term: &Term) -> bool {
        match term {
            Term::Var(v) => self.of_kinds[v.index()] || self.whole[v.index()],
            Term::Constant(_) => self.any_kind.is_none() && is_kind(term),
            Term::Operation(SetOperation::Union, a, b) => {
                self.is_of_kinds(a) && self.is_of_kinds(b)
            }
            Term::Operation(SetOperation::Intersection, a, b) => {
                self.is_of_kinds(a) || self.is_of_kinds(b)
            }
            Term::Operation(SetOperation::Difference, a, _) => self.is_of_kinds(a),
            Term::Call(Function::Touching, terms) => self.is_of_kinds(&terms[0]),
            term => self.is_whole(term),
        }
    }

    /// Whether a number is the same for the part as for the whole.
    pub(super) fn is_counted(&self, number: &Term) -> bool {
        let mut counted = true;
        number.each(&mut |term| match term {
            Term::Size(set) => counted &= self.is_whole(set),
            Term::Var(v) => counted &= self.variables[v.index()].kind != Kind::Number,
            _ => {}
        });
        counted
    }

    /// Whether a condition is true of the part exactly if it is true of the whole.
    pub(super) fn is_exact(&self, literal: &Literal) -> bool {
        let terms = literal.terms().into_iter().all(|term| self.is_exact_term(term));
        terms
            && match literal {
                Literal::In(..) => true,
                Literal::Within(a, _) => self.is_whole(a),
                Literal::Compare(_, a, b) => match a.kind(&self.variables) {
                    Kind::Number => self.is_counted(a) && self.is_counted(b),
                    Kind::Cells | Kind::Digits | Kind::Houses => {
                        self.is_whole(a) && self.is_whole(b)
                    }
                    _ => true,
                },
                Literal::Relation(relation, _) => {
                    !matches!(relation, Relation::Rectangle | Relation::Orientation)
                }
                Literal::Not(inner) => self.is_exact(inner),
                _ => false,
            }
    }

    fn is_exact_term(&self, term: &Term) -> bool {
        let here = match term {
            _ if self.is_any_kind(term) => false,
            Term::Cell { .. } | Term::Constant(ConstantSet::Pieces) => false,
            Term::Call(function, terms) => match function {
                Function::Peers | Function::Spots => true,
                Function::CommonPeers | Function::Candidates => self.is_whole(&terms[0]),
                Function::Touching => self.is_whole(&terms[1]),
                Function::Cells => self.is_of_kinds(&terms[0]),
                _ => false,
            },
            _ => true,
        };
        here && term.parts().into_iter().all(|part| self.is_exact_term(part))
    }

    /// Whether a term tells rows, columns or boxes from other houses, which is forgotten.
    pub(super) fn is_any_kind(&self, term: &Term) -> bool {
        let Some(oriented) = &self.any_kind else { return false };
        is_kind(term)
            || *term == Term::Constant(ConstantSet::Pieces)
            || matches!(term, Term::Var(v) if oriented.contains(v))
    }

    /// Whether a clause tells them apart all the same.
    pub(super) fn tells_kinds(&self, flat: &Flat) -> bool {
        let mut found = knows_kinds(flat);
        let mut see = |term: &Term| found |= self.is_any_kind(term);
        flat.body.iter().for_each(|literal| literal.each_term(&mut see));
        flat.heads.iter().flat_map(Head::terms).for_each(|term| term.each(&mut see));
        found
    }
}

/// Whether a term stands for all houses of a kind.
fn is_kind(term: &Term) -> bool {
    use ConstantSet::{Boxes, Columns, Lines, Rows};
    matches!(term, Term::Constant(Rows | Columns | Lines | Boxes))
}
