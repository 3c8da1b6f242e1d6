//! Laws that every run obeys: nothing comes back, no solution is lost, names and directions mean
//! nothing, and the order of firing does not change the end.

mod support;

use std::sync::Arc;

use dokulog::board::{Grid, Layout};
use dokulog::engine::{Deducer, Engine, gaps};
use dokulog::language::RuleSet;
use dokulog::random::Random;
use dokulog::trace::Match;
use support::{everything, layout, long, puzzle, solution, standard_and_fish};

/// A puzzle with a solution, by number.
fn solvable(layout: &Arc<Layout>, number: u64) -> Grid {
    // Every fifth is spoilt.
    let number = number / 4 * 5 + number % 4;
    Grid::from_givens(layout.clone(), &puzzle(layout, number)).expect("no clash")
}

fn within(smaller: &Grid, larger: &Grid) -> bool {
    smaller.planes().iter().zip(larger.planes()).all(|(a, b)| a.within(b))
}

#[test]
fn steps_only_take_away_and_keep_the_solution() {
    let sound = everything().keep(|rule, _| !rule.assumes_unique);
    for (size, count, rules) in
        [(4, 40, &sound), (6, 10, &sound), (9, if long() { 200 } else { 20 }, &standard_and_fish())]
    {
        let layout = layout(size);
        let mut worker = Engine::assuming_unique(rules, &layout).worker();
        for number in 0..count {
            let mut grid = solvable(&layout, number);
            let full = solution(&layout, number / 4 * 5 + number % 4);
            let (_, trace) = worker.trace(&mut grid.clone());
            for step in trace {
                let before = grid.clone();
                assert!(step.conclusion.apply(&mut grid), "a step without an effect");
                assert!(within(&grid, &before));
                for (cell, &number) in layout.all_cells().iter().zip(&full) {
                    let digits = grid.candidates(cell);
                    let kept = digits.iter().any(|digit| digit.number() == number as usize);
                    assert!(kept, "{step:?} loses the solution");
                }
            }
        }
    }
}

/// What is possible with fewer candidates is possible with more.
#[test]
fn taking_away_first_never_adds() {
    let layout = layout(9);
    let mut worker = Engine::assuming_unique(&standard_and_fish(), &layout).worker();
    for number in 0..if long() { 300 } else { 40 } {
        let start = solvable(&layout, number);
        let mut random = Random::for_item(7, number);
        let full = solution(&layout, number / 4 * 5 + number % 4);
        let mut fewer = start.clone();
        for cell in start.unsolved() {
            for digit in start.candidates(cell) {
                if digit.number() != full[cell.index()] as usize && random.below(8) == 0 {
                    fewer.eliminate(dokulog::board::Candidate { cell, digit });
                }
            }
        }
        let mut more = start;
        worker.fixpoint(&mut fewer);
        worker.fixpoint(&mut more);
        assert!(within(&fewer, &more), "puzzle {number}");
    }
}

#[test]
fn relabelling_and_transposing_commute_with_solving() {
    for size in [4, 9] {
        let layout = layout(size);
        let mut worker = Engine::assuming_unique(&standard_and_fish(), &layout).worker();
        for number in 0..if long() { 5000 } else { 60 } {
            let givens = puzzle(&layout, number);
            let mut random = Random::for_item(8, number);
            let mut labels: Vec<u8> = (1..=size as u8).collect();
            random.shuffle(&mut labels);
            let relabelled: Vec<u8> =
                givens.iter().map(|&n| if n == 0 { 0 } else { labels[n as usize - 1] }).collect();
            let turn = |cell: usize| cell % size * size + cell / size;
            let transposed: Vec<u8> = (0..givens.len()).map(|c| givens[turn(c)]).collect();
            let mut end = |givens: &[u8]| {
                let mut grid = Grid::from_givens(layout.clone(), givens).expect("no clash");
                worker.fixpoint(&mut grid);
                grid
            };
            let plain = end(&givens);
            if plain.hole().is_some() {
                continue;
            }
            let (named, turned) = (end(&relabelled), end(&transposed));
            for cell in layout.all_cells() {
                let there = dokulog::board::Cell::at(turn(cell.index()));
                assert_eq!(turned.candidates(there), plain.candidates(cell));
                for digit in layout.digits() {
                    let label = dokulog::board::Digit::new(labels[digit.index()] as usize);
                    assert_eq!(
                        named.candidates(cell).contains(label),
                        plain.candidates(cell).contains(digit)
                    );
                }
            }
        }
    }
}

/// Fires random matches of random instances until there are none.
fn in_random_order(rules: &RuleSet, grid: &mut Grid, random: &mut Random) {
    let mut worker = Engine::assuming_unique(rules, grid.layout()).worker();
    let mut order: Vec<usize> = (0..rules.instances().len()).collect();
    while grid.hole().is_none() {
        random.shuffle(&mut order);
        let found = order.iter().find_map(|&instance| {
            let mut matches: Vec<Match> = worker.matches(instance, grid);
            matches.retain(|found| !found.conclusion.is_empty());
            (!matches.is_empty()).then(|| random.pick(&matches).conclusion.clone())
        });
        let Some(conclusion) = found else { break };
        conclusion.apply(grid);
    }
}

#[test]
fn the_order_does_not_change_the_end() {
    let rules = standard_and_fish();
    for (size, count) in [(4, 40), (6, 12), (9, if long() { 2000 } else { 3 })] {
        let layout = layout(size);
        let mut worker = Engine::assuming_unique(&rules, &layout).worker();
        for number in 0..count {
            let start = solvable(&layout, number);
            let mut expected = start.clone();
            worker.fixpoint(&mut expected);
            let mut found = start;
            in_random_order(&rules, &mut found, &mut Random::for_item(9, number));
            assert!(found == expected, "{size}×{size}, puzzle {number}\n{found:?}\n{expected:?}");
        }
    }
}

#[test]
fn triples_without_pairs_are_a_gap() {
    let layout = layout(9);
    let all = standard_and_fish();
    assert_eq!(gaps(&all, &layout), []);
    let gapped = all.keep(|_, instance| instance.name != "naked_subset:2");
    let sentences: Vec<String> =
        gaps(&gapped, &layout).iter().map(|gap| gap.sentence(&gapped)).collect();
    assert_eq!(
        sentences,
        [
            "naked_subset:3 without size 2: the result may depend on the order of the rules",
            "naked_subset:4 without size 2: the result may depend on the order of the rules",
        ]
    );
}
