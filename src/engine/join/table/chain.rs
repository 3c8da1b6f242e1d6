//! Recursive helpers that go on from the end of what they have: chains.
//!
//! In `x_chain(D, A, C) :- x_chain(D, A, B), sees(B, E), conjugate(D, E, C, _)` the column A only
//! passes through; where a chain can go on depends on D and B alone. So the ends of chains are the
//! nodes of a graph, the rest of the clause is run once a node, and what can be reached from each
//! beginning is a walk over rows of bits.
//!
//! ```text
//! columns   D   A   B          source = all that pass           (D, A)
//!           │   │   └ moves    node   = predicate, relevant, moving   (x_chain, D, B)
//!           │   └ passes
//!           └ passes, and the rest of the clause looks at it: relevant
//! ```

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use crate::language::{Kind, Literal, Term};

use super::super::plan::masks::{literal_mask, mask_of, term_mask};
use super::{KeyHasher, TableId};

/// A recursive clause: the call into the circle, the head, the rest of the body.
pub(in crate::engine::join) struct Link<'t> {
    pub call: &'t [Term],
    pub head: &'t [Term],
    pub rest: &'t [Literal],
}

/// Which columns do what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine::join) struct Chain {
    pub passing: Vec<usize>,
    /// Those of the passing that the rest of some clause looks at, and those that move.
    pub node: Vec<usize>,
    pub moving: Vec<usize>,
    /// How many bits a column has in a key.
    pub bits: u32,
}

/// The bits of a column without sets, whose values are below 1024, and of one with numbers of sets;
/// how many columns with sets a source and a node may have, to fit in 64 and in 50 bits.
const SCALAR_BITS: u32 = 10;
const NUMBER_BITS: u32 = 16;
const MOST_WITH_SETS: (usize, usize) = (4, 3);

impl Chain {
    /// The chain that these clauses make, if they do.
    pub fn find(kinds: &[Kind], links: &[Link]) -> Option<Chain> {
        let arity = kinds.len();
        let passes = |i: usize| {
            links.iter().all(|link| {
                let once = |terms: &[Term]| {
                    terms.iter().filter(|&term| *term == link.call[i]).count() == 1
                };
                matches!(link.call[i], Term::Var(_))
                    && link.call[i] == link.head[i]
                    && once(link.call)
                    && once(link.head)
            })
        };
        let (passing, moving): (Vec<usize>, Vec<usize>) = (0..arity).partition(|&i| passes(i));
        let relevant = |i: usize| {
            links.iter().any(|link| {
                let rest = link.rest.iter().fold(0, |mask, literal| mask | literal_mask(literal));
                let moved: Vec<Term> = moving.iter().map(|&m| link.head[m].clone()).collect();
                term_mask(&link.call[i]) & (rest | mask_of(&moved)) != 0
            })
        };
        let mut node: Vec<usize> = passing.iter().copied().filter(|&i| relevant(i)).collect();
        if node.len() == passing.len() || moving.is_empty() || links.is_empty() {
            return None;
        }
        node.extend(&moving);
        let has_sets = kinds.iter().any(|kind| kind.set().is_none());
        let (source, end) = MOST_WITH_SETS;
        if has_sets && (passing.len() > source || node.len() > end) {
            return None;
        }
        let bits = if has_sets { NUMBER_BITS } else { SCALAR_BITS };
        Some(Chain { passing, node, moving, bits })
    }
}

impl Chain {
    /// Some columns of a tuple as one number, the first in the highest place.
    #[inline]
    pub fn pack(&self, columns: &[usize], tuple: &[u16]) -> u64 {
        columns.iter().fold(0, |packed, &column| packed << self.bits | u64::from(tuple[column]))
    }

    /// Puts the columns of a source back into a tuple.
    pub fn unpack_source(&self, source: u64, tuple: &mut [u16]) {
        let mask = (1 << self.bits) - 1;
        for (i, &column) in self.passing.iter().rev().enumerate() {
            tuple[column] = (source >> (self.bits * i as u32) & mask) as u16;
        }
    }
}

/// The graph of a circle on one state: nodes as they are found, numbered from zero.
#[derive(Clone, Default)]
pub(super) struct Graph {
    /// The table of each node.
    pub tables: Vec<usize>,
    /// Where one can go from each node: pairs of numbers.
    pub next: Vec<(u32, u32)>,
    /// The same as bits, a row a node.
    rows: Vec<u64>,
    reached: Vec<u64>,
    waiting: Vec<u64>,
}

impl Graph {
    /// Forgets all nodes.
    pub fn clear(&mut self) {
        self.tables.clear();
        self.next.clear();
    }

    /// Calls `see` with each source and the nodes reached from it. `starts` are pairs of source
    /// and node, sorted.
    pub fn walk(&mut self, starts: &[(u64, u32)], mut see: impl FnMut(u64, &[u64])) {
        let words = self.tables.len().div_ceil(64);
        let Graph { next, rows, reached, waiting, .. } = self;
        rows.clear();
        rows.resize(words * self.tables.len(), 0);
        for &(from, to) in &*next {
            rows[from as usize * words + to as usize / 64] |= 1 << (to % 64);
        }
        reached.resize(words, 0);
        waiting.resize(words, 0);
        for group in starts.chunk_by(|a, b| a.0 == b.0) {
            reached.fill(0);
            for &(_, node) in group {
                reached[node as usize / 64] |= 1 << (node % 64);
            }
            waiting.copy_from_slice(reached);
            let mut at = 0;
            while at < words {
                if waiting[at] == 0 {
                    at += 1;
                    continue;
                }
                let node = 64 * at + waiting[at].trailing_zeros() as usize;
                waiting[at] &= waiting[at] - 1;
                let mut lowest = at;
                for (w, &row) in rows[node * words..][..words].iter().enumerate() {
                    let new = row & !reached[w];
                    reached[w] |= new;
                    waiting[w] |= new;
                    if new != 0 && w < lowest {
                        lowest = w;
                    }
                }
                at = lowest;
            }
            see(group[0].0, reached);
        }
    }
}

/// The nodes of a graph.
#[derive(Clone, Default)]
pub(super) struct Nodes {
    pub graph: Graph,
    arity: usize,
    /// The tuple of each node, one after the other; columns that only pass are zero.
    pub tuples: Vec<u16>,
    /// From a node's table and columns to its number.
    numbers: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
}

impl Nodes {
    pub fn clear(&mut self, arity: usize) {
        self.arity = arity;
        self.tuples.clear();
        self.numbers.clear();
        self.graph.clear();
    }

    pub fn tuple(&self, node: usize) -> &[u16] {
        &self.tuples[node * self.arity..][..self.arity]
    }

    /// The number of the node that a tuple ends in; a new one if it was not seen before.
    pub fn number(&mut self, chain: &Chain, table: TableId, tuple: &[u16]) -> u32 {
        // Six columns would leave no room for the table, but one of them only passes.
        let key = chain.pack(&chain.node, tuple) | (table as u64) << 50;
        *self.numbers.entry(key).or_insert_with(|| {
            let first = self.tuples.len();
            self.tuples.resize(first + self.arity, 0);
            for &column in &chain.node {
                self.tuples[first + column] = tuple[column];
            }
            self.graph.tables.push(table);
            self.graph.tables.len() as u32 - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_reaches_what_it_can() {
        let next = (0..200).filter(|i| i % 50 != 49).map(|i| (i, i + 1)).collect();
        let mut graph = Graph { tables: vec![0; 200], next, ..Graph::default() };
        let mut seen = Vec::new();
        graph.walk(&[(3, 10), (3, 120), (7, 199)], |source, reached| {
            seen.push((source, reached.iter().map(|w| w.count_ones()).sum::<u32>()));
        });
        assert_eq!(seen, [(3, 40 + 30), (7, 1)]);
    }
}
