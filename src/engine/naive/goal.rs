//! Helpers asked goal by goal: only what a question needs is worked out.
//!
//! A table holds all that is true of a helper. Whoever asks for the derivation of one tuple needs
//! little of that: the tuples that agree with what is known, and of a recursive helper those with
//! the same values where every call hands them on. `aic(A, X, B, Y)` rests on chains from A and X
//! alone. Rounds are the same either way, so the shortest derivation is.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use crate::board::Grid;
use crate::language::{Clause, Kind, Literal, PredicateId, RuleSet, Term};
use crate::meaning::{Facts, NoValue, Tuples, Value};

use super::body::{Calls, Flow, See, Solver};
use super::derive::{self, Fact};
use super::order::{BodyStep, order};
use super::table::Table;
use super::term::{Environment, NaiveState};

/// A helper, and its arguments as far as they are given.
type Goal = (PredicateId, Vec<Option<Value>>);
type Answers = Arc<[Vec<Value>]>;

/// The answers of one state, as far as they were asked for.
pub(super) struct Goals<'a> {
    rules: &'a RuleSet,
    grid: &'a Grid,
    left: Cell<u64>,
    answers: RefCell<HashMap<Goal, Answers>>,
    chains: RefCell<HashMap<Goal, Arc<Table>>>,
    derived: RefCell<HashMap<Fact, Arc<[Fact]>>>,
    /// How clauses are run, by what is bound beforehand and the call that comes first; nothing
    /// where a clause names what the board does not have.
    orders: RefCell<HashMap<Order, Option<Arc<[BodyStep<'a>]>>>>,
}

/// A clause by its address, which of its variables are bound, and the call that comes first.
type Order = (usize, Vec<bool>, Option<usize>);

/// Whether all that these clauses call can be asked so: recursive helpers call themselves only,
/// once a clause.
pub(in crate::engine) fn can_be_asked(rules: &RuleSet, clause: &Clause) -> bool {
    let simple = |helper: PredicateId| {
        let predicate = rules.predicate(helper);
        let once = |clause: &Clause| {
            let calls = clause.calls().into_iter().filter(|&callee| callee == helper).count();
            calls == usize::from(recursive_call(clause, helper).is_some())
        };
        !predicate.recursive
            || rules.circle(helper) == [helper] && predicate.clauses.iter().all(once)
    };
    rules.reachable(clause.calls()).into_iter().all(simple)
}

/// Where a clause calls the helper that it is a clause of.
fn recursive_call(clause: &Clause, helper: PredicateId) -> Option<usize> {
    let is_it = |goal: &crate::language::Goal| matches!(goal.literal, Literal::Call(callee, _) if callee == helper);
    clause.body.iter().position(is_it)
}

/// The positions of a recursive helper that every call hands on as they are.
fn handed_on(rules: &RuleSet, helper: PredicateId) -> Vec<usize> {
    let predicate = rules.predicate(helper);
    let keeps = |clause: &Clause, position: usize| match recursive_call(clause, helper) {
        None => true,
        Some(call) => {
            let Literal::Call(_, terms) = &clause.body[call].literal else { return false };
            let formal = &clause.formals()[position];
            matches!(formal, Term::Var(_)) && terms[position] == *formal
        }
    };
    let kept = |&position: &usize| predicate.clauses.iter().all(|clause| keeps(clause, position));
    (0..predicate.kinds.len()).filter(kept).collect()
}

impl<'a> Goals<'a> {
    /// Nothing asked yet, and so many steps allowed.
    pub(super) fn new(rules: &'a RuleSet, grid: &'a Grid, budget: u64) -> Goals<'a> {
        let (answers, chains, derived, orders) = Default::default();
        Goals { rules, grid, left: Cell::new(budget), answers, chains, derived, orders }
    }

    /// How many steps may still be taken.
    pub(super) fn left(&self) -> u64 {
        self.left.get()
    }

    fn state(&self) -> NaiveState<'a> {
        NaiveState { grid: self.grid, parameter: None, ends: None }
    }

    /// The tuples that agree with what is given; nothing if the work is cut off.
    fn answers(&self, helper: PredicateId, given: &[Option<Value>]) -> Option<Answers> {
        let goal = (helper, given.to_vec());
        if let Some(known) = self.answers.borrow().get(&goal) {
            return Some(known.clone());
        }
        let predicate = self.rules.predicate(helper);
        let found: Answers = match predicate.recursive {
            true => {
                let chain = self.chain(helper, given)?;
                chain.agreeing(given).map(<[Value]>::to_vec).collect()
            }
            false => {
                let mut table = Table::default();
                for clause in &predicate.clauses {
                    self.solve(clause, given, None, &mut |tuple| {
                        table.insert(tuple, 0);
                    })?;
                }
                table.agreeing(given).map(<[Value]>::to_vec).collect()
            }
        };
        self.answers.borrow_mut().insert(goal, found.clone());
        Some(found)
    }

    /// The tuples of a recursive helper, round by round; with what is given, as far as every call
    /// hands it on.
    fn chain(&self, helper: PredicateId, given: &[Option<Value>]) -> Option<Arc<Table>> {
        let mut fixed = vec![None; given.len()];
        for position in handed_on(self.rules, helper) {
            fixed[position] = given[position];
        }
        let goal = (helper, fixed);
        if let Some(known) = self.chains.borrow().get(&goal) {
            return Some(known.clone());
        }
        let fixed = &goal.1;
        let clauses = &self.rules.predicate(helper).clauses;
        let mut table = Table::default();
        let mut fresh: Vec<Vec<Value>> = Vec::new();
        for round in 0.. {
            let mut found = Vec::new();
            for clause in clauses {
                match (round, recursive_call(clause, helper)) {
                    (0, None) => self.solve(clause, fixed, None, &mut |t| found.push(t))?,
                    (1.., Some(call)) => {
                        self.solve(clause, fixed, Some((call, &fresh)), &mut |t| found.push(t))?;
                    }
                    _ => {}
                }
            }
            fresh = found.into_iter().filter(|tuple| table.insert(tuple.clone(), round)).collect();
            if fresh.is_empty() {
                break;
            }
        }
        let table = Arc::new(table);
        self.chains.borrow_mut().insert(goal, table.clone());
        Some(table)
    }

    fn order(
        &self,
        clause: &'a Clause,
        bound: Vec<bool>,
        fresh: Option<usize>,
    ) -> Option<Arc<[BodyStep<'a>]>> {
        let key = (std::ptr::from_ref(clause).addr(), bound, fresh);
        if let Some(known) = self.orders.borrow().get(&key) {
            return known.clone();
        }
        let has_all = self.state().has_all_named_by(clause);
        let steps = has_all.then(|| Arc::from(order(clause, key.1.clone(), fresh)));
        self.orders.borrow_mut().insert(key, steps.clone());
        steps
    }

    /// Calls `found` with the head's tuple for each solution of a helper's clause, where the head
    /// is given as far as it is; the call at `fresh` is one of the tuples there. Nothing if the
    /// work is cut off.
    fn solve(
        &self,
        clause: &'a Clause,
        given: &[Option<Value>],
        fresh: Option<(usize, &[Vec<Value>])>,
        found: &mut dyn FnMut(Vec<Value>),
    ) -> Option<()> {
        let state = self.state();
        let terms = clause.formals();
        let mut bound: Environment = vec![None; clause.variables.len()];
        for (term, &value) in terms.iter().zip(given) {
            if let (Term::Var(v), Some(_)) = (term, value) {
                if bound[v.index()].is_some() && bound[v.index()] != value {
                    return Some(());
                }
                bound[v.index()] = value;
            }
        }
        let is_bound = bound.iter().map(Option::is_some).collect();
        let Some(steps) = self.order(clause, is_bound, fresh.map(|(call, _)| call)) else {
            return Some(());
        };
        let kinds: Vec<Kind> = clause.variables.iter().map(|v| v.kind).collect();
        let solver = Solver { state, calls: self, kinds: &kinds };
        let mut tell = |bound: &Environment| {
            let tuple: Vec<Value> = terms.iter().map(|term| state.value(term, bound)).collect();
            if tuple.iter().zip(given).all(|(value, given)| given.is_none_or(|g| g == *value)) {
                found(tuple);
            }
            Flow::Continue(())
        };
        let flow = match (steps.split_first(), fresh) {
            (Some((BodyStep::Fresh(_, terms), rest)), Some((_, tuples))) => tuples
                .iter()
                .try_for_each(|tuple| solver.with(terms, tuple, rest, &mut bound, &mut tell)),
            _ => solver.solve(&steps, &mut bound, &mut tell),
        };
        flow.is_continue().then_some(())
    }
}

impl Facts for Goals<'_> {
    fn holds(&self, helper: PredicateId, tuple: &[Value]) -> Option<bool> {
        let given: Vec<Option<Value>> = tuple.iter().copied().map(Some).collect();
        if self.rules.predicate(helper).recursive {
            return self.chain(helper, &given).map(|chain| chain.contains(tuple));
        }
        self.answers(helper, &given).map(|answers| !answers.is_empty())
    }

    fn tuples(&self, helper: PredicateId, given: &[Option<Value>]) -> Option<Tuples> {
        self.answers(helper, given).map(|answers| answers.to_vec())
    }

    fn traced(&self, fact: PredicateId, goal: PredicateId, tuple: &[Value]) -> Option<Tuples> {
        derive::traced(self, fact, goal, tuple)
    }

    fn goes_on(&self) -> bool {
        let left = self.left.get().saturating_sub(1);
        self.left.set(left);
        left > 0
    }

    fn missing(&self) -> NoValue {
        NoValue::TooMuch
    }
}

impl Calls for Goals<'_> {
    fn is_over(&self) -> bool {
        self.left.get() == 0
    }

    fn each(&self, helper: PredicateId, (positions, key): (&[usize], &[Value]), see: See) -> Flow {
        let mut given = vec![None; self.rules.predicate(helper).kinds.len()];
        for (&position, &value) in positions.iter().zip(key) {
            given[position] = Some(value);
        }
        match self.answers(helper, &given) {
            Some(answers) => answers.iter().try_for_each(|tuple| see(tuple)),
            None => Flow::Break(()),
        }
    }

    fn each_fresh(&self, _: PredicateId, _: See) -> Flow {
        unreachable!("the tuples of the last round are at hand")
    }

    fn round(&self, helper: PredicateId, tuple: &[Value]) -> Option<u32> {
        if !self.rules.predicate(helper).recursive {
            return Some(0);
        }
        let given: Vec<Option<Value>> = tuple.iter().copied().map(Some).collect();
        self.chain(helper, &given)?.round(tuple)
    }

    fn rests_on(&self, helper: PredicateId, tuple: &[Value]) -> Option<Arc<[Fact]>> {
        derive::rests_on(self.rules, self.grid, self, &self.derived, helper, tuple)
    }
}
