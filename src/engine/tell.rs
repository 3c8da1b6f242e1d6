//! From a run to a story: the proof of every step, found again on the state before it.

use crate::board::Grid;
use crate::language::RuleSet;
use crate::trace::{Proof, Step, Story, Telling};

use super::{Deducer, Naive};

/// Runs to the fixpoint and tells every step.
pub fn tell(rules: &RuleSet, deducer: &mut dyn Deducer, start: &Grid) -> Story {
    let mut end = start.clone();
    let (report, trace) = deducer.trace(&mut end);
    let mut grid = start.clone();
    let mut steps = Vec::with_capacity(trace.len());
    for step in &trace {
        let before = grid.clone();
        step.conclusion.apply(&mut grid);
        let proof = prove(rules, deducer, step, &before).expect("a step was found by a match");
        steps.push(Telling { before, proof });
    }
    Story { steps, end, outcome: report.outcome }
}

/// The proof of one step: a match with its conclusion, and why each helper in it holds.
pub fn prove(
    rules: &RuleSet,
    deducer: &mut dyn Deducer,
    step: &Step,
    before: &Grid,
) -> Option<Proof> {
    let found = deducer.witness(step, before)?;
    Some(Naive::new(rules).prove(found, before))
}
