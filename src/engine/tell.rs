//! From a run to a story: the proof of every step, found again on the state before it.

use crate::board::Grid;
use crate::language::RuleSet;
use crate::trace::{Outcome, Proof, Step, Story, Telling};

use super::{Deducer, Naive};

/// Runs to the fixpoint and tells every step. Where finding the reason of a step again takes too
/// long, the story ends before that step.
pub fn tell(rules: &RuleSet, deducer: &mut dyn Deducer, start: &Grid) -> Story {
    let mut end = start.clone();
    let (report, trace) = deducer.trace(&mut end);
    let (mut outcome, mut cut_off) = (report.outcome, report.cut_off);
    let mut grid = start.clone();
    let mut steps = Vec::with_capacity(trace.len());
    for step in &trace {
        let before = grid.clone();
        let Some(proof) = prove(rules, deducer, step, &before) else {
            (end, outcome) = (before, Outcome::Stuck);
            cut_off.push(step.instance);
            break;
        };
        step.conclusion.apply(&mut grid);
        steps.push(Telling { before, proof });
    }
    cut_off.sort_unstable();
    cut_off.dedup();
    Story { steps, end, outcome, cut_off }
}

/// The proof of one step: a match with its conclusion, and why each helper in it holds. Nothing
/// if it takes too long to find.
pub fn prove(
    rules: &RuleSet,
    deducer: &mut dyn Deducer,
    step: &Step,
    before: &Grid,
) -> Option<Proof> {
    let found = deducer.witness(step, before)?;
    Some(Naive::new(rules).prove(found, before))
}
