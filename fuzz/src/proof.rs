//! Any rule: what the prover says of it is what the matcher does.

use dokulog::board::{Candidate, Cell, Digit, Grid};
use dokulog::engine::{Deducer, Naive};
use dokulog::proof::{Budget, Options, Verdict, conclusions, judge};
use dokulog::trace::Match;

use super::choices::Choices;
use super::matcher::{claims, is_counterexample, is_recursive};
use super::random_rule;
use super::states::{layout, solution, state};

/// States on which the matcher is watched.
const STATES: usize = 6;

/// A rule put together by the choices, judged on 4×4 and fired on states with a known solution.
pub fn proof(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let Some((rules, text)) = random_rule::load(&[], &mut choices) else { return };
    let layout = layout(4);
    let instance = rules.instances().iter().position(|i| i.name == random_rule::NAME);
    let instance = instance.expect("the rule put together is loaded");
    let options = Options { budget: Budget::new(1_000_000), symmetry: true };
    let judgement = judge(&rules, instance, &layout, &options);
    match (judgement.verdict, &judgement.counterexample) {
        (Verdict::Unsound, Some(shown)) => is_counterexample(&rules, instance, shown),
        (Verdict::Unsound, None) => panic!("unsound, and nothing to show for it"),
        _ => {}
    }
    let naive = &mut Naive::new(&rules);
    for number in 0..STATES {
        let solution = solution(&layout, &mut choices);
        let state = state(&layout, &solution, false, &mut choices);
        let found = naive.matches(instance, &state);
        if number == 0 {
            let claimed = conclusions(&rules, instance, &state, 1);
            let found = claims(&rules, instance, &found);
            assert!(claimed.is_subset(&found), "{text} on\n{state:?}");
            assert!(is_recursive(&rules, instance) || claimed == found, "{text} on\n{state:?}");
        }
        let wrong = found.iter().find(|found| contradicts(found, &state, &solution));
        let context = || format!("{:?}\n{text}\n{state:?}\n{wrong:?}", judgement.verdict);
        match judgement.verdict {
            Verdict::Sound => assert!(wrong.is_none(), "{}", context()),
            Verdict::NeverFires => {
                assert!(found.iter().all(|m| m.conclusion.is_empty()), "{}", context());
            }
            _ => {}
        }
    }
}

/// Whether a match takes away a digit of the solution.
fn contradicts(found: &Match, state: &Grid, solution: &[u8]) -> bool {
    let mut after = state.clone();
    found.conclusion.apply(&mut after);
    let lost = |cell: Cell| {
        let digit = Digit::new(usize::from(solution[cell.index()]));
        !after.is_possible(Candidate { cell, digit })
    };
    found.conclusion.contradiction || state.layout().all_cells().iter().any(lost)
}
