//! Rules put together at random: whatever the checker accepts, every back end runs alike.

#[path = "../fuzz/src/choices.rs"]
mod choices;
#[path = "../fuzz/src/random_rule.rs"]
mod random_rule;
mod support;

use dokulog::board::Grid;
use dokulog::engine::{BackEnds, Deducer, Engine, Naive, Options};
use dokulog::language::{RuleSet, bundled};
use dokulog::random::Random;

use choices::Choices;
use support::{layout, long, puzzle};

/// The standard rules, or none, and a random rule with its text; nothing if the checker refuses it.
fn rule_set(number: u64) -> Option<(RuleSet, String)> {
    let mut random = Random::for_item(31, number);
    let others = match random.below(2) {
        0 => [bundled::helpers(), bundled::standard()].concat(),
        _ => Vec::new(),
    };
    let bytes: Vec<u8> = (0..200).map(|_| random.bits() as u8).collect();
    random_rule::load(&others, &mut Choices::new(&bytes))
}

/// Whether naive loops over all bindings are affordable on 9×9: one cell variable only.
fn is_small(text: &str) -> bool {
    !text.contains("A,") && !text.contains("(A") && !text.contains("A ") && !text.contains('E')
}

#[test]
fn random_rules_run_alike_on_every_back_end() {
    let (mut sets, mut nines, wanted) = (0, 0, if long() { 1000 } else { 60 });
    for number in 0.. {
        if sets == wanted {
            break;
        }
        let Some((rules, text)) = rule_set(number) else { continue };
        sets += 1;
        let (_, rule) = text.split_once("\nrule ").expect("helpers, then a rule");
        let size = if is_small(rule) { 9 } else { 4 };
        nines += usize::from(size == 9);
        let layout = layout(size);
        let mut naive = Naive::new(&rules);
        let mut workers = [BackEnds::Join, BackEnds::Plain, BackEnds::All].map(|back_ends| {
            let options = Options { back_ends, assume_unique: true, ..Options::default() };
            (
                back_ends,
                Engine::with(&rules, &layout, options).expect("uniqueness is assumed").worker(),
            )
        });
        for item in 0..2 {
            let start = Grid::from_givens(layout.clone(), &puzzle(&layout, 10 * number + item))
                .expect("no clash");
            let mut expected = start.clone();
            let report = naive.fixpoint(&mut expected);
            let steps = (size == 4).then(|| naive.trace(&mut start.clone()));
            for (back_ends, worker) in &mut workers {
                let context = format!("{back_ends:?}, puzzle {item} of {size}\n{text}");
                let mut found = start.clone();
                let got = worker.fixpoint(&mut found);
                assert_eq!(got.outcome, report.outcome, "{context}");
                assert!(found == expected, "{context}\n{found:?}\n{expected:?}");
                if let Some(steps) = &steps {
                    assert_eq!(&worker.trace(&mut start.clone()), steps, "{context}");
                }
            }
        }
    }
    println!("{sets} rule sets, {nines} of them on 9×9");
}
