//! Any state: the engine does what the naive evaluator does.

use std::sync::OnceLock;

use dokulog::board::Grid;
use dokulog::engine::{BackEnds, Deducer, Engine, Naive, Options};
use dokulog::language::{RuleSet, bundled};
use dokulog::trace::Outcome;

use super::choices::Choices;
use super::random_rule;
use super::states::{layout, solution, state};

/// The bundled rules, or one put together by the choices, on a state that may contradict itself.
pub fn engine(bytes: &[u8]) {
    static BUNDLED: OnceLock<[RuleSet; 2]> = OnceLock::new();
    let [standard, all] = BUNDLED.get_or_init(|| {
        use dokulog::language::Origin;
        // What is found first under nested hypotheses may differ; `tests/suppose.rs` has those.
        let all = bundled::rules().keep(|rule, _| rule.origin != Origin::Forcing);
        [all.keep(|rule, _| rule.origin == Origin::Standard), all]
    });
    let mut choices = Choices::new(bytes);
    let (size, rules) = match choices.below(16) {
        0 => (9, standard.clone()),
        1..4 => (6, standard.clone()),
        4..8 => (4, standard.clone()),
        8 => (4, all.clone()),
        _ => match random_rule::load(&[], &mut choices) {
            Some((rules, _)) => (4, rules),
            None => return,
        },
    };
    let layout = layout(size);
    let solution = solution(&layout, &mut choices);
    let back_ends = choices.pick(&[BackEnds::All, BackEnds::Plain, BackEnds::Join]);
    let start = state(&layout, &solution, true, &mut choices);
    if start.hole().is_some() {
        return;
    }
    let options = Options { back_ends, assume_unique: true, ..Options::default() };
    let mut worker =
        Engine::with(&rules, &layout, options).expect("uniqueness is assumed").worker();
    let mut naive = Naive::new(&rules);
    let run = |deducer: &mut dyn Deducer| -> (Grid, Outcome) {
        let mut grid = start.clone();
        let outcome = deducer.fixpoint(&mut grid).outcome;
        (grid, outcome)
    };
    let ((fast, end), (slow, slow_end)) = (run(&mut worker), run(&mut naive));
    let context = || format!("{back_ends:?} on\n{start:?}\n{rules:?}");
    let same_kind = std::mem::discriminant(&end) == std::mem::discriminant(&slow_end);
    assert!(same_kind, "{end:?}, naively {slow_end:?}; {}", context());
    if !matches!(end, Outcome::Contradiction { .. }) {
        assert!(fast == slow, "{fast:?}\nnaively\n{slow:?}\n{}", context());
    }
    assert_eq!(worker.next_step(&start), naive.next_step(&start), "{}", context());
}
