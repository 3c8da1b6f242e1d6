//! Why no puzzle needs a rule: easier rules leave it nothing to do. Found by leaving them out.

use std::sync::Arc;

use crate::board::{Grid, Layout};
use crate::engine::Deducer;
use crate::language::RuleSet;

use super::puzzle::{Maker, Symmetry};
use super::wanted::{Wanted, has_one_solution};

/// Puzzles that are looked at.
const PUZZLES: u64 = 60;

/// The easier rules without which the rule required fires on some puzzle, and with which on none;
/// nothing if it fires anyway, or never.
pub(super) fn by(wanted: &Wanted, layout: &Arc<Layout>, seed: u64) -> Vec<String> {
    let Some(rules) = &wanted.rules else { return Vec::new() };
    let is_required = |rules: &RuleSet, i: usize| wanted.requires(&rules.instances()[i]);
    let first = (0..rules.instances().len()).find(|&i| is_required(rules, i));
    let Some(first) = first else { return Vec::new() };
    let puzzles = puzzles(layout, seed);
    let fires_without = |gone: &[String]| {
        let kept =
            rules.keep(|_, instance| wanted.requires(instance) || !gone.contains(&instance.name));
        let mine: Vec<usize> =
            (0..kept.instances().len()).filter(|&i| is_required(&kept, i)).collect();
        let mut worker = wanted.worker(&kept, layout);
        puzzles.iter().any(|grid| {
            let report = worker.fixpoint(&mut grid.clone());
            mine.iter().any(|&i| report.firings[i] > 0)
        })
    };
    let mut gone = Vec::new();
    if fires_without(&gone) {
        return gone;
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
        return Vec::new();
    }
    for name in gone.clone() {
        let fewer: Vec<String> = gone.iter().filter(|other| **other != name).cloned().collect();
        if fires_without(&fewer) {
            gone = fewer;
        }
    }
    gone.reverse();
    gone
}

/// Minimal puzzles.
fn puzzles(layout: &Arc<Layout>, seed: u64) -> Vec<Grid> {
    let (symmetry, clues, solution) = (Symmetry::None, None, None);
    let maker = Maker { seed, symmetry, clues, solution, add: false, attempts: 1 };
    let unique = &mut |puzzle: &[u8]| has_one_solution(layout, puzzle);
    let digits = (0..PUZZLES).filter_map(|n| maker.puzzle(layout, n, unique));
    digits.filter_map(|digits| Grid::from_givens(layout.clone(), &digits).ok()).collect()
}
