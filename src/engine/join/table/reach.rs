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

use super::TableId;

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
