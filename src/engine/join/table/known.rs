//! What steps of a circle that do the same found, by the nodes they went on from.
//!
//! Where two helpers take turns, as `odd` and `even` do, both go on from a cell to the same cells:
//! that is looked for once.

use super::super::bits::Width;
use super::chain::Chain;
use super::place::Places;
use super::{TableId, Tables};

/// What was found, by node.
#[derive(Clone, Default)]
pub(super) struct Known {
    nodes: Places,
    /// The tuples of each, one node after the other, and where they end.
    tuples: Vec<u16>,
    ends: Vec<usize>,
}

impl Known {
    pub(super) fn begin<W: Width>(&mut self, chain: &Chain, table: TableId, tables: &Tables<W>) {
        self.nodes.begin(tables.values(table, &chain.node), chain.bits);
        self.tuples.clear();
        self.ends.clear();
    }

    /// Where a node stands, if it was gone on from before; else it is the next.
    pub(super) fn of(&mut self, chain: &Chain, tuple: &[u16]) -> Option<usize> {
        let next = self.ends.len();
        Some(self.nodes.of(&chain.node, tuple, next)).filter(|&place| place != next)
    }

    /// What was found from the next node.
    pub(super) fn add(&mut self, tuples: &[u16]) {
        self.tuples.extend_from_slice(tuples);
        self.ends.push(self.tuples.len());
    }

    pub(super) fn tuples(&self, place: usize) -> &[u16] {
        let begin = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.tuples[begin..self.ends[place]]
    }
}
