//! In which order the variables of a body are bound.
//!
//! The cheapest order by the expected number of bindings, found by going through sets of bound
//! variables, cheapest first.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

use crate::language::{Comparison, Kind, Literal, Relation, Term, Var};

use super::body::{Body, head_mask, literal_mask, local_mask, term_mask};
use super::choose::{bound_of, required_of};
use super::sizes::Sizes;
use super::source::{SourceSet, is_ready, source};

/// What to do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Item {
    /// Bind a cell, digit or house.
    Bind(Var),
    /// Go through what the literal at this place gives: `choose` or `orientation`.
    Generate(usize),
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
    let start = with_definitions(body, given | body.dropped);
    let mut best: HashMap<u64, f64> = HashMap::new();
    let mut heap = BinaryHeap::new();
    heap.push(Partial { cost: 0.0, card: 1.0, bound: start, items: Vec::new() });
    let mut looked_at = 0;
    while let Some(partial) = heap.pop() {
        if partial.bound & all == all {
            return Some(Order { items: partial.items, cost: partial.cost });
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
            parts.push(sizes.part(&source, kinds[v.index()], body, partial.bound));
            if let SourceSet::Rest { variables, .. } = source.set {
                rest = Some(f64::from(variables));
            }
            // Going through the members of a set takes longer than looking one up.
            cost += if matches!(source.set, SourceSet::Around(_)) { 2.0 } else { 0.2 };
            cost += sizes.building(&source.set, body, partial.bound) / partial.card.max(1.0);
            exact |= u64::from(source.exact) << i.min(63);
        }
    }
    // Conditions on one variable are seldom independent: each further one counts for less.
    parts.sort_by(f64::total_cmp);
    let mut size = whole;
    let mut weight = 1.0;
    for part in parts {
        size *= part.powf(weight);
        weight *= 0.8;
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
