//! In which order the variables of a body are bound.
//!
//! The cheapest order by the expected number of bindings, found by going through sets of bound
//! variables, cheapest first. Expectations are those of a 9 × 9 board on which the standard rules
//! are stuck: two thirds of the cells open, three candidates each, a fifth of them with two.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap, HashSet};

use crate::language::{Comparison, ConstantSet, Function, Kind, Literal, Relation, Term, Var};

use super::body::{Body, head_mask, kind_of, literal_mask, local_mask, members, term_mask};
use super::choose::{bound_of, required_of};
use super::source::{Relationship, Source, SourceSet, is_ready, source};
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
            SourceSet::Around(_) => 0.3,
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
                // Columns not looked at yet make several tuples look like one.
                let known = (0..terms.len())
                    .filter(|&i| i != *column && term_mask(&terms[i]) & !bound == 0)
                    .map(|i| size.distinct[i]);
                let count = known.clone().count();
                let seen = |columns: usize, product: f64| {
                    let open = (terms.len() - columns) as i32;
                    product.min(size.tuples * 0.8f64.powi(open)).max(1.0)
                };
                let product: f64 = known.product();
                seen(count + 1, product * size.distinct[*column]) / seen(count, product)
            }
            SourceSet::Every { each, .. } => 0.1 * self.source(&each.set, kinds, bound),
        }
    }

    /// What part of everything of its kind a source is expected to leave.
    pub fn part(&self, source: &Source, kind: Kind, kinds: &[Kind], bound: u64) -> f64 {
        let part = (self.source(&source.set, kinds, bound) / self.of_kind(kind)).min(1.0);
        if source.negated { 1.0 - part } else { part }
    }

    /// What it costs to build the index that a source needs, if no plan has it yet.
    fn building(&self, set: &SourceSet, bound: u64) -> f64 {
        let SourceSet::Column { table, terms, column } = set else { return 0.0 };
        let table = self.table_of(*table);
        let key = (0..terms.len())
            .filter(|&i| i != *column && term_mask(&terms[i]) & !bound == 0)
            .fold(0u8, |key, i| key | 1 << i);
        let Some(size) = &self.tables[table] else { return 0.0 };
        if self.known.contains(&(table, key, *column as u8)) { 0.0 } else { 0.1 * size.tuples }
    }

    fn table_of(&self, table: Relationship) -> TableId {
        match table {
            Relationship::Helper(predicate) => predicate.0 as usize,
            Relationship::Rectangle => self.rectangle,
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
    done: impl Fn(usize) -> bool,
) -> (f64, f64) {
    let ready = body.literals.iter().enumerate().filter(|(i, literal)| {
        !is_ready(literal, before)
            && is_ready(literal, after)
            && definition(literal, &body.kinds, before).is_none()
            && !done(*i)
    });
    ready.fold((1.0, 0.0), |(pass, count), (_, literal)| (pass * sizes.test(literal), count + 1.0))
}

fn bind(body: &Body, sizes: &Sizes, partial: &Partial, v: Var) -> Partial {
    let kinds = &body.kinds;
    let whole = sizes.of_kind(kinds[v.index()]);
    let mut parts = Vec::new();
    let mut rest = None;
    let mut cost = 1.0;
    let mut exact = 0u64;
    for (i, literal) in body.literals.iter().enumerate() {
        if literal_mask(literal) >> v.index() & 1 == 0 {
            continue;
        }
        if let Some(source) = source(literal, v, partial.bound, &body.literals) {
            parts.push(sizes.part(&source, kinds[v.index()], kinds, partial.bound));
            if let SourceSet::Rest { variables, .. } = source.set {
                rest = Some(f64::from(variables));
            }
            cost += 0.2 + sizes.building(&source.set, partial.bound) / partial.card.max(1.0);
            exact |= u64::from(source.exact) << i.min(63);
        }
    }
    // Conditions on one variable are seldom independent: each further one counts for less.
    parts.sort_by(f64::total_cmp);
    let mut size = whole;
    let mut weight = 1.0;
    for part in parts {
        size *= part.powf(weight);
        weight *= 0.6;
    }
    // What must be one of few is rarely none of them.
    let size = rest.map_or(size, |rest| size.max(0.9 * rest));
    let bound = partial.bound | 1 << v.index();
    let (pass, count) = tests(body, sizes, partial.bound, bound, |i| exact >> i.min(63) & 1 == 1);
    let tried = partial.card * size;
    Partial {
        cost: partial.cost + partial.card * cost + tried * (1.0 + 0.3 * count),
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
    let (pass, count) = tests(body, sizes, partial.bound, bound, |i| i == place);
    Some(Partial {
        cost: partial.cost + partial.card * (work + found * (1.0 + 0.3 * count)),
        card: partial.card * found * pass,
        bound,
        items: with(&partial.items, Item::Generate(place)),
    })
}
