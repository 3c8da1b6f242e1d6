//! In which order the variables of a body are bound.
//!
//! The cheapest order by the expected number of bindings, found by going through sets of bound
//! variables, cheapest first.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};
use std::hash::BuildHasherDefault;

use crate::language::{Comparison, Literal, Relation, Term, Var};

use super::super::table::KeyHasher;
use super::Purpose;
use super::body::Body;
use super::choose::{bound_of, covered_by, required_of};
use super::masks::{head_mask, is_bound, literal_mask, local_mask};
use super::packing::held_of;
use super::sizes::Sizes;
use super::source::{SourceSet, source};

/// What to do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Item {
    /// Bind a cell, digit or house.
    Bind(Var),
    /// Go through what the literal at this place gives: `choose` or `orientation`.
    Generate(usize),
}

/// The set or number variable that an equation defines, and the term it is.
pub(super) fn definition<'t>(
    literal: &'t Literal,
    body: &Body,
    bound: u64,
) -> Option<(Var, &'t Term)> {
    let Literal::Compare(Comparison::Equal, a, b) = literal else { return None };
    let defines = |a: &Term, b: &Term| match a {
        Term::Var(v) => {
            let open = bound >> v.index() & 1 == 0 && body.kind(*v).set().is_none();
            (open && is_bound(b, bound)).then_some(*v)
        }
        _ => None,
    };
    defines(a, b).map(|v| (v, b)).or_else(|| defines(b, a).map(|v| (v, a)))
}

/// The variable that is a set of what a generator finds, once all else in it is bound.
pub(super) fn collected(literal: &Literal, bound: u64) -> Option<Var> {
    let Literal::Collect(set, ..) = literal else { return None };
    let this = 1 << set.index();
    (bound & this == 0 && literal_mask(literal) & !this & !bound == 0).then_some(*set)
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
    /// How many bindings are expected to get this far.
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

/// How many sets of variables are looked at before the search is narrowed to the best few. All
/// sets of eleven variables are fewer; it bounds the time for a plan.
const MOST_LOOKED_AT: usize = 3_000;
/// How many are kept then; a guess. One would be greedy.
const MOST_KEPT: usize = 4;
/// What part of the bindings has a head that changes something; a guess, and a high one: a head is
/// then bound early, which also lets a run stop at the first solution behind it.
const EFFECTIVE: f64 = 0.25;
/// What an intersection with a set costs, in bindings tried: a look-up and an AND, against those
/// and the way there and back. And with one that has to be made by going through another set.
/// Guesses: only their ratio counts.
const LOOK_UP: f64 = 0.2;
const GO_THROUGH: f64 = 2.0;
/// What a test costs, in bindings tried; a guess: more than a look-up, as it has to be reached.
const TEST: f64 = 0.3;
/// What it costs to sieve a row, in bindings tried; measured, with 64 rows to a word.
const SIEVED: f64 = 0.02;
/// How often the plan of a recursive clause is run on a state, once for each end of a chain: what it
/// looks things up in is made once for all of them. A guess, below what chains of groups have.
const RUNS: f64 = 100.0;
/// Conditions on one variable are seldom independent: each further one counts for less. A guess.
const DEPENDENCE: f64 = 0.8;
/// What must be one of few is rarely none of them: so many of them are left at least. A guess.
const REST: f64 = 0.9;
/// Choices with a part given, or with cells that they must hold: how many there are, and what they
/// cost. Guesses for the covers of fish, where all but one or two lines are given.
const CHOICES_WITH_PART: (f64, f64) = (2.0, 3.0);
/// What part of all choices is within a bound on their union, and what part is looked at. Guesses
/// for subsets of three; the bound cuts off most branches after the first member.
const CHOICES_WITHIN_BOUND: (f64, f64) = (0.1, 0.4);

/// What part of all choices of houses is left where what they hold must lie apart and few others must
/// hold it, and what part is looked at; measured with fish, where what is tried is a few words.
const CHOICES_PACKED: (f64, f64) = (0.001, 0.05);

/// What the search for an order looks at.
struct Orders<'a> {
    body: &'a Body,
    sizes: &'a Sizes,
    /// The variables of each literal.
    masks: Vec<u64>,
    is_for_effects: bool,
}

/// The cheapest order. `given` are the variables bound beforehand. For effects, bindings whose heads
/// change nothing are dropped as soon as the heads are known. Nothing if some set or number is never
/// given.
pub(super) fn order(body: &Body, sizes: &Sizes, given: u64, purpose: Purpose) -> Option<Order> {
    let effects = purpose.is_for_effects();
    let masks = body.literals.iter().map(literal_mask).collect();
    let orders = Orders { body, sizes, masks, is_for_effects: effects };
    let local = body.literals.iter().fold(0, |mask, literal| mask | local_mask(literal));
    let all = ((1u64 << body.variables.len()) - 1) & !local;
    let heads = head_mask(&body.heads);
    let start = orders.with_definitions(given | body.dropped);
    let mut best: HashMap<u64, f64, BuildHasherDefault<KeyHasher>> = HashMap::default();
    let mut heap = BinaryHeap::new();
    let is_repeated = given != 0 && purpose == Purpose::Tuples;
    let card = if is_repeated { RUNS } else { 1.0 };
    heap.push(Partial { cost: 0.0, card, bound: start, items: Vec::new() });
    let mut looked_at = 0;
    while let Some(partial) = heap.pop() {
        if partial.bound & all == all {
            return Some(Order { items: partial.items, cost: partial.cost });
        }
        if best.get(&partial.bound).is_some_and(|&cost| cost < partial.cost) {
            continue;
        }
        looked_at += 1;
        let scalars = (0..body.variables.len()).map(|v| Var(v as u16)).filter(|&v| {
            (all & !partial.bound) >> v.index() & 1 == 1 && body.kind(v).set().is_some()
        });
        let binds = scalars.map(|v| orders.bind(&partial, v));
        let places = 0..body.literals.len();
        let generates = places.filter_map(|place| orders.generate(&partial, place));
        for mut next in binds.chain(generates) {
            if effects && heads & partial.bound != heads && heads & next.bound == heads {
                next.card *= EFFECTIVE;
            }
            if best.get(&next.bound).is_none_or(|&cost| next.cost < cost) {
                best.insert(next.bound, next.cost);
                heap.push(next);
            }
        }
        if looked_at > MOST_LOOKED_AT && heap.len() > MOST_KEPT {
            // Too many variables for all sets: go on from the deepest.
            let mut rest = std::mem::take(&mut heap).into_vec();
            rest.sort_by(|a, b| b.items.len().cmp(&a.items.len()).then(b.cmp(a)));
            rest.truncate(MOST_KEPT);
            heap.extend(rest);
        }
    }
    None
}

impl Orders<'_> {
    /// Binds what equations define, sets and numbers only.
    fn with_definitions(&self, mut bound: u64) -> u64 {
        loop {
            let before = bound;
            for literal in &self.body.literals {
                let defined = definition(literal, self.body, bound).map(|(v, _)| v);
                if let Some(v) = defined.or_else(|| collected(literal, bound)) {
                    bound |= 1 << v.index();
                }
            }
            if bound == before {
                return bound;
            }
        }
    }

    /// The tests that become ready between two sets of bound variables: what part passes, and how
    /// many they are; without those that `done` says were used up otherwise.
    fn tests(&self, before: u64, after: u64, done: impl Fn(usize) -> bool) -> (f64, f64) {
        let ready = self.body.literals.iter().zip(&self.masks).enumerate();
        let ready = ready.filter(|(i, (literal, mask))| {
            *mask & !before != 0
                && *mask & !after == 0
                && definition(literal, self.body, before).is_none()
                && collected(literal, before).is_none()
                && !done(*i)
        });
        ready.fold((1.0, 0.0), |(pass, count), (_, (literal, _))| {
            (pass * self.sizes.test(literal), count + 1.0)
        })
    }

    fn bind(&self, partial: &Partial, v: Var) -> Partial {
        let Orders { body, sizes, masks, .. } = self;
        let kind = body.kind(v);
        let mut parts = Vec::new();
        let mut rest = None;
        let mut cost = 1.0;
        let mut exact = 0u64;
        for (i, literal) in body.literals.iter().enumerate() {
            if masks[i] >> v.index() & 1 == 0 {
                continue;
            }
            if let Some(source) = source(literal, v, partial.bound, body) {
                parts.push(sizes.part(&source, kind, body, partial.bound));
                if let SourceSet::Rest { variables, .. } = source.set {
                    rest = Some(f64::from(variables));
                }
                let goes_through = matches!(source.set, SourceSet::Around(_));
                cost += if goes_through { GO_THROUGH } else { LOOK_UP };
                cost += sizes.building(&source.set, body, partial.bound) / partial.card.max(1.0);
                exact |= u64::from(source.exact) << i.min(63);
            }
        }
        parts.sort_by(f64::total_cmp);
        let mut size = sizes.of_kind(kind);
        let mut weight = 1.0;
        for part in parts {
            size *= part.powf(weight);
            weight *= DEPENDENCE;
        }
        let size = rest.map_or(size, |rest| size.max(REST * rest));
        let bound = partial.bound | 1 << v.index();
        let (pass, count) = self.tests(partial.bound, bound, |i| exact >> i.min(63) & 1 == 1);
        let tried = partial.card * size;
        Partial {
            cost: partial.cost + partial.card * cost + tried * (1.0 + TEST * count),
            card: tried * pass,
            bound: self.with_definitions(bound),
            items: with(&partial.items, Item::Bind(v)),
        }
    }

    fn generate(&self, partial: &Partial, place: usize) -> Option<Partial> {
        let Orders { body, sizes, masks, .. } = self;
        let ready = |term: &Term| is_bound(term, partial.bound);
        let open = |term: &Term| matches!(term, Term::Var(_)) && !ready(term);
        let (found, work) = match &body.literals[place] {
            Literal::Relation(Relation::Orientation, terms) if terms.iter().any(open) => (2.0, 2.0),
            Literal::Choose(subset, least, most, over)
                if open(subset) && ready(least) && ready(most) && ready(over) =>
            {
                let size = |number: &Term| match number {
                    Term::Number(number) => (*number).max(0),
                    _ => 2,
                };
                let (least, most) = (size(least), size(most));
                let from = sizes.set(over, body).max(1.0);
                let is_within_bound = bound_of(body, place, partial.bound).is_some();
                let is_covering =
                    !is_within_bound && !covered_by(body, place, partial.bound).is_empty();
                if is_covering || required_of(body, place, partial.bound).is_some() {
                    CHOICES_WITH_PART
                } else {
                    let of_size = |size: i64| {
                        let grow = |all: f64, i: i64| {
                            all * ((from - i as f64).max(0.5)) / (i as f64 + 1.0)
                        };
                        (0..size).fold(1.0, grow)
                    };
                    // More than a set can have makes no difference.
                    let sizes = least..=most.min(least.max(25));
                    let subsets = sizes.map(of_size).sum::<f64>();
                    let is_packed =
                        || self.is_for_effects && held_of(body, place, partial.bound).is_some();
                    let (found, work) = match is_within_bound {
                        true => CHOICES_WITHIN_BOUND,
                        false if is_packed() => CHOICES_PACKED,
                        false => (1.0, 1.0),
                    };
                    (found * subsets, work * subsets + from)
                }
            }
            // The ends of a chain come after its beginning.
            Literal::Call(helper, terms)
                if sizes.parts.is_ends(helper.0 as usize) && !ready(&terms[0]) =>
            {
                return None;
            }
            Literal::Call(helper, terms) if body.has_sets(terms) && terms.iter().any(open) => {
                let rows = sizes.rows(*helper, terms, body, partial.bound);
                (rows, 1.0 + sizes.building_rows(*helper) / partial.card.max(1.0))
            }
            _ => return None,
        };
        let bound = self.with_definitions(partial.bound | masks[place]);
        let (pass, count) = self.tests(partial.bound, bound, |i| i == place);
        if let Literal::Call(..) = body.literals[place] {
            // Most tests sieve the rows, and only what passes is a binding.
            let tried = found * (SIEVED + SIEVED * count + pass);
            return Some(Partial {
                cost: partial.cost + partial.card * (work + tried),
                card: partial.card * found * pass,
                bound,
                items: with(&partial.items, Item::Generate(place)),
            });
        }
        Some(Partial {
            cost: partial.cost + partial.card * (work + found * (1.0 + TEST * count)),
            card: partial.card * found * pass,
            bound,
            items: with(&partial.items, Item::Generate(place)),
        })
    }
}

fn with(items: &[Item], item: Item) -> Vec<Item> {
    let mut items = items.to_vec();
    items.push(item);
    items
}
