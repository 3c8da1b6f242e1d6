//! Calls of chains that are kept as bits: first where a chain begins, then where it ends.
//!
//! `c(S, X, T, Y)` becomes `from c(S, X, N), to c(N, T, Y)`, where N tells which row of bits. So
//! what is known of S and X sieves the beginnings once, and not once an end.

use crate::language::{Kind, Literal, PredicateId};

use super::super::table::{Chain, Parts};
use super::body::Body;

/// The chains that a body calls and that are kept as bits.
pub(in crate::engine::join) type Chains = Vec<(PredicateId, Chain)>;

/// Parts the calls of these chains in two.
pub(super) fn part(body: &mut Body, chains: &Chains, parts: Parts) {
    for place in 0..body.literals.len() {
        let Literal::Call(helper, terms) = &body.literals[place] else { continue };
        let Some((helper, chain)) = chains.iter().find(|(other, _)| other == helper) else {
            continue;
        };
        let terms = terms.clone();
        let of = |columns: &[usize]| columns.iter().map(|&i| terms[i].clone()).collect::<Vec<_>>();
        let (mut begin, mut end) = (of(&chain.passing), of(&chain.node));
        let row = body.add_variable(Kind::Number);
        begin.push(row.clone());
        end.insert(0, row);
        let table = |table: usize| PredicateId(table as u16);
        let helper = helper.0 as usize;
        body.literals[place] = Literal::Call(table(parts.begins(helper)), begin);
        body.literals.push(Literal::Call(table(parts.ends(helper)), end));
    }
}
