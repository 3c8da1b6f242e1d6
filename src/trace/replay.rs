//! Checks a trace without the engine: does each conclusion follow from the state before it?
//!
//! Nothing is searched. A step's own bindings, put into the rule's conditions, must make each of
//! them true; a helper must come with a derivation, checked the same way; the heads must give
//! exactly the effects claimed; and the states must follow one another.

use std::fmt;

use serde_json::Value as Json;

use crate::board::{Candidate, Cells, Grid};
use crate::language::{Clause, Head, Literal, PredicateId, RuleSet};

use super::derivation::Derivation;
use super::evaluate::Scene;
use super::record::{self, Record};
use super::step::{Conclusion, Value};

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
    search: Option<Search<'a>>,
}

/// Tells whether a helper holds on a grid.
pub type Search<'a> = &'a dyn Fn(PredicateId, &[Value], &Grid) -> bool;

impl<'a> Replay<'a> {
    /// A replay that takes the first step's state as it is, or insists on `start`.
    pub fn new(rules: &'a RuleSet, start: Option<Grid>) -> Replay<'a> {
        Replay { rules, steps: 0, state: start, search: None }
    }

    /// The same replay, able to tell that a helper does *not* hold. That has no proof that could
    /// be checked: it takes a search. Without one, rules that say `not helper(…)` are refused.
    pub fn searching(self, search: Search<'a>) -> Replay<'a> {
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
        let Record { number, before, proof } = record::read(self.rules, object)?;
        if number != self.steps as u64 + 1 {
            return Err(format!("it is numbered {number}"));
        }
        if let Some(state) = &self.state
            && *state != before
        {
            return Err(format!(
                "it does not start from the state reached: {}",
                differ(state, &before)
            ));
        }
        let instance = &self.rules.instances()[proof.found.instance];
        let clause = &self.rules.rule(instance.rule).clauses[proof.found.clause];
        let bindings = &proof.found.bindings;
        let scene = Scene { grid: &before, parameter: instance.parameter, bindings };
        self.body(clause, &scene, &proof.premises)?;
        let conclusion = scene.conclude(&clause.heads).ok_or("its heads have no value")?;
        if conclusion != proof.found.conclusion {
            return Err(wrong_effect(&before, &proof.found.conclusion, &conclusion));
        }
        let mut after = before;
        conclusion.apply(&mut after);
        self.state = Some(after);
        Ok(())
    }

    /// Whether each condition of a clause is true; helpers by their derivations.
    fn body(&self, clause: &Clause, scene: &Scene, premises: &[Derivation]) -> Result<(), String> {
        let mut premises = premises.iter();
        for goal in &clause.body {
            let text = || self.rules.text(goal.span);
            if let Literal::Call(predicate, terms) = &goal.literal {
                let proof = premises.next().ok_or_else(|| format!("no proof of `{}`", text()))?;
                let arguments: Option<Vec<Value>> = terms.iter().map(|t| scene.term(t)).collect();
                if proof.predicate != *predicate || arguments.as_ref() != Some(&proof.arguments) {
                    return Err(format!("the proof given is not one of `{}`", text()));
                }
                self.derivation(scene.grid, proof)?;
            } else if mentions_helper(&goal.literal) && self.search.is_none() {
                return Err(format!("`{}` needs a search, which a replay does not make", text()));
            } else if !scene.holds(&goal.literal, &|predicate, arguments| {
                self.search.is_some_and(|search| search(predicate, arguments, scene.grid))
            }) {
                return Err(format!("`{}` does not hold", text()));
            }
        }
        Ok(())
    }

    fn derivation(&self, grid: &Grid, proof: &Derivation) -> Result<(), String> {
        let helper = self.rules.predicate(proof.predicate);
        let clause = &helper.clauses[proof.clause];
        let scene = Scene { grid, parameter: None, bindings: &proof.bindings };
        self.body(clause, &scene, &proof.premises)?;
        let gives = |head: &Head| -> Option<Vec<Value>> {
            match head {
                Head::Helper(terms) => terms.iter().map(|t| scene.term(t)).collect(),
                _ => None,
            }
        };
        match clause.heads.first().and_then(gives) {
            Some(arguments) if arguments == proof.arguments => Ok(()),
            _ => Err(format!("the clause of {} gives something else", helper.name)),
        }
    }
}

fn mentions_helper(literal: &Literal) -> bool {
    match literal {
        Literal::Call(..) => true,
        Literal::Not(inner) => mentions_helper(inner),
        Literal::Forall(_, _, body) => body.iter().any(mentions_helper),
        _ => false,
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
