//! Chains between sets as bits: a row a beginning, a bit an end.
//!
//! A chain `c(S, X, T, Y)` between hundreds of sets has hundreds of thousands of tuples. They are not
//! written out unless someone insists: its beginnings are a table, its ends are one, and plans go
//! through the beginnings and then through those ends that the row of bits tells.
//!
//! ```text
//! c(S, X, T, Y)   begins   #0 3 0 · #0 7 1 · #4 3 2 · …      S, X, and which row
//!                 ends     – #9 1 · – #2 3 · …               T, Y, by digits: which bit
//!                 row 1    0 1 1 0 …                         S has X = #0 7 reaches the second end
//! ```

use crate::language::Kind;

use super::super::bits::{Bits, Width};
use super::chain::{Chain, Nodes, Starts};
use super::{TableId, Tables};

/// The numbers of the tables that the tables of helpers are parted into: behind all others.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine::join) struct Parts {
    first: usize,
}

impl Parts {
    /// Behind so many tables.
    pub(crate) fn behind(tables: usize) -> Parts {
        Parts { first: tables }
    }

    pub(crate) fn begins(self, helper: TableId) -> TableId {
        self.first + 2 * helper
    }

    pub(crate) fn ends(self, helper: TableId) -> TableId {
        self.first + 2 * helper + 1
    }

    /// Whether a table is one of beginnings.
    pub(crate) fn is_begins(self, table: TableId) -> bool {
        table >= self.first && !self.is_ends(table)
    }

    /// Whether a table is one of ends.
    pub(crate) fn is_ends(self, table: TableId) -> bool {
        table >= self.first && (table - self.first) % 2 == 1
    }

    /// A word for the part that a table is, and the table that it is a part of.
    pub(crate) fn words(self, table: TableId) -> (&'static str, TableId) {
        let which = match table {
            whole if whole < self.first => "",
            ends if self.is_ends(ends) => "to ",
            _ => "from ",
        };
        (which, self.whole(table))
    }

    /// The table that this one is a part of, or itself.
    pub(crate) fn whole(self, table: TableId) -> TableId {
        if table >= self.first { (table - self.first) / 2 } else { table }
    }
}

/// Which ends each beginning reaches.
#[derive(Clone, Default)]
pub(in crate::engine::join) struct Reach {
    words: usize,
    bits: Vec<u64>,
}

impl Reach {
    pub(crate) fn clear(&mut self) {
        self.bits.clear();
    }

    /// Takes rows of so many words.
    pub(crate) fn begin(&mut self, words: usize) {
        self.words = words;
        self.bits.clear();
    }

    pub(crate) fn push(&mut self, row: &[u64]) {
        self.bits.extend_from_slice(row);
    }

    #[inline]
    pub(crate) fn row(&self, beginning: usize) -> &[u64] {
        &self.bits[beginning * self.words..][..self.words]
    }

    /// How many words a row has.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// How many pairs there are.
    pub(crate) fn count(&self) -> usize {
        self.bits.iter().map(|word| word.count_ones() as usize).sum()
    }
}

impl<W: Width> Tables<W> {
    /// Makes room for the parts of a chain.
    pub(crate) fn declare_parts(&mut self, table: TableId, chain: &Chain) {
        let kinds = self.table(table).kinds.clone();
        let kind = |&column: &usize| kinds[column];
        let begins: Vec<Kind> = chain.passing.iter().map(kind).chain([Kind::Number]).collect();
        let node = chain.node.iter().map(kind);
        let ends: Vec<Kind> = [Kind::Number].into_iter().chain(node).collect();
        self.declare(self.parts.begins(table), &begins, Vec::new());
        self.declare(self.parts.ends(table), &ends, Vec::new());
        self.table_mut(table).chain = Some(chain.clone());
    }

    /// Keeps a chain in parts: its beginnings, its ends, and which of these each reaches. How much it
    /// was.
    pub(super) fn part(
        &mut self,
        table: TableId,
        chain: &Chain,
        starts: &Starts,
        (nodes, ranks): (&mut Nodes, &[u32]),
    ) -> u64 {
        let (begins, ends) = (self.parts.begins(table), self.parts.ends(table));
        let mut reach = std::mem::take(&mut self.table_mut(ends).reach);
        let arity = chain.node.len() + 1;
        let node_tuples = &mut self.table_mut(ends).tuples;
        node_tuples.resize(ranks.len() * arity, 0);
        for (node, &rank) in ranks.iter().enumerate() {
            let tuple = nodes.tuple(node);
            for (i, &column) in chain.node.iter().enumerate() {
                node_tuples[rank as usize * arity + 1 + i] = tuple[column];
            }
        }
        let words = ranks.len().div_ceil(64);
        reach.begin(words);
        let sources = &mut self.table_mut(begins).tuples;
        let (mut number, mut spent) = (0u16, 0);
        nodes.graph.walk(starts.pairs(), |source, reached| {
            let mut tuple = [0u16; 6];
            chain.unpack_source(starts.source(source), &mut tuple);
            sources.extend(chain.passing.iter().map(|&column| tuple[column]));
            sources.push(number);
            number = number.saturating_add(1);
            reach.push(reached);
            spent += words as u64;
        });
        self.table_mut(ends).reach = reach;
        for part in [begins, ends] {
            self.set_filled(part, false);
        }
        self.table_mut(table).is_parted = true;
        // A row has a number of 16 bits.
        if number == u16::MAX { u64::MAX } else { spent }
    }

    /// Writes out the tuples of a chain that is kept in parts.
    #[cold]
    pub(super) fn write_out(&mut self, table: TableId) {
        let (begins, ends) = (self.parts.begins(table), self.parts.ends(table));
        let Some(chain) = self.table(table).chain.clone() else { return };
        let mut tuples = Vec::new();
        let sources = self.table(begins).tuples.chunks_exact(chain.passing.len() + 1);
        let nodes: Vec<&[u16]> =
            self.table(ends).tuples.chunks_exact(chain.node.len() + 1).collect();
        for (number, source) in sources.enumerate() {
            let mut tuple = vec![0; self.arity(table)];
            chain.passing.iter().zip(source).for_each(|(&column, &value)| tuple[column] = value);
            for (word, bits) in self.table(ends).reach.row(number).iter().enumerate() {
                bits.each(|bit| {
                    let node = &nodes[64 * word + bit][1..];
                    chain.node.iter().zip(node).for_each(|(&column, &v)| tuple[column] = v);
                    tuples.extend_from_slice(&tuple);
                });
            }
        }
        self.set_tuples(table, &tuples);
        self.table_mut(table).is_parted = false;
    }

    /// How many beginnings, ends and pairs of them a chain has that is kept in parts.
    pub(crate) fn parted(&self, table: TableId) -> Option<(usize, usize, usize)> {
        let (begins, ends) = (self.parts.begins(table), self.parts.ends(table));
        self.table(table).is_parted.then(|| {
            let count = |part: TableId| self.table(part).tuples.len() / self.arity(part);
            (count(begins), count(ends), self.table(ends).reach.count())
        })
    }

    /// Who reaches the ends of a chain.
    #[inline]
    pub(crate) fn reach(&self, ends: TableId) -> &Reach {
        &self.table(ends).reach
    }
}
