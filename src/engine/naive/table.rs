//! Helpers as tables of tuples: the least fixpoint, lowest stratum first.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use crate::board::Grid;
use crate::language::{Clause, Kind, Literal, PredicateId, RuleSet};
use crate::meaning::Value;

use super::body::{Filled, Flow, Solver};
use super::derive::{Fact, steps_back};
use super::order::{BodyStep, order};
use super::term::NaiveState;

/// From the values at some positions to the tuples that have them.
type Index = HashMap<Vec<Value>, Vec<usize>>;

/// The tuples of a helper, in the order found, round after round.
#[derive(Default)]
pub(super) struct Table {
    tuples: Vec<Vec<Value>>,
    rounds: Vec<u32>,
    /// Where each tuple is.
    places: HashMap<Vec<Value>, usize>,
    /// By positions bound and values there: which tuples.
    indices: Vec<(Vec<usize>, Index)>,
    /// Tuples from here on were found in the last round.
    fresh_from: usize,
}

impl Table {
    /// Whether a tuple is there.
    pub(super) fn contains(&self, tuple: &[Value]) -> bool {
        self.places.contains_key(tuple)
    }

    /// In which round a tuple was found.
    pub(super) fn round(&self, tuple: &[Value]) -> Option<u32> {
        self.places.get(tuple).map(|&i| self.rounds[i])
    }

    /// The tuples found in the last round.
    pub(super) fn fresh(&self) -> impl Iterator<Item = &[Value]> {
        self.tuples[self.fresh_from..].iter().map(|tuple| &tuple[..])
    }

    /// The tuples with these values at these positions.
    pub(super) fn matching(
        &self,
        positions: &[usize],
        key: &[Value],
    ) -> impl Iterator<Item = &[Value]> {
        let index = self.indices.iter().find(|(indexed, _)| indexed == positions);
        let (_, index) = index.expect("indices are made before a body is solved");
        let places = index.get(key).map_or(&[][..], |places| &places[..]);
        places.iter().map(|&i| &self.tuples[i][..])
    }

    /// The tuples that agree with the values given.
    pub(super) fn agreeing<'t>(
        &'t self,
        given: &'t [Option<Value>],
    ) -> impl Iterator<Item = &'t [Value]> {
        let agrees = move |tuple: &&[Value]| {
            tuple.iter().zip(given).all(|(value, given)| given.is_none_or(|given| given == *value))
        };
        self.tuples.iter().map(|tuple| &tuple[..]).filter(agrees)
    }

    fn index(&mut self, positions: &[usize]) {
        if !self.indices.iter().any(|(indexed, _)| indexed == positions) {
            let mut index = Index::new();
            for (i, tuple) in self.tuples.iter().enumerate() {
                let key = positions.iter().map(|&p| tuple[p]).collect();
                index.entry(key).or_default().push(i);
            }
            self.indices.push((positions.to_vec(), index));
        }
    }

    /// Adds a tuple found in a round; whether it is new.
    pub(super) fn insert(&mut self, tuple: Vec<Value>, round: u32) -> bool {
        if self.places.contains_key(&tuple) {
            return false;
        }
        let place = self.tuples.len();
        for (positions, index) in &mut self.indices {
            let key = positions.iter().map(|&p| tuple[p]).collect();
            index.entry(key).or_default().push(place);
        }
        self.places.insert(tuple.clone(), place);
        self.tuples.push(tuple);
        self.rounds.push(round);
        true
    }
}

/// The tables of one state, filled as rules ask for them, and the work that is still allowed.
pub(super) struct Tables {
    tables: Vec<Option<Table>>,
    /// Steps that may still be taken. When none are left, nothing more is found: a table may be
    /// incomplete then, and what is denied of it would be wrong.
    left: Cell<u64>,
    /// Literals called and heads produced.
    calls: Cell<u64>,
    /// What derivations rest on, as far as they were asked for.
    pub derived: RefCell<HashMap<Fact, Arc<[Fact]>>>,
}

/// What a tuple costs, in steps: it takes memory.
const TUPLE: u64 = 100;
/// What it costs to take up a clause.
const ORDER: u64 = 5;
/// What a match costs.
pub(super) const MATCH: u64 = 500;

impl Tables {
    /// No table filled, and any amount of work allowed.
    pub(super) fn new(rules: &RuleSet) -> Tables {
        Tables::within(rules, u64::MAX)
    }

    /// No table filled, and so many steps allowed.
    pub(super) fn within(rules: &RuleSet, budget: u64) -> Tables {
        let tables = rules.predicates().iter().map(|_| None).collect();
        Tables { tables, left: Cell::new(budget), calls: Cell::new(0), derived: RefCell::default() }
    }

    /// So many steps are allowed from here on.
    pub(super) fn allow(&self, budget: u64) {
        self.left.set(budget);
    }

    /// Takes some steps; no going on if there are none left.
    pub(super) fn spend(&self, steps: u64) -> Flow {
        let left = self.left.get().saturating_sub(steps);
        self.left.set(left);
        if left == 0 { Flow::Break(()) } else { Flow::Continue(()) }
    }

    /// One call of a literal, or a head produced; no going on if no step is left.
    pub(super) fn call(&self) -> Flow {
        self.calls.set(self.calls.get() + 1);
        self.spend(1)
    }

    /// How many calls there were.
    pub(super) fn calls(&self) -> u64 {
        self.calls.get()
    }

    /// How many steps may still be taken.
    pub(super) fn left(&self) -> u64 {
        self.left.get()
    }

    /// Whether the work was cut off.
    pub(super) fn is_cut_off(&self) -> bool {
        self.left.get() == 0
    }

    /// A helper's table.
    pub(super) fn of(&self, predicate: PredicateId) -> &Table {
        let table = &self.tables[predicate.0 as usize];
        table.as_ref().expect("a helper is filled before it is called")
    }

    /// Fills the tables that these literals call, and makes the indices that these steps need.
    pub(super) fn prepare(
        &mut self,
        rules: &RuleSet,
        grid: &Grid,
        clause: &Clause,
        steps: &[BodyStep],
    ) {
        for predicate in clause.calls() {
            self.fill(rules, grid, predicate);
        }
        self.index(steps);
        for literal in clause.conditions() {
            literal.each(&mut |literal| {
                if let Literal::Traced(_, _, goal, _) = literal {
                    self.prepare_derivations(rules, grid, *goal);
                }
            });
        }
    }

    /// Makes the indices that it takes to go back from a helper's tuples to what they rest on.
    pub(super) fn prepare_derivations(&mut self, rules: &RuleSet, grid: &Grid, goal: PredicateId) {
        let state = NaiveState { grid, parameter: None, ends: None };
        for helper in rules.reachable([goal]) {
            for clause in &rules.predicate(helper).clauses {
                if state.has_all_named_by(clause) {
                    self.prepare(rules, grid, clause, &steps_back(clause));
                }
            }
        }
    }

    fn index(&mut self, steps: &[BodyStep]) {
        for step in steps {
            if let BodyStep::Call(predicate, _, positions) = step {
                let table = self.tables[predicate.0 as usize].as_mut();
                table.expect("a helper is filled before it is called").index(positions);
            }
        }
    }

    /// Fills a helper's table, and those it rests on.
    pub(super) fn fill(&mut self, rules: &RuleSet, grid: &Grid, predicate: PredicateId) {
        if self.tables[predicate.0 as usize].is_some() {
            return;
        }
        // What is called stands lower, unless it calls back: then they are filled together.
        let mut below = rules.reachable([predicate]);
        below.sort_by_key(|&p| rules.predicate(p).stratum);
        for p in below {
            if self.tables[p.0 as usize].is_none() {
                self.fill_circle(rules, grid, &rules.circle(p));
            }
        }
    }

    /// Fills the tables of helpers that call each other in a circle, or of one.
    fn fill_circle(&mut self, rules: &RuleSet, grid: &Grid, circle: &[PredicateId]) {
        for &p in circle {
            self.tables[p.0 as usize] = Some(Table::default());
        }
        let mut round = 0;
        loop {
            let mut found = Vec::new();
            for &p in circle {
                for clause in &rules.predicate(p).clauses {
                    self.each_order(clause, circle, round, |tables, steps| {
                        let _ = tables.spend(ORDER);
                        tables.tuples(rules, grid, (p, clause), &steps, &mut found);
                    });
                }
            }
            for &p in circle {
                let table = self.tables[p.0 as usize].as_mut().expect("made above");
                table.fresh_from = table.tuples.len();
            }
            for (p, tuple) in found {
                let table = self.tables[p.0 as usize].as_mut().expect("made above");
                table.insert(tuple, round);
            }
            let done = circle.iter().all(|&p| self.of(p).fresh().next().is_none());
            if done || self.is_cut_off() {
                return;
            }
            round += 1;
        }
    }

    /// The orders in which a clause is run in a round: all of it in the first; later, once for
    /// each call into the circle, limited to the tuples of the round before.
    fn each_order<'c>(
        &mut self,
        clause: &'c Clause,
        circle: &[PredicateId],
        round: u32,
        mut run: impl FnMut(&mut Tables, Vec<BodyStep<'c>>),
    ) {
        let unbound = vec![false; clause.variables.len()];
        if round == 0 {
            return run(self, order(clause, unbound, None));
        }
        for (i, goal) in clause.body.iter().enumerate() {
            match &goal.literal {
                Literal::Call(callee, _) if circle.contains(callee) => {
                    run(self, order(clause, unbound.clone(), Some(i)));
                }
                // A call inside `forall` or `exists` cannot be limited so.
                literal if literal.calls().iter().any(|p| circle.contains(p)) => {
                    run(self, order(clause, unbound.clone(), None));
                }
                _ => {}
            }
        }
    }

    /// The head's tuple for each solution of a helper's clause, unless it is there already.
    fn tuples(
        &mut self,
        rules: &RuleSet,
        grid: &Grid,
        (predicate, clause): (PredicateId, &Clause),
        steps: &[BodyStep],
        found: &mut Vec<(PredicateId, Vec<Value>)>,
    ) {
        let state = NaiveState { grid, parameter: None, ends: None };
        if !state.has_all_named_by(clause) {
            return;
        }
        self.prepare(rules, grid, clause, steps);
        let terms = clause.formals();
        let kinds: Vec<Kind> = clause.variables.iter().map(|v| v.kind).collect();
        let filled = Filled { rules, state, tables: self };
        let solver = Solver { state, calls: &filled, kinds: &kinds };
        let _ = solver.solve(steps, &mut vec![None; kinds.len()], &mut |bound| {
            let tuple: Vec<Value> = terms.iter().map(|term| state.value(term, bound)).collect();
            if self.of(predicate).contains(&tuple) {
                return Flow::Continue(());
            }
            found.push((predicate, tuple));
            self.spend(TUPLE)
        });
    }
}
