//! From a run to a story: the account of every step, found again on the state before it.

use crate::board::Grid;
use crate::language::RuleSet;
use crate::trace::{Account, Outcome, Rating, Step, Story, ToldStep, Trace};

use super::{Deducer, Naive};

/// Runs to the fixpoint and tells every step. Where finding the reason of a step again takes too
/// long, the story ends before that step.
pub fn tell(rules: &RuleSet, deducer: &mut dyn Deducer, start: &Grid) -> Story {
    let mut end = start.clone();
    let (report, trace) = deducer.trace(&mut end);
    let (mut outcome, mut cut_off) = (report.outcome, report.cut_off);
    let mut grid = start.clone();
    let mut steps = Vec::with_capacity(trace.len());
    let search = Naive::new(rules);
    for step in &trace {
        let before = grid.clone();
        let Some(account) = account_by(&search, deducer, step, &before) else {
            (end, outcome) = (before, Outcome::Stuck);
            cut_off.push(step.instance);
            break;
        };
        step.conclusion.apply(&mut grid);
        steps.push(ToldStep { before, account });
    }
    cut_off.sort_unstable();
    cut_off.dedup();
    Story { steps, end, outcome, cut_off }
}

/// The account of one step: a match with its conclusion, and why each helper in it holds. Nothing
/// if it takes too long to find.
pub fn account(
    rules: &RuleSet,
    deducer: &mut dyn Deducer,
    step: &Step,
    before: &Grid,
) -> Option<Account> {
    account_by(&Naive::new(rules), deducer, step, before)
}

fn account_by(
    search: &Naive,
    deducer: &mut dyn Deducer,
    step: &Step,
    before: &Grid,
) -> Option<Account> {
    let found = deducer.witness(step, before)?;
    Some(search.account(found, before))
}

/// How hard a run from this state was. The steps inside hypotheses are told for the hardest level
/// only: the others count nothing.
pub fn rate(
    rules: &RuleSet,
    deducer: &mut dyn Deducer,
    start: &Grid,
    (trace, outcome): (&Trace, &Outcome),
) -> Rating {
    let level = |step: &Step| rules.instances()[step.instance].level;
    let top = trace.iter().map(level).max();
    let is_told = |step: &Step| {
        Some(level(step)) == top && rules.rule(rules.instances()[step.instance].rule).supposes()
    };
    let mut inside = vec![0; trace.len()];
    if *outcome != Outcome::Stuck && trace.iter().any(is_told) {
        let (search, mut grid) = (Naive::new(rules), start.clone());
        for (inside, step) in inside.iter_mut().zip(trace) {
            if is_told(step) {
                let account = account_by(&search, deducer, step, &grid);
                *inside = account.map_or(0, |account| account.nested());
            }
            step.conclusion.apply(&mut grid);
        }
    }
    let steps = trace.iter().map(|step| step.instance).zip(inside);
    Rating::of(rules, steps.collect::<Vec<_>>().iter().copied(), outcome)
}
