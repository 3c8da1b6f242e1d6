//! In which order the variables of a body are bound.
//!
//! The cheapest order by the expected number of bindings, found by going through sets of bound
//! variables, cheapest first. Expectations are those of a 9 × 9 board on which the standard rules
//! are stuck: two thirds of the cells open, three candidates each, a fifth of them with two.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

use crate::language::{Comparison, ConstantSet, Function, Kind, Literal, Relation, Term, Var};

use super::body::{Body, head_mask, kind_of, literal_mask, local_mask, members, term_mask};
use super::choose::{bound_of, required_of};
use super::source::{Relationship, SourceSet, is_ready, source};
use super::table::TableId;

/// What to do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Item {
    /// Bind a cell, digit or house.
    Bind(Var),
    /// Go through what the literal at this place gives: `choose` or `orientation`.
    Generate(usize),
}

/// How many tuples a table is expected to have, and how many values each column.
#[derive(Clone, Debug)]
pub(super) struct TableSize {
    pub tuples: f64,
    pub distinct: Vec<f64>,
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
            SourceSet::Around(_) => 0.7,
            SourceSet::House(_) => self.digits,
            SourceSet::FewCandidates(count) => {
                (0.02 + 0.18 * (*count as f64 - 1.0)).min(1.0) * self.cells
            }
            SourceSet::CandidatesWithin(_) => 0.05 * self.cells,
            SourceSet::FewDigits(few, _) => {
                0.1 * few.count as f64 * self.digits + if few.open { 0.0 } else { 2.0 }
            }
            SourceSet::FewHouses(few, _) => {
                0.1 * few.count as f64 * self.houses + if few.open { 0.0 } else { 6.0 }
            }
            SourceSet::Rest { variables, .. } => 0.8 * *variables as f64,
            SourceSet::Column { table, terms, column } => {
                let table = match table {
                    Relationship::Helper(predicate) => predicate.0 as usize,
                    Relationship::Rectangle => self.rectangle,
                };
                let Some(size) = &self.tables[table] else { return 1.0 };
                let known = (0..terms.len())
                    .filter(|&i| i != *column && term_mask(&terms[i]) & !bound == 0)
                    .fold(1.0, |all, i| all * size.distinct[i])
                    .min(size.tuples);
                (known * size.distinct[*column]).min(size.tuples) / known
            }
            SourceSet::Every { each, .. } => 0.1 * self.source(&each.set, kinds, bound),
        }
    }

    /// What part of the bindings passes a test.
    fn test(&self, literal: &Literal) -> f64 {
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

/// Binds what equations define, sets and numbers only.
pub(super) fn with_definitions(body: &Body, mut bound: u64) -> u64 {
    loop {
        let before = bound;
        for literal in &body.literals {
            if let Some((v, _)) = definition(literal, &body.kinds, bound) {
                bound |= 1 << v.index();
            }
        }
        if bound == before {
            return bound;
        }
    }
}

/// The set or number variable that an equation defines, and the term it is.
pub(super) fn definition<'t>(
    literal: &'t Literal,
    kinds: &[Kind],
    bound: u64,
) -> Option<(Var, &'t Term)> {
    let Literal::Compare(Comparison::Equal, a, b) = literal else { return None };
    let defines = |a: &Term, b: &Term| match a {
        Term::Var(v) => {
            let open = bound >> v.index() & 1 == 0 && kinds[v.index()].set().is_none();
            (open && term_mask(b) & !bound == 0).then_some(*v)
        }
        _ => None,
    };
    defines(a, b).map(|v| (v, b)).or_else(|| defines(b, a).map(|v| (v, a)))
}

/// An order, and what it is expected to cost.
#[derive(Clone, Debug)]
pub(super) struct Order {
    pub items: Vec<Item>,
    /// Bindings tried.
    pub cost: f64,
    /// Bindings found.
    pub found: f64,
}

struct Partial {
    cost: f64,
    card: f64,
    bound: u64,
    items: Vec<Item>,
}
impl PartialEq for Partial {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Partial {}
impl PartialOrd for Partial {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
/// The cheapest is the greatest, as the heap wants it; then the one that binds earlier variables.
impl Ord for Partial {
    fn cmp(&self, other: &Self) -> Ordering {
        other.cost.total_cmp(&self.cost).then(other.bound.cmp(&self.bound))
    }
}

/// How many sets of variables are looked at before the search is narrowed to the best few.
const MOST_LOOKED_AT: usize = 3_000;

/// The cheapest order. `given` are the variables bound beforehand; `effects` says that bindings
/// whose heads change nothing are dropped as soon as the heads are known. Nothing if some set or
/// number is never given.
pub(super) fn order(body: &Body, sizes: &Sizes, given: u64, effects: bool) -> Option<Order> {
    let kinds = &body.kinds;
    let local = body.literals.iter().fold(0, |mask, literal| mask | local_mask(literal));
    let all = ((1u64 << kinds.len()) - 1) & !local;
    let heads = body.heads.iter().fold(0, |mask, head| mask | head_mask(head));
    let start = with_definitions(body, given);
    let mut best: HashMap<u64, f64> = HashMap::new();
    let mut heap = BinaryHeap::new();
    heap.push(Partial { cost: 0.0, card: 1.0, bound: start, items: Vec::new() });
    let mut looked_at = 0;
    while let Some(partial) = heap.pop() {
        if partial.bound & all == all {
            return Some(Order { items: partial.items, cost: partial.cost, found: partial.card });
        }
        if best.get(&partial.bound).is_some_and(|&cost| cost < partial.cost) {
            continue;
        }
        looked_at += 1;
        let mut next: Vec<Partial> = Vec::new();
        for v in (0..kinds.len()).map(|v| Var(v as u16)) {
            let open = (all & !partial.bound) >> v.index() & 1 == 1;
            if open && kinds[v.index()].set().is_some() {
                next.push(bind(body, sizes, &partial, v));
            }
        }
        for place in 0..body.literals.len() {
            next.extend(generate(body, sizes, &partial, place));
        }
        for mut next in next {
            if effects && heads & partial.bound != heads && heads & next.bound == heads {
                next.card *= 0.25;
            }
            if best.get(&next.bound).is_none_or(|&cost| next.cost < cost) {
                best.insert(next.bound, next.cost);
                heap.push(next);
            }
        }
        if looked_at > MOST_LOOKED_AT && heap.len() > 4 {
            // Too many variables for all sets: go on from the deepest.
            let mut rest = std::mem::take(&mut heap).into_vec();
            rest.sort_by(|a, b| b.items.len().cmp(&a.items.len()).then(b.cmp(a)));
            rest.truncate(4);
            heap.extend(rest);
        }
    }
    None
}

/// The tests that become ready between two sets of bound variables, as a factor; those for which
/// `done` is true were used up otherwise.
fn tests(
    body: &Body,
    sizes: &Sizes,
    before: u64,
    after: u64,
    done: impl Fn(&Literal) -> bool,
) -> (f64, f64) {
    let ready = body.literals.iter().filter(|literal| {
        !is_ready(literal, before)
            && is_ready(literal, after)
            && definition(literal, &body.kinds, before).is_none()
            && !done(literal)
    });
    ready.fold((1.0, 0.0), |(pass, count), literal| (pass * sizes.test(literal), count + 1.0))
}

fn bind(body: &Body, sizes: &Sizes, partial: &Partial, v: Var) -> Partial {
    let kinds = &body.kinds;
    let whole = sizes.of_kind(kinds[v.index()]);
    let mut size = whole;
    let mut sources = 0.0;
    for literal in &body.literals {
        if literal_mask(literal) >> v.index() & 1 == 0 {
            continue;
        }
        if let Some(source) = source(literal, v, partial.bound, &body.literals) {
            let part = (sizes.source(&source.set, kinds, partial.bound) / whole).min(1.0);
            size *= if source.negated { 1.0 - part } else { part };
            sources += 1.0;
        }
    }
    let bound = partial.bound | 1 << v.index();
    let exact = |literal: &Literal| {
        source(literal, v, partial.bound, &body.literals).is_some_and(|source| source.exact)
    };
    let (pass, count) = tests(body, sizes, partial.bound, bound, exact);
    let tried = partial.card * size;
    Partial {
        cost: partial.cost + partial.card * (1.0 + 0.2 * sources) + tried * (1.0 + 0.3 * count),
        card: tried * pass,
        bound: with_definitions(body, bound),
        items: with(&partial.items, Item::Bind(v)),
    }
}

fn with(items: &[Item], item: Item) -> Vec<Item> {
    let mut items = items.to_vec();
    items.push(item);
    items
}

fn generate(body: &Body, sizes: &Sizes, partial: &Partial, place: usize) -> Option<Partial> {
    let ready = |term: &Term| term_mask(term) & !partial.bound == 0;
    let open = |term: &Term| matches!(term, Term::Var(_)) && !ready(term);
    let literal = &body.literals[place];
    let (found, work) = match literal {
        Literal::Relation(Relation::Orientation, terms) if terms.iter().any(open) => (2.0, 2.0),
        Literal::Choose(subset, number, over) if open(subset) && ready(number) && ready(over) => {
            let size = match number {
                Term::Number(number) => (*number).max(0),
                _ => 2,
            };
            let from = sizes.set(over, &body.kinds).max(1.0);
            if required_of(body, place, partial.bound).is_some() {
                (2.0, 3.0)
            } else {
                let subsets = (0..size)
                    .fold(1.0, |all, i| all * ((from - i as f64).max(0.5)) / (i as f64 + 1.0));
                match bound_of(body, place, partial.bound) {
                    Some(_) => (0.1 * subsets, 0.4 * subsets + from),
                    None => (subsets, subsets + from),
                }
            }
        }
        _ => return None,
    };
    let bound = with_definitions(body, partial.bound | literal_mask(literal));
    let same = |other: &Literal| std::ptr::eq(other, literal);
    let (pass, count) = tests(body, sizes, partial.bound, bound, same);
    Some(Partial {
        cost: partial.cost + partial.card * (work + found * (1.0 + 0.3 * count)),
        card: partial.card * found * pass,
        bound,
        items: with(&partial.items, Item::Generate(place)),
    })
}
