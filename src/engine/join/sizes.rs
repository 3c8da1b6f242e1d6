//! How large things are expected to be, so that a good order can be told from a bad one.
//!
//! Tables are filled on a sample board when they are declared. The other sizes are those of a
//! 9 × 9 board on which the standard rules are stuck: two thirds of the cells open, three
//! candidates each, a fifth of them with two.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::board::{Cell, Cells, Digit, Digits, Grid, Layout};
use crate::language::{Comparison, ConstantSet, Function, Kind, Literal, Relation, Term};
use crate::random::Random;

use super::body::{Body, kind_of, members, term_mask};
use super::source::{Relationship, Source, SourceSet};
use super::table::TableId;

/// How many tuples a table has.
#[derive(Clone, Debug)]
pub(super) enum TableSize {
    /// So many, in a table that nobody has seen filled.
    Guess(f64),
    /// These, on the sample board.
    Sample { tuples: Vec<u16>, arity: usize, counts: RefCell<HashMap<u8, f64>> },
}

impl TableSize {
    /// The tuples of a table on the sample board.
    pub fn of(tuples: &[u16], arity: usize) -> TableSize {
        TableSize::Sample { tuples: tuples.to_vec(), arity, counts: RefCell::default() }
    }

    /// How many tuples there are if only some columns are looked at; at least one.
    pub fn distinct(&self, columns: u8, whole: impl Fn(usize) -> f64) -> f64 {
        match self {
            TableSize::Guess(tuples) => {
                let product: f64 = (0..8).filter(|i| columns >> i & 1 == 1).map(whole).product();
                product.min(*tuples).max(1.0)
            }
            TableSize::Sample { tuples, arity, counts } => {
                *counts.borrow_mut().entry(columns).or_insert_with(|| {
                    let part = |tuple: &[u16]| {
                        (0..*arity)
                            .filter(|i| columns >> i & 1 == 1)
                            .fold(0u64, |key, i| key << 10 | u64::from(tuple[i]))
                    };
                    let seen: HashSet<u64> = tuples.chunks_exact(*arity).map(part).collect();
                    seen.len().max(1) as f64
                })
            }
        }
    }

    /// How many tuples there are.
    pub fn tuples(&self) -> f64 {
        match self {
            TableSize::Guess(tuples) => *tuples,
            TableSize::Sample { tuples, arity, .. } => (tuples.len() / arity.max(&1)) as f64,
        }
    }
}

/// Sizes of everything on a board.
#[derive(Clone, Debug)]
pub(super) struct Sizes {
    pub cells: f64,
    pub digits: f64,
    pub houses: f64,
    pub peers: f64,
    /// By table.
    pub tables: Vec<Option<TableSize>>,
    pub rectangle: TableId,
    /// The indices that some plan has: table, columns of the key as a mask, column.
    pub known: HashSet<(TableId, u8, u8)>,
}

impl Sizes {
    pub fn of_kind(&self, kind: Kind) -> f64 {
        match kind {
            Kind::Cell | Kind::Cells => self.cells,
            Kind::Digit | Kind::Digits => self.digits,
            _ => self.houses,
        }
    }

    /// How many members a set term is expected to have.
    pub fn set(&self, term: &Term, kinds: &[Kind]) -> f64 {
        let whole = self.of_kind(kind_of(term, kinds));
        match term {
            Term::Constant(constant) => match constant {
                ConstantSet::Digits => self.digits,
                ConstantSet::Houses => self.houses,
                ConstantSet::Lines => 2.0 * self.digits,
                ConstantSet::Unsolved => 0.65 * self.cells,
                _ => self.digits,
            },
            Term::Lone(_) => 1.0,
            Term::Set(_, members) => members.len() as f64,
            Term::CellsOf(_) => self.digits,
            Term::Operation(operation, a, b) => {
                use crate::language::SetOperation::{Difference, Intersection, Union};
                let (a, b) = (self.set(a, kinds), self.set(b, kinds));
                match operation {
                    Union => (a + b).min(whole),
                    Intersection => a * b / whole,
                    Difference => a * (1.0 - 0.5 * b / whole),
                }
            }
            Term::Call(function, terms) => match function {
                Function::Candidates => match &terms[0] {
                    Term::Lone(_) => 0.33 * self.digits,
                    _ => 0.6 * self.digits,
                },
                Function::Spots => 0.3 * self.set(&terms[1], kinds),
                Function::Missing => 0.65 * self.digits,
                Function::Peers => self.peers,
                Function::CommonPeers => {
                    let more = members(&terms[0]).map_or(1, |cells| cells.len().max(1) - 1);
                    self.peers * 0.3f64.powi(more as i32)
                }
                Function::Cells => self.digits * self.set(&terms[0], kinds).min(self.digits),
                // A line meets few boxes, and a box few lines.
                Function::Touching if matches!(terms[1], Term::CellsOf(_)) => {
                    self.set(&terms[0], kinds).min(self.digits.sqrt())
                }
                Function::Touching => 0.5 * self.set(&terms[0], kinds),
                _ => 1.0,
            },
            Term::Var(v) => match kinds[v.index()] {
                Kind::Cells => 0.1 * self.cells,
                Kind::Digits => 3.0,
                _ => self.digits,
            },
            _ => 1.0,
        }
    }

    /// How many values a source is expected to leave.
    fn source(&self, set: &SourceSet, kinds: &[Kind], bound: u64) -> f64 {
        match set {
            SourceSet::Term(term) => self.set(term, kinds),
            SourceSet::Equal(_) => 1.0,
            SourceSet::After(term) | SourceSet::Before(term) => {
                0.5 * self.of_kind(kind_of(term, kinds))
            }
            SourceSet::Peers(_) => self.peers,
            SourceSet::CommonPeers(_) => 0.3 * self.peers,
            SourceSet::Plane(_) => 0.27 * self.cells,
            SourceSet::Candidates(_) => 0.33 * self.digits,
            SourceSet::Given => 0.3 * self.cells,
            SourceSet::HousesOf(_) => 3.0,
            SourceSet::Around(_) => 1.0,
            SourceSet::House(_) => self.digits,
            SourceSet::FewCandidates(count) => {
                (0.02 + 0.22 * (*count as f64 - 1.0)).min(1.0) * self.cells
            }
            SourceSet::CandidatesWithin(_) => 0.05 * self.cells,
            SourceSet::FewDigits(few, _) => {
                0.1 * few.count as f64 * self.digits + if few.open { 0.0 } else { 2.0 }
            }
            SourceSet::FewHouses(few, _) => {
                0.1 * few.count as f64 * self.houses + if few.open { 0.0 } else { 6.0 }
            }
            SourceSet::Rest { variables, .. } => *variables as f64,
            SourceSet::Column { table, terms, column } => {
                let Some(size) = &self.tables[self.table_of(*table)] else { return 1.0 };
                let key = key_of(terms, *column, bound);
                let whole = |i: usize| self.of_kind(kind_of(&terms[i], kinds));
                size.distinct(key | 1 << *column, whole) / size.distinct(key, whole)
            }
            SourceSet::Every { each, .. } => 0.1 * self.source(&each.set, kinds, bound),
        }
    }

    /// What part of everything of its kind a source is expected to leave.
    pub fn part(&self, source: &Source, kind: Kind, body: &Body, bound: u64) -> f64 {
        let bound = bound & !body.dropped;
        let part = (self.source(&source.set, &body.kinds, bound) / self.of_kind(kind)).min(1.0);
        if source.negated { 1.0 - part } else { part }
    }

    /// What it costs to build the index that a source needs, if no plan has it yet.
    pub fn building(&self, set: &SourceSet, body: &Body, bound: u64) -> f64 {
        let SourceSet::Column { table, terms, column } = set else { return 0.0 };
        let table = self.table_of(*table);
        let key = key_of(terms, *column, bound & !body.dropped);
        let Some(size) = &self.tables[table] else { return 0.0 };
        if self.known.contains(&(table, key, *column as u8)) { 0.0 } else { 0.1 * size.tuples() }
    }

    fn table_of(&self, table: Relationship) -> TableId {
        match table {
            Relationship::Helper(predicate) => predicate.0 as usize,
            Relationship::Rectangle => self.rectangle,
        }
    }

    /// What part of the bindings passes a test.
    pub fn test(&self, literal: &Literal) -> f64 {
        match literal {
            Literal::Compare(Comparison::Unequal, ..) | Literal::Not(_) => 0.8,
            Literal::Compare(Comparison::Equal, ..) => 0.1,
            Literal::Compare(..) => 0.4,
            Literal::Forall(..) => 0.05,
            Literal::Within(..) => 0.2,
            Literal::Relation(Relation::Sees, _) => 0.25,
            _ => 0.3,
        }
    }
}

/// The columns that are bound, but for one, as a mask.
fn key_of(terms: &[Term], column: usize, bound: u64) -> u8 {
    (0..terms.len())
        .filter(|&i| i != column && term_mask(&terms[i]) & !bound == 0)
        .fold(0, |key, i| key | 1 << i)
}

/// A board such as the standard rules leave it: two thirds of the cells open, a quarter of these
/// with two candidates and the others with more. What a table holds there is what plans expect.
pub(super) fn sample(layout: &Arc<Layout>) -> Grid {
    let mut random = Random::new(16);
    let (size, height, width) = (layout.size(), layout.box_height(), layout.box_width());
    let solution = |cell: Cell| {
        let (row, column) = (layout.row_index(cell), layout.column_index(cell));
        (row % height * width + row / height + column) % size
    };
    let mut planes = vec![Cells::EMPTY; size];
    let placed: Cells = layout.all_cells().iter().filter(|_| random.below(10) < 3).collect();
    for cell in layout.all_cells() {
        let own = solution(cell);
        planes[own].insert(cell);
        if placed.contains(cell) {
            continue;
        }
        let mut taken = Digits::only(Digit::at(own));
        (*layout.peers(cell) & placed).iter().for_each(|peer| {
            taken.insert(Digit::at(solution(peer)));
        });
        let others: Vec<Digit> = (layout.all_digits() - taken).iter().collect();
        let kept: Vec<Digit> = others.iter().copied().filter(|_| random.below(10) < 9).collect();
        let has_two = kept.is_empty() || random.below(4) == 0;
        let kept = if has_two { &others[..others.len().min(1)] } else { &kept[..] };
        for digit in kept {
            planes[digit.index()].insert(cell);
        }
    }
    Grid::from_parts(layout.clone(), planes, placed, placed)
}
