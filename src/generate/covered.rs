//! Why no puzzle needs a rule: easier rules leave it nothing to do, which is found by leaving them
//! out, or the others do without it.

use std::sync::Arc;

use crate::board::{Grid, Layout};
use crate::engine::{Deducer, Worker};
use crate::language::RuleSet;
use crate::trace::Outcome;

use super::puzzle::{Maker, Symmetry};
use super::wanted::{Wanted, has_one_solution};

/// Puzzles that are looked at.
const PUZZLES: u64 = 60;

/// Why a rule is not needed.
pub(super) enum Covered {
    /// Nothing shows why.
    Unknown,
    /// It fires on some puzzle without these easier rules, and with them on none.
    By(Vec<String>),
    /// It fires on so many of the puzzles looked at, and none of them is solved only with it.
    Spared(usize),
}

/// Why no puzzle needs the rule required.
pub(super) fn by(wanted: &Wanted, layout: &Arc<Layout>, seed: u64) -> Covered {
    let Some(rules) = &wanted.rules else { return Covered::Unknown };
    let is_required = |rules: &RuleSet, i: usize| wanted.requires(&rules.instances()[i]);
    let first = (0..rules.instances().len()).find(|&i| is_required(rules, i));
    let Some(first) = first else { return Covered::Unknown };
    let puzzles = puzzles(layout, seed);
    let fires_on = |gone: &[String]| {
        let kept =
            rules.keep(|_, instance| wanted.requires(instance) || !gone.contains(&instance.name));
        let mine: Vec<usize> =
            (0..kept.instances().len()).filter(|&i| is_required(&kept, i)).collect();
        let mut worker = wanted.worker(&kept, layout);
        let mut fires = move |grid: &&Grid| {
            let report = worker.fixpoint(&mut (*grid).clone());
            mine.iter().any(|&i| report.firings[i] > 0)
        };
        puzzles.iter().filter(move |grid| fires(grid))
    };
    let fires_without = |gone: &[String]| fires_on(gone).next().is_some();
    let mut gone = Vec::new();
    if fires_without(&gone) {
        let solves = |worker: &mut Worker, grid: &Grid| {
            worker.fixpoint(&mut grid.clone()).outcome == Outcome::Solved
        };
        let mut all = wanted.worker(rules, layout);
        let mut others = wanted.worker(&rules.keep(|_, i| !wanted.requires(i)), layout);
        let needs = |grid: &Grid| solves(&mut all, grid) && !solves(&mut others, grid);
        return match fires_on(&gone).any(needs) {
            true => Covered::Unknown,
            false => Covered::Spared(fires_on(&gone).count()),
        };
    }
    // The hardest go first, as far as needed; then those come back that do not matter.
    let easier = rules.instances()[..first].iter().rev().map(|instance| instance.name.clone());
    let mut fires = false;
    for name in easier {
        gone.push(name);
        fires = fires_without(&gone);
        if fires {
            break;
        }
    }
    if !fires {
        return Covered::Unknown;
    }
    for name in gone.clone() {
        let fewer: Vec<String> = gone.iter().filter(|other| **other != name).cloned().collect();
        if fires_without(&fewer) {
            gone = fewer;
        }
    }
    gone.reverse();
    Covered::By(gone)
}

/// Minimal puzzles.
fn puzzles(layout: &Arc<Layout>, seed: u64) -> Vec<Grid> {
    let (symmetry, clues, solution) = (Symmetry::None, None, None);
    let maker = Maker { seed, symmetry, clues, solution, add: false, attempts: 1 };
    let unique = &mut |puzzle: &[u8]| has_one_solution(layout, puzzle);
    let digits = (0..PUZZLES).filter_map(|n| maker.puzzle(layout, n, unique));
    digits.filter_map(|digits| Grid::from_givens(layout.clone(), &digits).ok()).collect()
}
