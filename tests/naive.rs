//! The bundled rules on generated puzzles, run by the naive evaluator: no rule ever takes away a
//! digit of the solution, shuffled orders reach the same end, and every rule fires somewhere.
//!
//! A few puzzles by default, 200 with `DOKULOG_LONG_TESTS=1`.

use std::collections::BTreeSet;
use std::sync::Mutex;

use dokulog::board::{Cell, Digit, Grid, Layout};
use dokulog::engine::{Deducer, Naive, Unfit};
use dokulog::generate::{Maker, Symmetry};
use dokulog::language::{Origin, RuleSet, bundled};
use dokulog::proof::trial::{disorder, follow};
use dokulog::random::Random;
use dokulog::search::nine::Enumerator;
use dokulog::trace::Match;
use rayon::prelude::*;

const SEED: u64 = 7;

/// The minimal puzzle with this number, and its solution.
fn puzzle(number: u64) -> (Grid, Vec<u8>) {
    let layout = Layout::classic(9).expect("9 is a classic size");
    let (symmetry, clues, solution) = (Symmetry::None, None, None);
    let maker = Maker { seed: SEED, symmetry, clues, solution, add: false, attempts: 1 };
    let solver = |digits: &[u8]| Enumerator::of_digits(digits.try_into().expect("81 cells"));
    let unique = &mut |digits: &[u8]| solver(digits).count_up_to(2) == 1;
    let digits = maker.puzzle(&layout, number, unique).expect("any will do");
    let mut solver = solver(&digits);
    assert!(solver.advance());
    let grid = Grid::from_givens(layout, &digits).expect("puzzles have no clashes");
    (grid, solver.digits().to_vec())
}

fn count(usual: u64) -> u64 {
    if std::env::var_os("DOKULOG_LONG_TESTS").is_some() { 200 } else { usual }
}

/// All but those that suppose (`suppose` has them, on smaller boards) and those that are for other
/// layouts (`layouts` has them).
fn patterns() -> RuleSet {
    let rules = bundled::rules();
    let nine = Layout::classic(9).expect("9 is a classic size");
    rules.keep(|rule, instance| {
        rule.origin != Origin::Forcing && Unfit::find(&rules, instance, &nine).is_none()
    })
}

fn standard() -> RuleSet {
    bundled::rules().keep(|rule, _| rule.origin == Origin::Standard)
}

/// Follows the rules on a puzzle; the names of those that fired.
fn fired(rules: &RuleSet, number: u64) -> BTreeSet<String> {
    let (grid, solution) = puzzle(number);
    let finish = follow(rules, &grid, &solution).unwrap_or_else(|mistake| {
        let name = &rules.instances()[mistake.found.instance].name;
        panic!("puzzle {number}: {name} loses {:?} in\n{:?}", mistake.lost, mistake.before)
    });
    let counted = rules.instances().iter().zip(&finish.firings);
    counted.filter(|(_, n)| **n > 0).map(|(instance, _)| instance.name.clone()).collect()
}

#[test]
fn no_rule_takes_away_a_digit_of_the_solution() {
    let rules = patterns();
    let all: Vec<BTreeSet<String>> =
        (0..count(20)).into_par_iter().map(|number| fired(&rules, number)).collect();
    let seen: BTreeSet<&String> = all.iter().flatten().collect();
    let silent = rules.instances().iter().filter(|instance| !seen.contains(&instance.name));
    let silent: Vec<&str> = silent.map(|instance| instance.name.as_str()).collect();
    eprintln!("{} puzzles; not needed: {}", all.len(), silent.join(", "));
}

/// Rules so rare that only their pages in `tests/rules` show them.
const RARE: [&str; 6] = [
    "unique_rectangle_6",
    "unique_rectangle_3:1",
    "avoidable_rectangle_1",
    "avoidable_rectangle_2",
    "triple_firework",
    "wide_sue_de_coq",
];

/// Each rule, on the puzzles as given and on the states that singles leave, has a match somewhere,
/// and all of these keep the solution. BUG + 1 only arises late: it has a run of its own.
#[test]
fn every_rule_fires_somewhere() {
    let rules = patterns();
    let singles = standard().keep(|rule, _| rule.name.ends_with("single"));
    let silent: Mutex<BTreeSet<usize>> = Mutex::new((0..rules.instances().len()).collect());
    (0..count(30)).into_par_iter().for_each(|number| {
        let (start, solution) = puzzle(number);
        let mut stuck = start.clone();
        Naive::new(&singles).fixpoint(&mut stuck);
        for instance in 0..rules.instances().len() {
            if !silent.lock().expect("no test panicked").contains(&instance) {
                continue;
            }
            let only = Naive::new(&rules.in_order(&[instance]));
            for state in [&start, &stuck] {
                let found = only.easiest(state);
                for m in &found {
                    let name = &rules.instances()[instance].name;
                    assert!(keeps(m, state, &solution), "puzzle {number}: {name}");
                }
                if !found.is_empty() {
                    silent.lock().expect("no test panicked").remove(&instance);
                }
            }
        }
    });
    let without_chains = rules.keep(|rule, i| i.level < 49 || rule.name == "bug_plus_one");
    let late = fired(&without_chains, 1);
    let silent = silent.into_inner().expect("no test panicked");
    let names = silent.iter().map(|&i| rules.instances()[i].name.as_str());
    let names = names.filter(|name| !late.contains(*name) && !RARE.contains(name));
    let names: Vec<&str> = names.collect();
    assert!(names.is_empty(), "never fired: {}", names.join(", "));
}

fn keeps(found: &Match, state: &Grid, solution: &[u8]) -> bool {
    let mut after = state.clone();
    found.conclusion.apply(&mut after);
    solution.iter().enumerate().all(|(cell, &number)| {
        after.plane(Digit::new(usize::from(number))).contains(Cell::at(cell))
    })
}

#[test]
fn shuffled_orders_reach_the_same_end() {
    let check = |rules: &RuleSet, number: u64| {
        let (grid, solution) = puzzle(number);
        let finish = follow(rules, &grid, &solution).expect("no rule makes a mistake");
        let mut random = Random::for_item(SEED, number);
        let order = disorder(rules, &grid, &finish.end, 2, &mut random);
        assert_eq!(order, None, "puzzle {number} ends otherwise in this order");
    };
    (0..count(20)).into_par_iter().for_each(|number| check(&standard(), number));
    (0..count(3)).into_par_iter().for_each(|number| check(&patterns(), number));
}
