//! Which variables occur, as masks: a body has fewer than 64 of them.

use crate::language::{Head, Literal, Term};

/// The variables of a term.
pub(in crate::engine::join) fn term_mask(term: &Term) -> u64 {
    let mut mask = 0;
    term.each_variable(&mut |v| mask |= 1 << v.index());
    mask
}

/// The variables of some terms.
pub(in crate::engine::join) fn mask_of<'t>(terms: impl IntoIterator<Item = &'t Term>) -> u64 {
    terms.into_iter().fold(0, |mask, term| mask | term_mask(term))
}

/// The variables of a literal without those of generators in it.
pub(in crate::engine::join) fn literal_mask(literal: &Literal) -> u64 {
    let mut mask = 0;
    literal.each(&mut |inner| {
        mask |= mask_of(inner.terms());
        if let Literal::Collect(set, ..) = inner {
            mask |= 1 << set.index();
        }
    });
    mask & !local_mask(literal)
}

/// The variables that belong to some generator.
pub(super) fn local_mask(literal: &Literal) -> u64 {
    let mut mask = 0;
    literal.each(&mut |inner| {
        inner.locals().iter().for_each(|local| mask |= 1 << local.index());
    });
    mask
}

/// The variables of some heads.
pub(super) fn head_mask(heads: &[Head]) -> u64 {
    mask_of(heads.iter().flat_map(Head::terms))
}

/// Whether all variables of a term are bound.
pub(super) fn is_bound(term: &Term, bound: u64) -> bool {
    term.is_known(&|v| bound >> v.index() & 1 == 1)
}
