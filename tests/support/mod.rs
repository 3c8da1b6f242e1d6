//! What the tests of the engine share: rule sets, and puzzles of every kind from a seed.

// Each test program uses some of this.
#![allow(dead_code)]

use std::sync::Arc;

use dokulog::board::{Grid, Layout};
use dokulog::generate::{Symmetry, full_grid, remove_until_minimal};
use dokulog::language::{self, Origin, RuleSet, Source, bundled};
use dokulog::random::Random;
use dokulog::search::has_one_solution;

/// The layout of a size.
pub fn layout(size: usize) -> Arc<Layout> {
    Layout::classic(size).expect("a classic size")
}

/// Bundled rule files, and some text.
pub fn rules(bundled: Vec<Vec<(Origin, Source)>>, text: &str) -> RuleSet {
    let mut sources = bundled.concat();
    if !text.is_empty() {
        let text = text.to_string();
        sources.push((Origin::User, Source { name: "test.rules".to_string(), text }));
    }
    let (rules, diagnostics) = language::load(sources);
    rules.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

/// The standard rules and those that people add to them, without chains.
pub fn standard_and_fish() -> RuleSet {
    everything().keep(|rule, _| rule.origin == Origin::Standard || rule.name == "fish")
}

/// All bundled rules.
pub fn everything() -> RuleSet {
    rules(vec![bundled::helpers(), bundled::standard(), bundled::extended()], "")
}

/// Whether the long runs are wanted.
pub fn long() -> bool {
    std::env::var_os("DOKULOG_LONG_TESTS").is_some_and(|value| value == "1")
}

/// The full grid that puzzle `number` is made from.
pub fn solution(layout: &Arc<Layout>, number: u64) -> Vec<u8> {
    full_grid(layout, &mut Random::for_item(20, number))
}

/// A puzzle of its own for each number: easy and hard, minimal or not, with one solution, many or
/// none.
pub fn puzzle(layout: &Arc<Layout>, number: u64) -> Vec<u8> {
    let mut random = Random::for_item(20, number);
    let mut puzzle = full_grid(layout, &mut random);
    if number % 3 == 1 && layout.is_classic_nine() {
        let grid = |givens: &[u8]| Grid::from_givens(layout.clone(), givens).expect("no clash");
        let is_unique = &mut |givens: &[u8]| has_one_solution(&grid(givens));
        let enough = [0, 26, 30][number as usize / 3 % 3];
        let symmetry = Symmetry::None;
        return remove_until_minimal(layout, &puzzle, symmetry, enough, &mut random, is_unique);
    }
    let cells = puzzle.len();
    let density = [25, 32, 38, 45, 52, 60][number as usize % 6];
    let clues = cells * density / 100;
    let mut order: Vec<usize> = (0..cells).collect();
    random.shuffle(&mut order);
    for &cell in &order[clues..] {
        puzzle[cell] = 0;
    }
    if number % 5 == 4 {
        spoil(layout, &mut puzzle, &mut random);
    }
    puzzle
}

/// Puts digits into some cells by chance, where they do not clash: seldom is there a solution.
fn spoil(layout: &Arc<Layout>, puzzle: &mut [u8], random: &mut Random) {
    for _ in 0..layout.size() {
        let (cell, digit) = (random.below(puzzle.len()), 1 + random.below(layout.size()) as u8);
        let before = std::mem::replace(&mut puzzle[cell], digit);
        if Grid::from_givens(layout.clone(), puzzle).is_err() {
            puzzle[cell] = before;
        }
    }
}
