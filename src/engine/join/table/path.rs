//! Recursive clauses whose rest is a path of tables: where a chain goes on is then a product of
//! matrices of bits, and no plan is run.
//!
//! ```text
//! c(S, X, T, Y) :- c(S, X, U, Z), weak(U, Z, V, W), strong(V, W, T, Y)
//!                          node ──── left   right ─── left   right ── node
//! ```

use crate::language::{Literal, Term, Var};

use super::super::bits::Width;
use super::chain::{Chain, Link, Nodes, Starts};
use super::clause::Copied;
use super::place::Places;
use super::{TableId, Tables};

/// One table on the way, and its columns that are known from before it, and that it gives.
#[derive(Clone, Debug)]
struct Passage {
    table: TableId,
    left: Vec<usize>,
    right: Vec<usize>,
}

/// The tables on the way from one node to the next.
#[derive(Clone, Debug)]
pub(in crate::engine::join) struct Path {
    passages: Vec<Passage>,
}

/// Terms that are variables, each another one.
pub(super) fn variables(terms: &[Term]) -> Option<Vec<Var>> {
    let mut all = Vec::new();
    for term in terms {
        match term {
            Term::Var(v) if !all.contains(v) => all.push(*v),
            _ => return None,
        }
    }
    Some(all)
}

impl Path {
    /// The path that the rest of a clause is, if it is one.
    pub(crate) fn find(chain: &Chain, link: &Link) -> Option<Path> {
        if chain.node != chain.moving {
            return None;
        }
        let (call, head) = (variables(link.call)?, variables(link.head)?);
        let mut state: Vec<Var> = chain.moving.iter().map(|&column| call[column]).collect();
        let goal: Vec<Var> = chain.moving.iter().map(|&column| head[column]).collect();
        let mut seen = call.clone();
        let mut left: Vec<(TableId, Vec<Var>)> = Vec::new();
        for literal in link.rest {
            let Literal::Call(helper, terms) = literal else { return None };
            left.push((helper.0 as usize, variables(terms)?));
        }
        let mut passages = Vec::new();
        while !left.is_empty() {
            let goes_on = |(_, all): &(TableId, Vec<Var>)| state.iter().all(|v| all.contains(v));
            let (table, all) = left.remove(left.iter().position(goes_on)?);
            let mut next: Vec<Var> = all.iter().copied().filter(|v| !state.contains(v)).collect();
            if next.is_empty() || next.iter().any(|v| seen.contains(v)) {
                return None;
            }
            if left.is_empty() {
                if next.len() != goal.len() || !next.iter().all(|v| goal.contains(v)) {
                    return None;
                }
                next.clone_from(&goal);
            }
            seen.extend(&next);
            let place = |v: &Var| all.iter().position(|other| other == v);
            passages.push(Passage {
                table,
                left: state.iter().filter_map(place).collect(),
                right: next.iter().filter_map(place).collect(),
            });
            state = next;
        }
        (!passages.is_empty()).then_some(Path { passages })
    }

    /// Whether what it does last is to begin a chain: then how chains begin tells how it ends.
    fn ends_as_begun(&self, chain: &Chain, begun: Option<&Copied>) -> bool {
        self.passages.last().zip(begun).is_some_and(|(last, begun)| {
            begun.from == last.table
                && begun.has(&chain.passing, &last.left)
                && begun.has(&chain.moving, &last.right)
        })
    }

    /// The tables that it leads through.
    pub(crate) fn tables(&self) -> impl Iterator<Item = TableId> {
        self.passages.iter().map(|passage| passage.table)
    }
}

/// Rows of bits by key.
#[derive(Clone, Default)]
struct Matrix {
    places: Places,
    bits: Vec<u64>,
}

impl Matrix {
    /// The row of some columns; a new one if there is none.
    #[inline]
    fn row(&mut self, columns: &[usize], tuple: &[u16], words: usize) -> &mut [u64] {
        let new = self.bits.len() / words;
        let place = self.places.of(columns, tuple, new);
        if place == new {
            self.bits.resize((new + 1) * words, 0);
        }
        &mut self.bits[place * words..][..words]
    }
}

/// What walking paths needs, kept from one state to the next.
#[derive(Clone, Default)]
pub(super) struct Matrices {
    before: Matrix,
    after: Matrix,
    targets: Vec<u32>,
}

impl Matrices {
    /// Numbers the nodes that paths lead to, but for those where chains begin, as they come.
    pub(super) fn number<W: Width>(
        &mut self,
        paths: &[Path],
        (chain, table): (&Chain, TableId),
        begun: Option<&Copied>,
        tables: &Tables<W>,
        nodes: &mut Nodes,
    ) {
        let mut tuple = [0u16; 6];
        self.targets.clear();
        for path in paths.iter().filter(|path| !path.ends_as_begun(chain, begun)) {
            let Some(last) = path.passages.last() else { continue };
            let (tuples, arity) = tables.tuples(last.table);
            for row in tuples.chunks_exact(arity) {
                for (&column, &from) in chain.moving.iter().zip(&last.right) {
                    tuple[column] = row[from];
                }
                self.targets.push(nodes.number(chain, table, &tuple));
            }
        }
    }

    /// Lays the rows of the graph: for each node by its rank, the nodes that a path leads to; chains
    /// begin with `starts`, perhaps all copied from one table. How much it was.
    pub(super) fn lay<W: Width>(
        &mut self,
        paths: &[Path],
        chain: &Chain,
        (starts, begun): (&Starts, Option<&Copied>),
        tables: &Tables<W>,
        (nodes, ranks): (&mut Nodes, &[u32]),
    ) -> u64 {
        let words = ranks.len().div_ceil(64);
        let mut spent = 0;
        nodes.graph.lay_none();
        let Matrices { before, after, targets } = self;
        let mut targets = targets.iter();
        for path in paths {
            // Where the rows of what was laid last are found.
            let mut own = false;
            let row_of = |own: bool, after: &Matrix, columns: &[usize], tuple: &[u16]| {
                let places = if own { &after.places } else { starts.places() };
                places.find(columns, tuple).map(|place| place * words)
            };
            for (i, Passage { table, left, right }) in path.passages.iter().enumerate().rev() {
                let (tuples, arity) = tables.tuples(*table);
                let is_last = i + 1 == path.passages.len();
                before.bits.clear();
                if is_last && path.ends_as_begun(chain, begun) {
                    before.bits.resize(starts.count() * words, 0);
                    for &(source, rank) in starts.pairs() {
                        before.bits[source as usize * words + rank as usize / 64] |=
                            1 << (rank % 64);
                    }
                    spent += starts.pairs().len() as u64;
                    std::mem::swap(before, after);
                    continue;
                }
                before.places.begin(tables.values(*table, left), chain.bits);
                for tuple in tuples.chunks_exact(arity) {
                    spent += 1;
                    if is_last {
                        let rank = ranks[*targets.next().expect("each has its target") as usize];
                        let row = before.row(left, tuple, words);
                        row[rank as usize / 64] |= 1 << (rank % 64);
                    } else if let Some(to) = row_of(own, after, right, tuple) {
                        let row = before.row(left, tuple, words);
                        row.iter_mut().zip(&after.bits[to..]).for_each(|(row, to)| *row |= to);
                    }
                }
                own = true;
                std::mem::swap(before, after);
            }
            for (node, &rank) in ranks.iter().enumerate() {
                if let Some(row) = row_of(own, after, &chain.moving, nodes.tuple(node)) {
                    nodes.graph.lay_row(rank as usize, &after.bits[row..][..words]);
                }
            }
        }
        spent
    }
}
