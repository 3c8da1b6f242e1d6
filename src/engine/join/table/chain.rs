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

use crate::language::{Kind, Literal, Term};

use super::super::bits::{Bits, Width};
use super::super::plan::masks::{literal_mask, mask_of, term_mask};
use super::place::Places;
use super::{TableId, Tables};

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
    pub(crate) fn find(kinds: &[Kind], links: &[Link]) -> Option<Chain> {
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
    pub(crate) fn pack(&self, columns: &[usize], tuple: &[u16]) -> u64 {
        columns.iter().fold(0, |packed, &column| packed << self.bits | u64::from(tuple[column]))
    }

    /// Puts the columns of a source back into a tuple.
    pub(crate) fn unpack_source(&self, source: u64, tuple: &mut [u16]) {
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
    /// The same as bits, a row a node; then all that can be reached from it.
    rows: Vec<u64>,
    words: usize,
    closing: Closing,
    reached: Vec<u64>,
}

/// What it takes to find the parts of a graph whose nodes all reach each other.
#[derive(Clone, Default)]
struct Closing {
    /// As bits: the nodes met, and those whose part is not known yet.
    met: Vec<u64>,
    open: Vec<u64>,
    /// By node: when it was met, and the earliest that it leads back to.
    numbers: Vec<u32>,
    lowest: Vec<u32>,
    count: u32,
    waiting: Vec<u32>,
    /// The way to the node looked at, with the word of its row where to look on.
    way: Vec<(u32, u32)>,
    all: Vec<u64>,
    done: Vec<u64>,
}

impl Closing {
    fn clear(&mut self, nodes: usize, words: usize) {
        for bits in [&mut self.met, &mut self.open] {
            bits.clear();
            bits.resize(words, 0);
        }
        self.numbers.resize(nodes, 0);
        self.lowest.resize(nodes, 0);
        self.count = 0;
    }

    fn meet(&mut self, node: usize) {
        self.met[node / 64] |= 1 << (node % 64);
        self.open[node / 64] |= 1 << (node % 64);
        (self.numbers[node], self.lowest[node]) = (self.count, self.count);
        self.count += 1;
        self.waiting.push(node as u32);
        self.way.push((node as u32, 0));
    }

    /// The nodes from this one on reach each other: each has the rows of all, and what those that
    /// were closed before reach.
    fn close(&mut self, node: usize, rows: &mut [u64], words: usize) {
        let first = self.waiting.iter().rposition(|&other| other as usize == node).unwrap_or(0);
        let Closing { all, done, open, waiting, .. } = self;
        for bits in [&mut *all, &mut *done] {
            bits.clear();
            bits.resize(words, 0);
        }
        for &member in &waiting[first..] {
            let (word, bit) = (member as usize / 64, 1 << (member % 64));
            open[word] &= !bit;
            done[word] |= bit;
            let row = &rows[member as usize * words..][..words];
            all.iter_mut().zip(row).for_each(|(all, row)| *all |= row);
        }
        for (all, done) in all.iter_mut().zip(&*done) {
            *all |= done;
        }
        for word in 0..words {
            while all[word] & !done[word] != 0 {
                let next = 64 * word + (all[word] & !done[word]).trailing_zeros() as usize;
                let row = &rows[next * words..][..words];
                for (w, row) in row.iter().enumerate() {
                    all[w] |= row;
                    done[w] |= row;
                }
            }
        }
        for &member in &waiting[first..] {
            rows[member as usize * words..][..words].copy_from_slice(all);
        }
        waiting.truncate(first);
    }
}

impl Graph {
    /// Forgets all nodes.
    pub(super) fn clear(&mut self) {
        self.tables.clear();
        self.next.clear();
    }

    /// Makes room for the rows of all nodes.
    pub(super) fn lay_none(&mut self) {
        self.words = self.tables.len().div_ceil(64);
        self.rows.clear();
        self.rows.resize(self.words * self.tables.len(), 0);
    }

    /// Adds a row to that of a node.
    pub(super) fn lay_row(&mut self, node: usize, more: &[u64]) {
        let row = &mut self.rows[node * self.words..][..self.words];
        row.iter_mut().zip(more).for_each(|(row, more)| *row |= more);
    }

    /// Lays the rows as the pairs say.
    pub(super) fn lay(&mut self, rank: impl Fn(u32) -> u32) {
        self.lay_none();
        for &(from, to) in &self.next {
            let (from, to) = (rank(from) as usize, rank(to));
            self.rows[from * self.words + to as usize / 64] |= 1 << (to % 64);
        }
    }

    /// Adds to the row of each node what the nodes in it reach, and itself.
    fn close(&mut self) {
        match self.words {
            0 => {}
            1 => close_rows::<1>(&mut self.rows),
            2 => close_rows::<2>(&mut self.rows),
            3 => close_rows::<3>(&mut self.rows),
            4 => close_rows::<4>(&mut self.rows),
            _ => self.close_parts(),
        }
    }

    /// The same by Tarjan's way to find those that reach each other, which have one row; a part is
    /// found after all that it reaches.
    fn close_parts(&mut self) {
        let Graph { rows, words, closing, tables, .. } = self;
        let words = *words;
        closing.clear(tables.len(), words);
        for root in 0..tables.len() {
            if closing.met[root / 64] >> (root % 64) & 1 == 1 {
                continue;
            }
            closing.meet(root);
            while let Some((node, word)) = closing.way.last_mut() {
                let node = *node as usize;
                let row = &rows[node * words..][..words];
                let is_new = |w: &usize| row[*w] & !closing.met[*w] != 0;
                if let Some(w) = (*word as usize..words).find(is_new) {
                    *word = w as u32;
                    let next = 64 * w + (row[w] & !closing.met[w]).trailing_zeros() as usize;
                    closing.meet(next);
                    continue;
                }
                closing.way.pop();
                let mut lowest = closing.lowest[node];
                for (row, open) in row
                    .iter()
                    .zip(&closing.open)
                    .enumerate()
                    .map(|(w, (row, open))| (w, row & open))
                {
                    open.each(|bit| lowest = lowest.min(closing.numbers[64 * row + bit]));
                }
                if lowest == closing.numbers[node] {
                    closing.close(node, rows, words);
                } else if let Some((before, _)) = closing.way.last() {
                    let before = &mut closing.lowest[*before as usize];
                    *before = lowest.min(*before);
                }
            }
        }
    }

    /// Calls `see` with each source and the nodes reached from it. `starts` are pairs of source
    /// and node, source by source.
    pub(super) fn walk(&mut self, starts: &[(u32, u32)], mut see: impl FnMut(u32, &[u64])) {
        self.close();
        let Graph { rows, words, reached, .. } = self;
        for group in starts.chunk_by(|a, b| a.0 == b.0) {
            reached.clear();
            reached.resize(*words, 0);
            for &(_, node) in group {
                let row = &rows[node as usize * *words..][..*words];
                reached.iter_mut().zip(row).for_each(|(reached, row)| *reached |= row);
            }
            see(group[0].0, reached);
        }
    }
}

/// Adds to the row of each node what the nodes in it reach, and itself: node by node, for graphs so
/// small that looking for parts costs more than it saves.
fn close_rows<const WORDS: usize>(rows: &mut [u64]) {
    let (rows, _) = rows.as_chunks_mut::<WORDS>();
    for node in 0..rows.len() {
        let mut all = rows[node];
        all[node / 64] |= 1 << (node % 64);
        let mut done = [0; WORDS];
        done[node / 64] |= 1 << (node % 64);
        while let Some(w) = (0..WORDS).find(|&w| all[w] & !done[w] != 0) {
            let next = 64 * w + (all[w] & !done[w]).trailing_zeros() as usize;
            done[w] |= 1 << (next % 64);
            for (v, &row) in rows[next].iter().enumerate() {
                all[v] |= row;
                // The nodes before this one are closed: where they lead is in their rows.
                done[v] |= if next < node { row } else { 0 };
            }
        }
        rows[node] = all;
    }
}

/// Sorts by numbers, those with the same as they came.
fn sort_by_number<T: Copy>(items: &mut Vec<T>, number: impl Fn(T) -> usize) {
    let Some(&filler) = items.first() else { return };
    let mut next: Vec<usize> = Vec::new();
    for &item in &*items {
        let number = number(item);
        if next.len() < number + 2 {
            next.resize(number + 2, 0);
        }
        next[number + 1] += 1;
    }
    (1..next.len()).for_each(|i| next[i] += next[i - 1]);
    let mut sorted = vec![filler; items.len()];
    for &item in &*items {
        let place = &mut next[number(item)];
        sorted[*place] = item;
        *place += 1;
    }
    *items = sorted;
}

/// Where chains begin: sources by number, and the nodes that each has to begin with.
#[derive(Clone, Default)]
pub(super) struct Starts {
    places: Places,
    sources: Vec<u64>,
    pairs: Vec<(u32, u32)>,
}

impl Starts {
    pub(super) fn clear<W: Width>(&mut self, chain: &Chain, table: TableId, tables: &Tables<W>) {
        self.places.begin(tables.values(table, &chain.passing), chain.bits);
        self.sources.clear();
        self.pairs.clear();
    }

    /// The source of a tuple begins with a node.
    pub(super) fn push(&mut self, chain: &Chain, tuple: &[u16], node: u32) {
        let packed = chain.pack(&chain.passing, tuple);
        // Often it is the source that came last.
        if let Some(&(last, _)) = self.pairs.last()
            && self.sources[last as usize] == packed
        {
            self.pairs.push((last, node));
            return;
        }
        let new = self.sources.len();
        let source = self.places.of(&chain.passing, tuple, new);
        if source == new {
            self.sources.push(packed);
        }
        self.pairs.push((source as u32, node));
    }

    /// Tells nodes their ranks, and sorts by source.
    pub(super) fn sort(&mut self, ranks: &[u32]) {
        self.pairs.iter_mut().for_each(|(_, node)| *node = ranks[*node as usize]);
        if !self.pairs.is_sorted_by_key(|&(source, _)| source) {
            sort_by_number(&mut self.pairs, |(source, _)| source as usize);
        }
    }

    pub(super) fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs
    }

    /// How many sources there are, and which number each has.
    pub(super) fn count(&self) -> usize {
        self.sources.len()
    }
    pub(super) fn places(&self) -> &Places {
        &self.places
    }

    /// The columns of a source, packed.
    pub(super) fn source(&self, number: u32) -> u64 {
        self.sources[number as usize]
    }
}

/// The nodes of a graph.
#[derive(Clone, Default)]
pub(super) struct Nodes {
    pub graph: Graph,
    arity: usize,
    /// The tuple of each node, one after the other; columns that only pass are zero.
    pub tuples: Vec<u16>,
    /// The tables of the circle, and by table the numbers of nodes.
    circle: Vec<TableId>,
    numbers: Vec<Places>,
}

impl Nodes {
    /// Forgets all nodes; those to come are of these tables.
    pub(super) fn clear<W: Width>(
        &mut self,
        chain: &Chain,
        circle: &[TableId],
        tables: &Tables<W>,
    ) {
        self.arity = tables.arity(circle[0]);
        self.tuples.clear();
        self.graph.clear();
        self.circle.clear();
        self.circle.extend(circle);
        self.numbers.resize_with(circle.len().max(self.numbers.len()), Places::default);
        for (numbers, &table) in self.numbers.iter_mut().zip(circle) {
            numbers.begin(tables.values(table, &chain.node), chain.bits);
        }
    }

    pub(super) fn tuple(&self, node: usize) -> &[u16] {
        &self.tuples[node * self.arity..][..self.arity]
    }

    /// By node, its place among all: the same, or `by_scalars` first, so that those with the same
    /// digit are side by side.
    pub(super) fn rank(
        &self,
        chain: &Chain,
        kinds: &[Kind],
        by_scalars: bool,
        ranks: &mut Vec<u32>,
    ) {
        let count = self.graph.tables.len() as u32;
        ranks.clear();
        ranks.extend(0..count);
        if !by_scalars {
            return;
        }
        let mut order: Vec<u32> = (0..count).collect();
        for &column in chain.node.iter().rev().filter(|&&column| kinds[column].set().is_some()) {
            sort_by_number(&mut order, |node| self.tuple(node as usize)[column] as usize);
        }
        for (rank, &node) in order.iter().enumerate() {
            ranks[node as usize] = rank as u32;
        }
    }

    /// The number of the node that a tuple ends in; a new one if it was not seen before.
    pub(super) fn number(&mut self, chain: &Chain, table: TableId, tuple: &[u16]) -> u32 {
        let place = self.circle.iter().position(|&other| other == table).unwrap_or(0);
        let new = self.graph.tables.len();
        let node = self.numbers[place].of(&chain.node, tuple, new);
        if node == new {
            let first = self.tuples.len();
            self.tuples.resize(first + self.arity, 0);
            for &column in &chain.node {
                self.tuples[first + column] = tuple[column];
            }
            self.graph.tables.push(table);
        }
        node as u32
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
        graph.lay(|node| node);
        graph.walk(&[(3, 10), (3, 120), (7, 199)], |source, reached| {
            seen.push((source, reached.iter().map(|w| w.count_ones()).sum::<u32>()));
        });
        assert_eq!(seen, [(3, 40 + 30), (7, 1)]);
    }

    #[test]
    fn those_that_reach_each_other_reach_the_same() {
        let mut random = crate::random::Random::new(3);
        for _ in 0..300 {
            let nodes = 1 + random.below(90) as u32;
            let edges = random.below(3 * nodes as usize);
            let mut node = || random.below(nodes as usize) as u32;
            let next: Vec<(u32, u32)> = (0..edges).map(|_| (node(), node())).collect();
            let mut graph =
                Graph { tables: vec![0; nodes as usize], next: next.clone(), ..Graph::default() };
            graph.lay(|node| node);
            let starts: Vec<(u32, u32)> = (0..nodes).map(|node| (node, node)).collect();
            graph.walk(&starts, |source, reached| {
                let mut slow = vec![source];
                let mut at = 0;
                while at < slow.len() {
                    let here = slow[at];
                    for &(_, to) in next.iter().filter(|(from, _)| *from == here) {
                        if !slow.contains(&to) {
                            slow.push(to);
                        }
                    }
                    at += 1;
                }
                slow.sort_unstable();
                let fast: Vec<u32> =
                    (0..nodes).filter(|n| reached[*n as usize / 64] >> (n % 64) & 1 == 1).collect();
                assert_eq!(fast, slow);
            });
        }
    }
}
