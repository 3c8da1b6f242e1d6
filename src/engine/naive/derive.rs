//! Why a helper holds: the shortest derivation of a tuple.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use crate::board::Grid;
use crate::language::{Clause, Kind, Literal, PredicateId, RuleSet, Term};
use crate::meaning::{Scene, Tuples};
use crate::trace::{Account, Derivation, Match, Value, suppositions};

use crate::engine::suppose::Ends;

use super::all_bound;
use super::body::{Calls, Filled, Flow, Solver};
use super::goal::{Goals, can_be_asked};
use super::order::{BodyStep, order};
use super::table::Tables;
use super::term::{Environment, NaiveState};

/// A helper and its arguments.
pub(super) type Fact = (PredicateId, Vec<Value>);

/// All that the shortest derivation of a tuple rests on, itself among it, in order; nothing if the
/// work is cut off. `known` are those told before.
pub(super) fn rests_on(
    rules: &RuleSet,
    grid: &Grid,
    calls: &dyn Calls,
    known: &RefCell<HashMap<Fact, Arc<[Fact]>>>,
    predicate: PredicateId,
    tuple: &[Value],
) -> Option<Arc<[Fact]>> {
    let goal = (predicate, tuple.to_vec());
    if let Some(known) = known.borrow().get(&goal) {
        return Some(known.clone());
    }
    let mut facts = Vec::new();
    if calls.holds(predicate, tuple)? {
        let derivation = build(rules, grid, calls, predicate, tuple)?;
        let all = derivation.all().into_iter();
        facts.extend(all.map(|part| (part.predicate, part.arguments.clone())));
        facts.sort();
        facts.dedup();
    }
    let facts: Arc<[Fact]> = facts.into();
    known.borrow_mut().insert(goal, facts.clone());
    Some(facts)
}

/// The tuples of a helper on which the shortest derivation of another's tuple rests, in order;
/// nothing if the work is cut off.
pub(super) fn traced(
    calls: &dyn Calls,
    fact: PredicateId,
    goal: PredicateId,
    tuple: &[Value],
) -> Option<Tuples> {
    calls.step().continue_value()?;
    let all = calls.rests_on(goal, tuple)?;
    let facts = all.iter().filter(|(helper, _)| *helper == fact);
    Some(facts.map(|(_, tuple)| tuple.clone()).collect())
}

/// A match with a derivation for each helper that its clause calls.
pub(super) fn account(rules: &RuleSet, grid: &Grid, found: Match, ends: &RefCell<Ends>) -> Account {
    let instance = &rules.instances()[found.instance];
    let clause = &rules.rule(instance.rule).clauses[found.clause];
    let state = NaiveState { grid, parameter: instance.parameter, ends: None };
    let bound: Environment = found.bindings.iter().copied().map(Some).collect();
    let goals = can_be_asked(rules, clause).then(|| Goals::new(rules, grid, u64::MAX));
    let mut tables = Tables::new(rules);
    let premises = premises(clause, state, &bound).map(|(callee, arguments)| {
        let derivation = match &goals {
            Some(goals) => build(rules, grid, goals, callee, &arguments),
            None => {
                tables.fill(rules, grid, callee);
                tables.prepare_derivations(rules, grid, callee);
                let filled = Filled { rules, state, tables: &tables };
                build(rules, grid, &filled, callee, &arguments)
            }
        };
        derivation.expect("nothing is cut off")
    });
    let premises = premises.collect();
    let scene = Scene::on(grid, instance.parameter, &found.bindings);
    let branches = suppositions(clause, &scene).into_iter();
    let branches = branches
        .filter_map(|(hypothesis, goal)| ends.borrow_mut().branch(grid, &hypothesis, &goal));
    let branches = branches.collect();
    Account { found, premises, branches }
}

/// The shortest derivation of a tuple that holds; nothing if the work is cut off.
fn build(
    rules: &RuleSet,
    grid: &Grid,
    calls: &dyn Calls,
    predicate: PredicateId,
    tuple: &[Value],
) -> Option<Derivation> {
    let state = NaiveState { grid, parameter: None, ends: None };
    let round = calls.round(predicate, tuple).expect("only tuples that hold are derived");
    let circle = rules.circle(predicate);
    for (c, clause) in rules.predicate(predicate).clauses.iter().enumerate() {
        let mut least: Option<Environment> = None;
        let mut earlier = |bound: &Environment| {
            let before = premises(clause, state, bound).all(|(callee, arguments)| {
                !circle.contains(&callee)
                    || calls.round(callee, &arguments).is_some_and(|r| r < round)
            });
            if before && least.as_ref().is_none_or(|least| bound < least) {
                least = Some(bound.clone());
            }
        };
        each_derivation(state, calls, clause, tuple, &mut earlier);
        if calls.is_over() {
            return None;
        }
        if let Some(bound) = least {
            let premises: Vec<_> = premises(clause, state, &bound).collect();
            return Some(Derivation {
                predicate,
                arguments: tuple.to_vec(),
                clause: c,
                bindings: all_bound(clause, &bound),
                premises: premises
                    .into_iter()
                    .map(|(callee, arguments)| build(rules, grid, calls, callee, &arguments))
                    .collect::<Option<_>>()?,
            });
        }
    }
    unreachable!("a tuple follows from tuples of earlier rounds")
}

/// The helper calls of a solved body with their arguments.
fn premises<'a>(
    clause: &'a Clause,
    state: NaiveState<'a>,
    bound: &'a Environment,
) -> impl Iterator<Item = (PredicateId, Vec<Value>)> + 'a {
    clause.body.iter().filter_map(move |goal| match &goal.literal {
        Literal::Call(callee, terms) => {
            Some((*callee, terms.iter().map(|term| state.value(term, bound)).collect()))
        }
        _ => None,
    })
}

/// The order for a helper's clause whose head is known.
pub(super) fn steps_back(clause: &Clause) -> Vec<BodyStep<'_>> {
    let mut bound = vec![false; clause.variables.len()];
    for term in clause.formals() {
        if let Term::Var(v) = term {
            bound[v.index()] = true;
        }
    }
    order(clause, bound, None)
}

/// The solutions of a helper's clause whose head is this tuple.
fn each_derivation(
    state: NaiveState,
    calls: &dyn Calls,
    clause: &Clause,
    tuple: &[Value],
    found: &mut dyn FnMut(&Environment),
) {
    let terms = clause.formals();
    if !state.has_all_named_by(clause) {
        return;
    }
    let mut bound: Environment = vec![None; clause.variables.len()];
    for (term, &value) in terms.iter().zip(tuple) {
        if let Term::Var(v) = term {
            if bound[v.index()].is_some_and(|other| other != value) {
                return;
            }
            bound[v.index()] = Some(value);
        }
    }
    let steps = steps_back(clause);
    let kinds: Vec<Kind> = clause.variables.iter().map(|v| v.kind).collect();
    let solver = Solver { state, calls, kinds: &kinds };
    let _ = solver.solve(&steps, &mut bound, &mut |bound| {
        if terms.iter().zip(tuple).all(|(term, &value)| state.value(term, bound) == value) {
            found(bound);
        }
        Flow::Continue(())
    });
}
