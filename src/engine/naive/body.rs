//! Solving a body: nested loops, one a step.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::board::{Candidate, HouseKind};
use crate::language::{Kind, Literal, PredicateId, Relation, RuleSet, Term, Var};
use crate::meaning::{Asked, Facts, Hypothesis, NoValue, Supposed, Tuples, Value};

use super::derive::{self, Fact};
use super::order::BodyStep;
use super::table::Tables;
use super::term::{Environment, NaiveState};

/// Goes on unless whoever listens has heard enough.
pub(super) type Flow = ControlFlow<()>;

/// Whoever is shown tuples, one by one.
pub(super) type See<'a> = &'a mut dyn FnMut(&[Value]) -> Flow;

/// Whoever knows of what helpers hold, tuple by tuple.
pub(super) trait Calls: Facts {
    /// Takes a step; no going on if none is left.
    fn step(&self) -> Flow {
        if self.goes_on() { Flow::Continue(()) } else { Flow::Break(()) }
    }
    /// Whether the work was cut off.
    fn is_over(&self) -> bool;
    /// Calls `see` with the tuples of a helper that have these values at these positions.
    fn each(&self, helper: PredicateId, at: (&[usize], &[Value]), see: See) -> Flow;
    /// Calls `see` with the tuples of a helper that were found in the last round.
    fn each_fresh(&self, helper: PredicateId, see: See) -> Flow;
    /// In which round a tuple was found.
    fn round(&self, helper: PredicateId, tuple: &[Value]) -> Option<u32>;
    /// All that the shortest derivation of a tuple rests on; nothing if the work is cut off.
    fn rests_on(&self, helper: PredicateId, tuple: &[Value]) -> Option<Arc<[Fact]>>;
}

/// A body being solved: the state, what helpers hold, and who hears of each solution.
pub(super) struct Solver<'a> {
    pub state: NaiveState<'a>,
    pub calls: &'a dyn Calls,
    pub kinds: &'a [Kind],
}

impl Solver<'_> {
    /// Calls `found` once for each way to take all steps.
    pub(super) fn solve(
        &self,
        steps: &[BodyStep],
        bound: &mut Environment,
        found: &mut dyn FnMut(&Environment) -> Flow,
    ) -> Flow {
        self.calls.step()?;
        let Some((step, rest)) = steps.split_first() else { return found(bound) };
        match step {
            BodyStep::Test(literal) => {
                if self.holds(literal, bound) {
                    self.solve(rest, bound, found)?;
                }
            }
            // A number outside of 64 bits is one that another condition excludes.
            BodyStep::Define(v, term) => {
                let value = self.state.value_if_any(term, bound);
                self.defined(*v, value, rest, bound, found)?;
            }
            BodyStep::Collect(v, literal) => {
                let value = self.state.collected(literal, bound, &mut Asked(self.calls));
                self.defined(*v, value, rest, bound, found)?;
            }
            BodyStep::Member(v, set) => {
                let set = self.state.value(set, bound);
                self.members(*v, set, rest, bound, found)?;
            }
            BodyStep::Domain(v) => {
                let domain = self.state.domain(self.kinds[v.index()]);
                let domain = domain.expect("only scalars range over their kind");
                self.members(*v, domain, rest, bound, found)?;
            }
            BodyStep::Subset(v, sizes, set) => {
                let set = self.state.value(set, bound);
                let sizes = sizes.map(|size| self.state.value_if_any(size, bound));
                if let [Some(Value::Number(least)), Some(Value::Number(most))] = sizes {
                    let stopped = set.each_subset(least, most, &mut |subset| {
                        bound[v.index()] = Some(subset);
                        self.solve(rest, bound, found).is_break()
                    });
                    bound[v.index()] = None;
                    return if stopped { Flow::Break(()) } else { Flow::Continue(()) };
                }
            }
            BodyStep::Relation(relation, terms) => {
                let known: Vec<Option<Value>> =
                    terms.iter().map(|term| self.known(term, bound)).collect();
                self.each_tuple(*relation, &known, &mut |tuple| {
                    self.with(terms, tuple, rest, bound, found)
                })?;
            }
            BodyStep::Call(predicate, terms, positions) => {
                let key = self.values(positions.iter().map(|&i| &terms[i]), bound);
                let Some(key) = key else { return Flow::Continue(()) };
                self.calls.each(*predicate, (positions, &key), &mut |tuple| {
                    self.with(terms, tuple, rest, bound, found)
                })?;
            }
            BodyStep::Traced(fact, terms, goal, others) => {
                let arguments = self.values(others.iter(), bound);
                let Some(arguments) = arguments else { return Flow::Continue(()) };
                let tuples = self.calls.traced(*fact, *goal, &arguments);
                let Some(tuples) = tuples else { return Flow::Break(()) };
                for tuple in tuples {
                    self.with(terms, &tuple, rest, bound, found)?;
                }
            }
            BodyStep::Fresh(predicate, terms) => {
                self.calls.each_fresh(*predicate, &mut |tuple| {
                    self.with(terms, tuple, rest, bound, found)
                })?;
            }
        }
        Flow::Continue(())
    }

    /// Goes on with a variable that is each member of a set.
    fn members(
        &self,
        v: Var,
        set: Value,
        rest: &[BodyStep],
        bound: &mut Environment,
        found: &mut dyn FnMut(&Environment) -> Flow,
    ) -> Flow {
        for member in set.members() {
            bound[v.index()] = Some(member);
            self.solve(rest, bound, found)?;
        }
        bound[v.index()] = None;
        Flow::Continue(())
    }

    /// Goes on with a variable that has this value, if there is one.
    fn defined(
        &self,
        v: Var,
        value: Option<Value>,
        rest: &[BodyStep],
        bound: &mut Environment,
        found: &mut dyn FnMut(&Environment) -> Flow,
    ) -> Flow {
        if value.is_some() {
            bound[v.index()] = value;
            self.solve(rest, bound, found)?;
            bound[v.index()] = None;
        }
        Flow::Continue(())
    }

    /// The values of terms; nothing if a number leaves 64 bits.
    fn values<'t>(
        &self,
        terms: impl Iterator<Item = &'t Term>,
        bound: &Environment,
    ) -> Option<Vec<Value>> {
        terms.map(|term| self.state.value_if_any(term, bound)).collect()
    }

    fn known(&self, term: &Term, bound: &Environment) -> Option<Value> {
        match term {
            Term::Var(v) => bound[v.index()],
            term => Some(self.state.value(term, bound)),
        }
    }

    /// Goes on with the terms made equal to the tuple, if they can be.
    pub(super) fn with(
        &self,
        terms: &[Term],
        tuple: &[Value],
        rest: &[BodyStep],
        bound: &mut Environment,
        found: &mut dyn FnMut(&Environment) -> Flow,
    ) -> Flow {
        let mut newly = Vec::new();
        let mut equal = true;
        for (term, &value) in terms.iter().zip(tuple) {
            match (self.known(term, bound), term) {
                (Some(known), _) => equal &= known == value,
                (None, Term::Var(v)) => {
                    bound[v.index()] = Some(value);
                    newly.push(*v);
                }
                (None, _) => unreachable!("only a variable is unknown"),
            }
            if !equal {
                break;
            }
        }
        let flow = if equal { self.solve(rest, bound, found) } else { Flow::Continue(()) };
        for v in newly {
            bound[v.index()] = None;
        }
        flow
    }

    /// Whether a literal holds; all its variables are bound. Means nothing once the work was cut
    /// off, and nothing is found then.
    pub(super) fn holds(&self, literal: &Literal, bound: &mut Environment) -> bool {
        self.state.holds(literal, bound, &mut Asked(self.calls))
    }

    /// Calls `see` with the tuples of a built-in relation; at least with all that agree with
    /// what is known.
    fn each_tuple(
        &self,
        relation: Relation,
        known: &[Option<Value>],
        see: &mut dyn FnMut(&[Value]) -> Flow,
    ) -> Flow {
        let (layout, grid) = (self.state.layout(), self.state.grid);
        let cells = |known: Option<Value>| match known {
            Some(Value::Cell(cell)) => crate::board::Cells::only(cell),
            _ => layout.all_cells(),
        };
        match relation {
            Relation::Sees => match *known {
                [Some(Value::Cell(a)), Some(Value::Cell(b))] => {
                    if layout.sees(a, b) {
                        see(&[Value::Cell(a), Value::Cell(b)])?;
                    }
                }
                [None, Some(Value::Cell(b))] => {
                    for a in layout.peers(b) {
                        see(&[Value::Cell(a), Value::Cell(b)])?;
                    }
                }
                [a, _] => {
                    for a in cells(a) {
                        for b in layout.peers(a) {
                            see(&[Value::Cell(a), Value::Cell(b)])?;
                        }
                    }
                }
                _ => unreachable!("sees has two arguments"),
            },
            Relation::Excludes => {
                let wanted = |digit| known[1].is_none_or(|d| d == Value::Digit(digit));
                for a in cells(known[0]) {
                    for x in layout.digits().filter(|&x| wanted(x)) {
                        for &(y, others) in layout.excluded(Candidate { cell: a, digit: x }) {
                            for b in others & cells(known[2]) {
                                let [a, b] = [a, b].map(Value::Cell);
                                see(&[a, Value::Digit(x), b, Value::Digit(y)])?;
                            }
                        }
                    }
                }
            }
            Relation::Given => {
                for cell in grid.given() & cells(known[0]) {
                    see(&[Value::Cell(cell)])?;
                }
            }
            Relation::Live => {
                for cell in cells(known[0]) {
                    for digit in layout.digits() {
                        let wanted = known[1].is_none_or(|d| d == Value::Digit(digit));
                        if wanted && grid.is_possible(Candidate { cell, digit }) {
                            see(&[Value::Cell(cell), Value::Digit(digit)])?;
                        }
                    }
                }
            }
            Relation::Rectangle => {
                for corners in cells(known[0]).iter().flat_map(|a| layout.rectangles_at(a)) {
                    see(&corners.map(Value::Cell))?;
                }
            }
            Relation::Orientation => {
                let rows = Value::Houses(layout.houses_of_kind(HouseKind::Row));
                let columns = Value::Houses(layout.houses_of_kind(HouseKind::Column));
                see(&[rows, columns])?;
                see(&[columns, rows])?;
            }
        }
        Flow::Continue(())
    }
}

/// Helpers whose tables are filled.
pub(super) struct Filled<'a> {
    pub rules: &'a RuleSet,
    pub state: NaiveState<'a>,
    pub tables: &'a Tables,
}

/// What asking for an end costs, in steps.
const HYPOTHESIS: u64 = 5;

impl Facts for Filled<'_> {
    fn holds(&self, helper: PredicateId, tuple: &[Value]) -> Option<bool> {
        Some(self.tables.of(helper).contains(tuple))
    }
    fn tuples(&self, helper: PredicateId, given: &[Option<Value>]) -> Option<Tuples> {
        Some(self.tables.of(helper).agreeing(given).map(<[Value]>::to_vec).collect())
    }
    fn leads(&self, hypothesis: &Hypothesis, goal: &Supposed) -> Option<bool> {
        self.tables.spend(HYPOTHESIS).continue_value()?;
        self.state.ends?.borrow_mut().leads(self.state.grid, hypothesis, goal)
    }
    fn traced(&self, fact: PredicateId, goal: PredicateId, tuple: &[Value]) -> Option<Tuples> {
        derive::traced(self, fact, goal, tuple)
    }
    fn goes_on(&self) -> bool {
        self.tables.call().is_continue()
    }
    fn missing(&self) -> NoValue {
        NoValue::TooMuch
    }
}

impl Calls for Filled<'_> {
    fn is_over(&self) -> bool {
        self.tables.is_cut_off()
    }
    fn each(&self, helper: PredicateId, (positions, key): (&[usize], &[Value]), see: See) -> Flow {
        self.tables.of(helper).matching(positions, key).try_for_each(see)
    }
    fn each_fresh(&self, helper: PredicateId, see: See) -> Flow {
        self.tables.of(helper).fresh().try_for_each(see)
    }
    fn round(&self, helper: PredicateId, tuple: &[Value]) -> Option<u32> {
        self.tables.of(helper).round(tuple)
    }
    fn rests_on(&self, helper: PredicateId, tuple: &[Value]) -> Option<Arc<[Fact]>> {
        derive::rests_on(self.rules, self.state.grid, self, &self.tables.derived, helper, tuple)
    }
}
