//! Every back end against the naive evaluator: the same states, steps, matches and ends.

mod support;

use dokulog::board::{Grid, Layout};
use dokulog::engine::{BackEnds, Deducer, Engine, Naive, Options, Worker};
use dokulog::language::RuleSet;
use dokulog::trace::Outcome;
use std::sync::Arc;
use support::{everything, layout, long, puzzle, standard_and_fish};

const BACK_ENDS: [BackEnds; 3] = [BackEnds::Join, BackEnds::Plain, BackEnds::All];

fn workers(rules: &RuleSet, layout: &Arc<Layout>) -> Vec<(BackEnds, Worker)> {
    let make = |back_ends| {
        let options = Options { back_ends, ..Options::default() };
        (back_ends, Engine::with(rules, layout, options).worker())
    };
    BACK_ENDS.into_iter().map(make).collect()
}

/// Fixpoints, and traces too where asked for, of puzzles by number.
fn check(size: usize, rules: &RuleSet, numbers: std::ops::Range<u64>, traces: bool) {
    let layout = layout(size);
    let mut naive = Naive::new(rules);
    let mut workers = workers(rules, &layout);
    let mut ends = [0; 3];
    for number in numbers {
        let givens = puzzle(&layout, number);
        let Ok(start) = Grid::from_givens(layout.clone(), &givens) else {
            panic!("puzzle {number} clashes");
        };
        let mut expected = start.clone();
        let report = naive.fixpoint(&mut expected);
        ends[match report.outcome {
            Outcome::Solved => 0,
            Outcome::Stuck => 1,
            Outcome::Contradiction { .. } => 2,
        }] += 1;
        let steps = traces.then(|| naive.trace(&mut start.clone()));
        for (back_ends, worker) in &mut workers {
            let context = format!("{size}×{size}, puzzle {number}, {back_ends:?}");
            let mut found = start.clone();
            let got = worker.fixpoint(&mut found);
            assert_eq!(got, report, "{context}\n{start:?}");
            assert!(found == expected, "{context}: states differ\n{found:?}\n{expected:?}");
            let mut digits = vec![0; givens.len()];
            let outcome = worker.deduce_digits(&givens, &mut digits).expect("no clash");
            assert_eq!((outcome, digits), (report.outcome, expected.digits()), "{context}");
            if let Some((expected_report, expected_trace)) = &steps {
                let (got, trace) = worker.trace(&mut start.clone());
                assert_eq!(&trace, expected_trace, "{context}");
                assert_eq!(&got, expected_report, "{context}");
            }
        }
    }
    println!("{size}×{size}: solved, stuck, contradictory: {ends:?}");
}

#[test]
fn small_sizes() {
    let rules = standard_and_fish();
    check(4, &rules, 0..if long() { 500 } else { 60 }, true);
    check(6, &rules, 0..if long() { 500 } else { 60 }, true);
}

#[test]
fn nine() {
    let rules = standard_and_fish();
    check(9, &rules, 0..if long() { 2000 } else { 60 }, false);
    check(9, &rules, 5000..if long() { 5200 } else { 5020 }, true);
}

#[test]
fn sixteen() {
    let rules = standard_and_fish();
    check(16, &rules, 0..if long() { 60 } else { 3 }, false);
}

#[test]
fn all_bundled_rules() {
    let rules = everything();
    check(4, &rules, 0..if long() { 100 } else { 10 }, true);
    check(9, &rules, 0..if long() { 20 } else { 0 }, false);
}

/// Every match of every instance, with all its bindings, on states along the way.
#[test]
fn matches_one_by_one() {
    let rules = standard_and_fish();
    for (size, count) in [(4, 20), (6, 10), (9, if long() { 40 } else { 3 })] {
        let layout = layout(size);
        let mut naive = Naive::new(&rules);
        let mut workers = workers(&rules, &layout);
        for number in 0..count {
            let mut grid = Grid::from_givens(layout.clone(), &puzzle(&layout, number))
                .expect("a puzzle without a clash");
            while grid.hole().is_none() {
                let step = naive.next_step(&grid);
                for (back_ends, worker) in &mut workers {
                    assert_eq!(worker.next_step(&grid), step, "{size} {number} {back_ends:?}");
                    for instance in 0..rules.instances().len() {
                        let expected = naive.matches(instance, &grid);
                        assert_eq!(worker.matches(instance, &grid), expected, "{back_ends:?}");
                    }
                }
                let Some(step) = step else { break };
                for (_, worker) in &mut workers {
                    let witness = worker.witness(&step, &grid);
                    assert_eq!(witness, naive.witness(&step, &grid));
                    assert!(witness.is_some());
                }
                step.conclusion.apply(&mut grid);
            }
        }
    }
}
