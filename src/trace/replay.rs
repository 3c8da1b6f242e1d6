//! Checks a trace without the engine: does each conclusion follow from the state before it?
//!
//! Nothing is searched. A step's own bindings, put into the rule's conditions, must make each of
//! them true; a helper must come with a derivation, checked the same way; the heads must give
//! exactly the effects claimed; and the states must follow one another.

use std::fmt;
use std::sync::Arc;

use serde_json::Value as Json;

use crate::board::{Candidate, Cells, Grid, Layout};
use crate::language::{Clause, Literal, PredicateId, RuleSet};

use super::branch::{Branch, is_reached};
use super::derivation::Derivation;
use super::record::{self, Record};
use super::sentence::Account;
use super::step::Conclusion;
use super::story::ToldStep;
use crate::meaning::{Facts, Hypothesis, NoFacts, Scene, Supposed, Tuples, Value};

/// Why a trace is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The step, counted from 1.
    pub step: usize,
    /// What does not follow, without a full stop.
    pub reason: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "step {}: {}", self.step, self.reason)
    }
}

/// Checks the steps of one puzzle, one after the other.
pub struct Replay<'a> {
    rules: &'a RuleSet,
    steps: usize,
    /// The state that the next step must start from, once there was a step.
    state: Option<Grid>,
    search: Option<&'a dyn Search>,
    /// The layout of the puzzle, where it is known before its first step.
    layout: Option<Arc<Layout>>,
}

/// Whoever can tell whether a helper holds, which takes a search where it does not.
pub trait Search {
    /// What holds on a grid; what takes too long is not told.
    fn on<'a>(&'a self, grid: &'a Grid) -> Box<dyn Facts + 'a>;
}

/// What a search tells of a grid; nothing without a search.
pub(super) fn facts<'a>(search: Option<&'a dyn Search>, grid: &'a Grid) -> Box<dyn Facts + 'a> {
    search.map_or_else(|| Box::new(NoFacts) as Box<dyn Facts>, |search| search.on(grid))
}

/// The same, and what hypotheses were seen to lead to.
struct Led<'a> {
    facts: Box<dyn Facts + 'a>,
    led: &'a [(Hypothesis, Supposed)],
}

impl Facts for Led<'_> {
    fn holds(&self, helper: PredicateId, arguments: &[Value]) -> Option<bool> {
        self.facts.holds(helper, arguments)
    }
    fn tuples(&self, helper: PredicateId, arguments: &[Option<Value>]) -> Option<Tuples> {
        self.facts.tuples(helper, arguments)
    }
    fn leads(&self, hypothesis: &Hypothesis, goal: &Supposed) -> Option<bool> {
        let seen = self.led.iter().any(|(h, g)| h == hypothesis && g == goal);
        if seen { Some(true) } else { self.facts.leads(hypothesis, goal) }
    }
    fn traced(&self, fact: PredicateId, goal: PredicateId, arguments: &[Value]) -> Option<Tuples> {
        self.facts.traced(fact, goal, arguments)
    }
}

impl<'a> Replay<'a> {
    /// A replay that takes the first step's state as it is, or insists on `start`.
    pub fn new(rules: &'a RuleSet, start: Option<Grid>) -> Replay<'a> {
        let layout = start.as_ref().map(|grid| grid.layout().clone());
        Replay { rules, steps: 0, state: start, search: None, layout }
    }

    /// The same replay, of a puzzle for this layout if its steps name it.
    pub fn on(self, layout: Option<Arc<Layout>>) -> Replay<'a> {
        Replay { layout: layout.or(self.layout), ..self }
    }

    /// The same replay, able to tell that a helper does *not* hold. That has no account that could
    /// be checked: it takes a search. Without one, rules that say `not helper(…)` are refused.
    pub fn searching(self, search: &'a dyn Search) -> Replay<'a> {
        Replay { search: Some(search), ..self }
    }

    /// How many steps were accepted.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The state now.
    pub fn state(&self) -> Option<&Grid> {
        self.state.as_ref()
    }

    /// Checks the next step, given as its JSON object.
    pub fn step(&mut self, object: &Json) -> Result<(), Refusal> {
        let step = self.steps + 1;
        self.check(object).map_err(|reason| Refusal { step, reason })?;
        self.steps = step;
        Ok(())
    }

    fn check(&mut self, object: &Json) -> Result<(), String> {
        let Record { number, before, account } =
            record::read(self.rules, object, self.layout.as_ref())?;
        self.layout.get_or_insert_with(|| before.layout().clone());
        if number != self.steps as u64 + 1 {
            return Err(format!("it is numbered {number}"));
        }
        self.verify(before, &account)
    }

    /// Checks that an account starts from the state reached, and makes its conclusion so.
    fn verify(&mut self, before: Grid, account: &Account) -> Result<(), String> {
        if let Some(state) = &self.state
            && *state != before
        {
            return Err(format!(
                "it does not start from the state reached: {}",
                differ(state, &before)
            ));
        }
        let instance = &self.rules.instances()[account.found.instance];
        let clause = &self.rules.rule(instance.rule).clauses[account.found.clause];
        let bindings = &account.found.bindings;
        let scene = Scene::on(&before, instance.parameter, bindings);
        let led = self.branches(&before, &account.branches)?;
        self.body(clause, &scene, (&before, &led), &account.premises)?;
        let facts = Led { facts: facts(self.search, &before), led: &led };
        let conclusion = Conclusion::of(&clause.heads, &before, &scene, &facts);
        let conclusion = conclusion.ok_or("its heads have no value, or need a search")?;
        drop(facts);
        if conclusion != account.found.conclusion {
            return Err(wrong_effect(&before, &account.found.conclusion, &conclusion));
        }
        let mut after = before;
        conclusion.apply(&mut after);
        self.state = Some(after);
        Ok(())
    }

    /// Checks where hypotheses lead, step by step; what is then known of them.
    fn branches(
        &self,
        before: &Grid,
        branches: &[Branch],
    ) -> Result<Vec<(Hypothesis, Supposed)>, String> {
        let mut led = Vec::new();
        for Branch { hypothesis, goal, steps, .. } in branches {
            let rules = self.rules.below(hypothesis.below);
            let start = hypothesis.on(before);
            let state = Some(start.clone());
            let mut replay = Replay::new(&rules, state);
            replay.search = self.search;
            let mut contradiction = false;
            for (number, ToldStep { before, account }) in (1..).zip(steps) {
                let under = |reason| format!("under a hypothesis, step {number}: {reason}");
                replay.verify(before.clone(), account).map_err(under)?;
                contradiction |= account.found.conclusion.contradiction;
            }
            let end = replay.state.unwrap_or(start);
            let is_there = || is_reached(goal, &end, self.search);
            if !contradiction && end.hole().is_none() && !is_there() {
                return Err("a hypothesis does not lead where it should".to_string());
            }
            led.push((hypothesis.clone(), goal.clone()));
        }
        Ok(led)
    }

    /// Whether each condition of a clause is true; helpers by their derivations.
    fn body(
        &self,
        clause: &Clause,
        scene: &Scene,
        (grid, led): (&Grid, &[(Hypothesis, Supposed)]),
        premises: &[Derivation],
    ) -> Result<(), String> {
        let mut premises = premises.iter();
        for goal in &clause.body {
            let text = || self.rules.text(goal.span);
            if let Literal::Call(predicate, terms) = &goal.literal {
                let account =
                    premises.next().ok_or_else(|| format!("no account of `{}`", text()))?;
                let arguments = scene.values(terms);
                if account.predicate != *predicate || arguments.as_ref() != Some(&account.arguments)
                {
                    return Err(format!("the account given is not one of `{}`", text()));
                }
                self.derivation(grid, account)?;
            } else if !goal.literal.calls().is_empty() && self.search.is_none() {
                return Err(format!("`{}` needs a search, which a replay does not make", text()));
            } else {
                let facts = Led { facts: facts(self.search, grid), led };
                match scene.clone().truth(&goal.literal, &facts) {
                    Some(true) => {}
                    Some(false) => return Err(format!("`{}` does not hold", text())),
                    None => return Err(format!("`{}` could not be told", text())),
                }
            }
        }
        Ok(())
    }

    fn derivation(&self, grid: &Grid, account: &Derivation) -> Result<(), String> {
        let helper = self.rules.predicate(account.predicate);
        let clause = &helper.clauses[account.clause];
        let scene = Scene::on(grid, None, &account.bindings);
        self.body(clause, &scene, (grid, &[]), &account.premises)?;
        match scene.values(clause.formals()) {
            Some(arguments) if arguments == account.arguments => Ok(()),
            _ => Err(format!("the clause of {} gives something else", helper.name)),
        }
    }
}

/// The first effect that was claimed and does not follow, or follows and was not claimed.
fn wrong_effect(grid: &Grid, claimed: &Conclusion, due: &Conclusion) -> String {
    let layout = grid.layout();
    let lists = [("=", &claimed.places, &due.places), ("≠", &claimed.eliminates, &due.eliminates)];
    for (sign, claimed, due) in lists {
        let name = |c: &Candidate| format!("{}{sign}{}", layout.cell_name(c.cell), c.digit);
        if let Some(wrong) = claimed.iter().find(|c| !due.contains(c)) {
            return format!("{} does not follow", name(wrong));
        }
        if let Some(left_out) = due.iter().find(|c| !claimed.contains(c)) {
            return format!("{} follows too and is left out", name(left_out));
        }
    }
    match claimed.contradiction != due.contradiction {
        true => "it does not say whether this is a contradiction".to_string(),
        false => "its effects are not in order".to_string(),
    }
}

/// Where two states differ first.
fn differ(reached: &Grid, claimed: &Grid) -> String {
    if reached.layout() != claimed.layout() {
        return "the grids have different sizes".to_string();
    }
    let layout = reached.layout();
    for cell in layout.all_cells() {
        if reached.candidates(cell) != claimed.candidates(cell) {
            return format!("the candidates of {} differ", layout.cell_name(cell));
        }
    }
    let differ = |a: Cells, b: Cells| ((a - b) | (b - a)).first();
    let cell = differ(reached.placed(), claimed.placed())
        .or(differ(reached.given(), claimed.given()))
        .map(|cell| layout.cell_name(cell));
    format!("{} is placed or given in one only", cell.unwrap_or_default())
}
