//! Every back end against the naive evaluator: the same states, steps, matches and ends.

mod support;

use dokulog::board::{Candidate, Cell, Cells, Grid, Layout};
use dokulog::engine::shape::Effect;
use dokulog::engine::whole::Recorded;
use dokulog::engine::{BackEnds, Deducer, Engine, Naive, Options, Worker};
use dokulog::language::{Origin, RuleSet, bundled};
use dokulog::random::Random;
use dokulog::trace::{Changes, Outcome};
use std::sync::Arc;
use support::{everything, layout, long, puzzle, rules, solution, standard_and_fish};

const BACK_ENDS: [BackEnds; 3] = [BackEnds::Join, BackEnds::Plain, BackEnds::All];

fn workers(rules: &RuleSet, layout: &Arc<Layout>) -> Vec<(BackEnds, Worker)> {
    let make = |back_ends| {
        let options = Options { back_ends, assume_unique: true, ..Options::default() };
        (back_ends, Engine::with(rules, layout, options).expect("uniqueness is assumed").worker())
    };
    BACK_ENDS.into_iter().map(make).collect()
}

/// Fixpoints, and traces too where asked for, of puzzles by number.
fn check(layout: &Arc<Layout>, rules: &RuleSet, numbers: std::ops::Range<u64>, traces: bool) {
    let size = layout.size();
    let mut naive = Naive::new(rules);
    let mut workers = workers(rules, layout);
    let mut ends = [0; 3];
    for number in numbers {
        let givens = puzzle(layout, number);
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
    check(&layout(4), &rules, 0..if long() { 500 } else { 60 }, true);
    check(&layout(6), &rules, 0..if long() { 500 } else { 60 }, true);
}

#[test]
fn nine() {
    let rules = standard_and_fish();
    check(&layout(9), &rules, 0..if long() { 2000 } else { 60 }, false);
    check(&layout(9), &rules, 5000..if long() { 5200 } else { 5020 }, true);
}

#[test]
fn large_sizes() {
    let rules = standard_and_fish();
    check(&layout(12), &rules, 0..if long() { 100 } else { 3 }, true);
    check(&layout(16), &rules, 0..if long() { 100 } else { 3 }, false);
}

/// Houses are data: diagonals, or a ring, need no code of their own.
#[test]
fn further_houses() {
    let rules = standard_and_fish();
    let cells = |numbers: &[usize]| numbers.iter().map(|&i| Cell::at(i)).collect::<Vec<Cell>>();
    let diagonals = [0, 1].map(|turned| {
        let column = |row| if turned == 1 { 8 - row } else { row };
        cells(&(0..9).map(|row| 9 * row + column(row)).collect::<Vec<_>>())
    });
    let across = Arc::new(Layout::boxed(3, 3, &diagonals));
    check(&across, &rules, 0..if long() { 100 } else { 10 }, true);
    let ring = Arc::new(Layout::boxed(2, 3, &[cells(&[0, 7, 14, 21, 28, 35])]));
    check(&ring, &rules, 0..if long() { 300 } else { 20 }, true);
}

#[test]
fn all_bundled_rules() {
    let rules = everything();
    check(&layout(4), &rules, 0..if long() { 100 } else { 10 }, true);
    check(&layout(9), &rules, 0..if long() { 20 } else { 0 }, false);
}

/// What a derivation rests on is the same whether tables are filled or goals are asked one by one.
#[test]
fn derivations() {
    let own = r#"
rule links "The links of a ring, one by one" {
    level 67.
    eliminate(common_peers({C, E}), D) :-
        ring(A, X, B, Y), A <= B, weak(C, D, E, D) in trace ring(A, X, B, Y), aic(E, D, C, D).
}
"#;
    let sources =
        vec![bundled::helpers(), bundled::standard(), bundled::extended(), bundled::advanced()];
    let names = ["naked_single", "hidden_single", "continuous_loop", "links"];
    let rules = rules(sources, own).keep(|rule, _| names.contains(&rule.name.as_str()));
    check(&layout(4), &rules, 0..if long() { 200 } else { 20 }, true);
    check(&layout(6), &rules, 0..if long() { 50 } else { 4 }, true);
    check(&layout(9), &rules, 0..if long() { 10 } else { 0 }, true);
}

/// The same rule under another name and in other words has the same plans, so the same speed.
#[test]
fn copies_have_the_same_plans() {
    let text = r#"
rule my_own(K in 2..4) "Mine" {
    level 80 + K.
    eliminate(Group \ Some, candidates(Some)) :-
        |candidates(Some)| <= K, Some in choose(K, Group & unsolved), Group in houses.
}
rule my_line "Mine too" {
    level 90.
    eliminate(Rest, X) :- Rest = Q \ P, spots(X, P) within Q, Q in lines, P in boxes.
}
"#;
    let rules = rules(vec![bundled::helpers(), bundled::standard()], text);
    for size in [4, 6, 9, 16] {
        let engine = Engine::assuming_unique(&rules, &layout(size));
        let plan = |name: &str| {
            let place = rules.instances().iter().position(|instance| instance.name == name);
            &engine.plans()[place.unwrap_or_else(|| panic!("no {name}"))]
        };
        for n in 2..=4 {
            assert_eq!(plan(&format!("my_own:{n}")), plan(&format!("naked_subset:{n}")));
            assert_eq!(plan(&format!("my_own:{n}")).back_end(), "Hall operator");
        }
        assert_eq!(plan("my_line"), plan("pointing"));
        assert_eq!(plan("my_line").back_end(), "plane program");
    }
}

/// The number of inferences says what a Prolog would do, not what was done.
#[test]
fn inferences_do_not_depend_on_the_back_end() {
    let own = r#"
grown(S, H) :- H in houses, S in choose(2, unsolved & H).
grown(S, H) :- grown(T, H), C in unsolved & H, S = T + {C}.
rule without_a_plan "Sets" { level 90. eliminate(H \ S, D) :- grown(S, H), candidates(S) within {D}. }
"#;
    let rules = rules(vec![bundled::helpers(), bundled::standard()], own);
    let mut all = 0;
    for number in 0..10 {
        let layout = layout(4);
        let start = Grid::from_givens(layout.clone(), &puzzle(&layout, number)).expect("no clash");
        let counted = |back_ends| {
            let options = Options { back_ends, assume_unique: true, ..Options::default() };
            let mut worker =
                Engine::with(&rules, &layout, options).expect("uniqueness is assumed").worker();
            worker.count_inferences(true);
            let mut grid = start.clone();
            (worker.fixpoint(&mut grid), worker.trace(&mut start.clone()).0.inferences, grid)
        };
        let expected = counted(BackEnds::Naive);
        all += expected.0.inferences.expect("asked for");
        for back_ends in BACK_ENDS {
            assert!(counted(back_ends) == expected, "{back_ends:?}, puzzle {number}");
        }
    }
    assert!(all > 1000);
}

/// What passes are recorded to have changed leads to the end, contradictory or not.
#[test]
fn recorded_passes_lead_to_the_end() {
    let (rules, layout) = (everything(), layout(9));
    let rules = rules.keep(|rule, _| rule.origin == Origin::Standard || rule.name == "xy_wing");
    let mut worker = Engine::assuming_unique(&rules, &layout).worker();
    let (mut record, mut digits, mut contradictory) = (Vec::new(), [0; 81], 0);
    for number in 0..if long() { 2000 } else { 200 } {
        let givens = puzzle(&layout, number);
        let outcome = worker.record_digits(&givens, &mut digits, &mut record).expect("no clash");
        let mut grid = Grid::from_givens(layout.clone(), &givens).expect("no clash");
        let mut end = grid.clone();
        assert_eq!(worker.fixpoint(&mut end).outcome, outcome);
        assert_eq!(worker.firings().iter().sum::<u64>(), record.len() as u64);
        for Recorded { candidates, effect, .. } in &record {
            assert_eq!(grid.hole(), None, "puzzle {number}");
            let mut changes = Changes::default();
            for digit in layout.digits() {
                let cells = candidates.cells(digit);
                let places = || cells.iter().map(|cell| Candidate { cell, digit });
                match effect {
                    Effect::Place => changes.places.extend(places()),
                    Effect::Eliminate => changes.eliminates.push(cells),
                }
            }
            assert!(changes.apply(&mut grid));
        }
        assert!(grid == end, "puzzle {number}\n{grid:?}\n{end:?}");
        if let Outcome::Contradiction { hole, step, .. } = outcome {
            assert_eq!((hole, step), (grid.hole(), record.len()));
            contradictory += 1;
        }
    }
    assert!(contradictory > 10);
}

/// Pencil marks as people leave them: placed digits still stand in cells that see them, or twice.
#[test]
fn untidy_states() {
    let rules = standard_and_fish();
    for (size, count) in [(4, 60), (6, 30), (9, if long() { 500 } else { 20 })] {
        let layout = layout(size);
        let mut naive = Naive::new(&rules);
        let mut workers = workers(&rules, &layout);
        for number in 0..count {
            let mut random = Random::for_item(22, number);
            let mut planes = vec![Cells::EMPTY; size];
            let mut placed = Cells::EMPTY;
            for (cell, digit) in layout.all_cells().iter().zip(solution(&layout, number)) {
                planes[digit as usize - 1].insert(cell);
                if random.below(3) == 0 {
                    placed.insert(cell);
                } else {
                    planes.iter_mut().filter(|_| random.below(3) == 0).for_each(|p| p.insert(cell));
                }
            }
            let start = Grid::from_parts(layout.clone(), planes, placed, placed);
            let mut expected = start.clone();
            let report = naive.fixpoint(&mut expected);
            let trace = (size < 9).then(|| naive.trace(&mut start.clone()));
            for (back_ends, worker) in &mut workers {
                let mut found = start.clone();
                assert_eq!(worker.fixpoint(&mut found), report, "{size} {number} {back_ends:?}");
                assert!(found == expected, "{size} {number} {back_ends:?}\n{found:?}");
                if let Some(trace) = &trace {
                    assert_eq!(&worker.trace(&mut start.clone()), trace, "{back_ends:?}");
                }
            }
        }
    }
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

/// Fish and chains where people look for them: on 9×9 boards where the standard rules are stuck,
/// every match with all its bindings.
#[test]
fn fish_and_chains_on_nine() {
    let layout = layout(9);
    let everything = everything();
    let standard = everything.keep(|rule, _| rule.origin == Origin::Standard);
    let looked_for = ["fish", "finned_fish", "aic", "x_chain", "xy_chain", "colour_trap"];
    let rules = everything.keep(|rule, instance| {
        looked_for.contains(&rule.name.as_str()) && instance.parameter.is_none_or(|n| n <= 3)
    });
    let mut start = Engine::assuming_unique(&standard, &layout).worker();
    let mut naive = Naive::new(&rules);
    let mut workers = workers(&rules, &layout);
    let (mut boards, mut found) = (0, vec![0; rules.instances().len()]);
    for number in 0.. {
        let mut grid =
            Grid::from_givens(layout.clone(), &puzzle(&layout, number)).expect("no clash");
        let is_open = |grid: &Grid| (20..46).contains(&grid.unsolved().len());
        if start.fixpoint(&mut grid).outcome != Outcome::Stuck || !is_open(&grid) {
            continue;
        }
        for (instance, found) in found.iter_mut().enumerate() {
            let expected = naive.matches(instance, &grid);
            *found += expected.len();
            for (back_ends, worker) in &mut workers {
                let name = &rules.instances()[instance].name;
                assert!(
                    worker.matches(instance, &grid) == expected,
                    "{number} {name} {back_ends:?}"
                );
            }
        }
        boards += 1;
        if boards == if long() { 100 } else { 4 } {
            break;
        }
    }
    let unseen = found.iter().filter(|&&found| found == 0).count();
    assert!(unseen <= 1, "matches by instance: {found:?}");
}

/// Rules that nobody would write, with arithmetic, `not`, `forall` and helpers that call helpers:
/// the same states and steps to the end.
#[test]
fn mixed_rules() {
    let text = r#"
pair(A, B, D) :- H in houses, D in digits, spots(D, H) within {A, B}, A < B, live(A, D), live(B, D).
paired(A, D) :- pair(A, _, D).
crowd(H, N) :- H in houses, N = |unsolved & H| * 2 - |missing(H)| + 1.
linked(A, B) :- pair(A, B, _).
linked(A, C) :- linked(A, B), linked(B, C), not sees(A, C).
rule counted "Counting" {
    level 101.
    eliminate(T, D) :- pair(A, B, D), T in common_peers({A, B}), |candidates(T)| * 2 - 1 > |candidates(A)| + 2.
}
rule all_of(N in 1..3) "For all" {
    level 110 + N.
    eliminate(H \ Cs, D) :- H in boxes, D in missing(H), Cs = spots(D, H) & unsolved, |Cs| = N + 1,
        forall C in Cs : (|candidates(C)| <= N + 1, not given(C)), not |Cs| > 3.
}
rule without_link "Not" {
    level 120.
    eliminate(T, D) :- pair(A, B, D), pair(B, C, D), A != C, not linked(A, C), not sees(A, B),
        T in peers(A) & peers(C) & unsolved, forall K in candidates(T) \ {D} : (not live(B, K)).
}
rule sums "Sums of sizes" {
    level 130.
    eliminate(C, D) :- crowd(H, N), N >= 3 * 2, C in unsolved & H, D in candidates(C),
        |spots(D, H)| + |candidates(C)| <= N - 1 - 1, not paired(C, D).
}
"#;
    let own = rules(vec![bundled::helpers(), bundled::standard()], text);
    check(&layout(4), &own, 0..if long() { 300 } else { 40 }, true);
    check(&layout(6), &own, 0..if long() { 100 } else { 10 }, true);
    check(&layout(9), &own, 0..if long() { 50 } else { 3 }, false);
}
