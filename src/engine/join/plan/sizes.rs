//! How large things are expected to be, so that a good order can be told from a bad one.
//!
//! Tables are filled on a sample board when they are declared. The other sizes are those of 9 × 9
//! boards on which the standard rules are stuck. Counted on 1,157 such boards of a list of hard
//! puzzles: 64 % of the cells are open, with 3.4 candidates each, 21 % of them with two; a digit
//! has candidates in 28 % of all cells; 28 % of the digits missing in a house have two spots there
//! and 58 % at most three. What could not be counted is a guess, and says so.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

use crate::language::SetOperation::{Difference, Intersection, Union};
use crate::language::{
    Comparison, ConstantSet, Function, Kind, Literal, PredicateId, Relation, Term,
};

use super::super::table::{KeyHasher, Parts, TableId};
use super::body::{Body, members};
use super::masks::{is_bound, term_mask};
use super::source::{Relationship, Source, SourceSet};

/// The part of the cells that is open, and of the digits that is missing in a house; counted.
const OPEN: f64 = 0.65;
/// The part of the cells that is given: a little less than what is not open.
const GIVEN: f64 = 0.3;
/// The part of the digits that is possible in a cell: between that of open cells, 0.38, and that
/// of all, 0.28. And in some cells together, a guess.
const CANDIDATES: f64 = 0.33;
const CANDIDATES_OF_SOME: f64 = 0.6;
/// The part of the cells where a digit is possible; counted. And of the cells of a set.
const PLANE: f64 = 0.27;
const SPOTS: f64 = 0.3;
/// The part of a cell's peers that sees another cell too: of 20, seven or 13 if the two share a
/// house or two houses, two to six if they share none. A guess between them.
const SEES_ANOTHER: f64 = 0.3;
/// The part of the cells that is open with one candidate, and what each further candidate adds: a
/// line somewhat above what was counted, 13 % with two and 35 % with at most three.
const ONE_CANDIDATE: f64 = 0.02;
const ONE_CANDIDATE_MORE: f64 = 0.22;
/// The part of the cells with no candidates but those of a set; a guess.
const CANDIDATES_WITHIN: f64 = 0.05;
/// The part of the digits or houses with at most so many spots, for each spot: a line near what
/// was counted for two and three. Where placed digits count, two digits or six houses more.
const FEW_SPOTS: f64 = 0.1;
const FEW_DIGITS_PLACED: f64 = 2.0;
const FEW_HOUSES_PLACED: f64 = 6.0;
/// What `forall` leaves of what one member would leave; a guess.
const EVERY: f64 = 0.1;
/// What part of a set is taken away by one that is as large as all there is; a guess.
const TAKEN_AWAY: f64 = 0.5;
/// A set variable that nothing is known of: a part of the cells, or so many digits. Guesses, after
/// the subsets and unions that rules name.
const CELLS_VARIABLE: f64 = 0.1;
const DIGITS_VARIABLE: f64 = 3.0;
/// What it costs to add a tuple to an index, in bindings tried; a guess.
const ADD_TO_INDEX: f64 = 0.1;

/// How many tuples a table has.
#[derive(Clone, Debug)]
pub(in crate::engine::join) enum TableSize {
    /// So many, in a table that nobody has seen filled.
    Guess(f64),
    /// These, on the sample board.
    Sample { tuples: Vec<u16>, arity: usize, counts: RefCell<HashMap<u8, f64>> },
    /// The ends of a chain: these on the sample board, as the first column is always the same; so many
    /// beginnings, and the part of the ends that one reaches.
    Ends { nodes: Box<TableSize>, beginnings: f64, part: f64 },
}

impl TableSize {
    /// The tuples of a table on the sample board.
    pub(crate) fn of(tuples: &[u16], arity: usize) -> TableSize {
        TableSize::Sample { tuples: tuples.to_vec(), arity, counts: RefCell::default() }
    }

    /// How many tuples there are if only some columns are looked at; at least one.
    pub(crate) fn distinct(&self, columns: u8, whole: impl Fn(usize) -> f64) -> f64 {
        match self {
            TableSize::Guess(tuples) => {
                let product: f64 = (0..8).filter(|i| columns >> i & 1 == 1).map(whole).product();
                product.min(*tuples).max(1.0)
            }
            // The first column tells the beginning.
            TableSize::Ends { nodes, beginnings, part } if columns & 1 == 1 => {
                beginnings * (part * nodes.distinct(columns & !1, whole)).max(1.0)
            }
            TableSize::Ends { nodes, .. } => nodes.distinct(columns, whole),
            TableSize::Sample { tuples, arity, counts } => {
                *counts.borrow_mut().entry(columns).or_insert_with(|| {
                    let part = |tuple: &[u16]| {
                        (0..*arity)
                            .filter(|i| columns >> i & 1 == 1)
                            .fold(0u128, |key, i| key << 16 | u128::from(tuple[i]))
                    };
                    let seen: HashSet<u128, BuildHasherDefault<KeyHasher>> =
                        tuples.chunks_exact(*arity).map(part).collect();
                    seen.len().max(1) as f64
                })
            }
        }
    }

    /// How many tuples there are.
    pub(crate) fn tuples(&self) -> f64 {
        match self {
            TableSize::Guess(tuples) => *tuples,
            TableSize::Sample { tuples, arity, .. } => (tuples.len() / arity.max(&1)) as f64,
            TableSize::Ends { nodes, .. } => nodes.tuples(),
        }
    }
}

/// Sizes of everything on a board.
#[derive(Clone, Debug)]
pub(in crate::engine::join) struct Sizes {
    pub cells: f64,
    pub digits: f64,
    pub houses: f64,
    pub peers: f64,
    /// By table.
    pub tables: Vec<Option<TableSize>>,
    /// How many helpers there are; the built-in tables come after theirs, then parts of theirs.
    pub helpers: usize,
    pub parts: Parts,
    /// The indices that some plan has: table, columns of the key as a mask, column.
    pub known: HashSet<(TableId, u8, u8)>,
}

impl Sizes {
    pub(crate) fn of_kind(&self, kind: Kind) -> f64 {
        match kind {
            Kind::Cell | Kind::Cells => self.cells,
            Kind::Digit | Kind::Digits => self.digits,
            _ => self.houses,
        }
    }

    /// How many members a set term is expected to have.
    pub(super) fn set(&self, term: &Term, body: &Body) -> f64 {
        let whole = self.of_kind(term.kind(&body.variables));
        match term {
            Term::Constant(constant) => match constant {
                ConstantSet::Digits => self.digits,
                ConstantSet::Houses => self.houses,
                ConstantSet::Lines => 2.0 * self.digits,
                ConstantSet::Unsolved => OPEN * self.cells,
                _ => self.digits,
            },
            Term::Lone(_) => 1.0,
            Term::Set(_, members) => members.len() as f64,
            Term::CellsOf(_) => self.digits,
            Term::Operation(operation, a, b) => {
                let (a, b) = (self.set(a, body), self.set(b, body));
                match operation {
                    Union => (a + b).min(whole),
                    Intersection => a * b / whole,
                    Difference => a * (1.0 - TAKEN_AWAY * b / whole),
                }
            }
            Term::Call(function, terms) => match function {
                Function::Candidates => match &terms[0] {
                    Term::Lone(_) => CANDIDATES * self.digits,
                    _ => CANDIDATES_OF_SOME * self.digits,
                },
                Function::Spots => SPOTS * self.set(&terms[1], body),
                Function::Missing => OPEN * self.digits,
                Function::Peers => self.peers,
                Function::CommonPeers => {
                    let more = members(&terms[0]).map_or(1, |cells| cells.len().max(1) - 1);
                    self.peers * SEES_ANOTHER.powi(more as i32)
                }
                Function::Cells => self.digits * self.set(&terms[0], body).min(self.digits),
                // A line meets few boxes, and a box few lines.
                Function::Touching if matches!(terms[1], Term::CellsOf(_)) => {
                    self.set(&terms[0], body).min(self.digits.sqrt())
                }
                Function::Touching => 0.5 * self.set(&terms[0], body),
                _ => 1.0,
            },
            Term::Var(v) => match body.kind(*v) {
                Kind::Cells => CELLS_VARIABLE * self.cells,
                Kind::Digits => DIGITS_VARIABLE,
                _ => self.digits,
            },
            _ => 1.0,
        }
    }

    /// How many values a source is expected to leave.
    fn source(&self, set: &SourceSet, body: &Body, bound: u64) -> f64 {
        match set {
            SourceSet::Term(term) => self.set(term, body),
            SourceSet::Equal(_) => 1.0,
            SourceSet::After(term) | SourceSet::Before(term) => {
                0.5 * self.of_kind(term.kind(&body.variables))
            }
            SourceSet::Peers(_) => self.peers,
            SourceSet::CommonPeers(_) => SEES_ANOTHER * self.peers,
            SourceSet::Plane(_) => PLANE * self.cells,
            SourceSet::Planes(_) => 2.0 * PLANE * self.cells,
            SourceSet::Candidates(_) => CANDIDATES * self.digits,
            SourceSet::Given => GIVEN * self.cells,
            SourceSet::HousesOf(_) => 3.0,
            SourceSet::Around(_) => 1.0,
            SourceSet::House(_) => self.digits,
            SourceSet::FewCandidates(count) => {
                (ONE_CANDIDATE + ONE_CANDIDATE_MORE * (*count as f64 - 1.0)).min(1.0) * self.cells
            }
            SourceSet::CandidateCount(_) => ONE_CANDIDATE_MORE * self.cells,
            SourceSet::CandidatesWithin(_) => CANDIDATES_WITHIN * self.cells,
            SourceSet::FewDigits(few, _) => {
                FEW_SPOTS * few.count as f64 * self.digits
                    + if few.open { 0.0 } else { FEW_DIGITS_PLACED }
            }
            SourceSet::FewHouses(few, _) => {
                FEW_SPOTS * few.count as f64 * self.houses
                    + if few.open { 0.0 } else { FEW_HOUSES_PLACED }
            }
            SourceSet::Rest { variables, .. } => *variables as f64,
            SourceSet::Column { table, terms, column } => {
                let Some(size) = &self.tables[self.table_of(*table)] else { return 1.0 };
                let key = key_of(terms, *column, bound);
                let whole = |i: usize| self.of_kind(terms[i].kind(&body.variables));
                size.distinct(key | 1 << *column, whole) / size.distinct(key, whole)
            }
            SourceSet::Every { each, .. } => EVERY * self.source(&each.set, body, bound),
        }
    }

    /// What part of everything of its kind a source is expected to leave.
    pub(super) fn part(&self, source: &Source, kind: Kind, body: &Body, bound: u64) -> f64 {
        let bound = bound & !body.dropped;
        let part = (self.source(&source.set, body, bound) / self.of_kind(kind)).min(1.0);
        if source.negated { 1.0 - part } else { part }
    }

    /// What it costs to build the index that a source needs, if no plan has it yet.
    pub(super) fn building(&self, set: &SourceSet, body: &Body, bound: u64) -> f64 {
        let SourceSet::Column { table, terms, column } = set else { return 0.0 };
        let table = self.table_of(*table);
        let key = key_of(terms, *column, bound & !body.dropped);
        let Some(size) = &self.tables[table] else { return 0.0 };
        if self.known.contains(&(table, key, *column as u8)) {
            0.0
        } else {
            ADD_TO_INDEX * size.tuples()
        }
    }

    /// How many rows of a helper with sets are expected for what is bound.
    pub(super) fn rows(&self, helper: PredicateId, terms: &[Term], body: &Body, bound: u64) -> f64 {
        let Some(size) = &self.tables[helper.0 as usize] else { return 1.0 };
        let key = key_of(terms, terms.len(), bound & !body.dropped);
        let told = |i: &usize| term_mask(&terms[*i]) & body.dropped == 0;
        let all = (0..terms.len()).filter(told).fold(0, |all, i| all | 1 << i);
        let whole = |i: usize| self.of_kind(terms[i].kind(&body.variables));
        size.distinct(all, whole) / size.distinct(key, whole)
    }

    /// What it costs to sort the rows of a helper.
    pub(super) fn building_rows(&self, helper: PredicateId) -> f64 {
        let size = self.tables[helper.0 as usize].as_ref();
        size.map_or(0.0, |size| ADD_TO_INDEX * size.tuples())
    }

    fn table_of(&self, table: Relationship) -> TableId {
        table.table(self.helpers)
    }

    /// What part of the bindings passes a test. Guesses, but for `sees`: a cell has 20 of 80 peers
    /// on 9 × 9.
    pub(super) fn test(&self, literal: &Literal) -> f64 {
        match literal {
            Literal::Compare(Comparison::Unequal, ..) | Literal::Not(_) => 0.8,
            Literal::Compare(Comparison::Equal, ..) => 0.1,
            Literal::Compare(..) => 0.4,
            Literal::Forall(..) => 0.05,
            Literal::Exists(_) => 0.3,
            Literal::Within(..) => 0.2,
            Literal::Relation(Relation::Sees, _) => 0.25,
            _ => 0.3,
        }
    }
}

/// The columns that are bound, but for one, as a mask.
fn key_of(terms: &[Term], column: usize, bound: u64) -> u8 {
    (0..terms.len())
        .filter(|&i| i != column && is_bound(&terms[i], bound))
        .fold(0, |key, i| key | 1 << i)
}
