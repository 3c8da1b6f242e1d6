//! What a fruitless pass of each technique costs on boards where the standard rules are stuck.
//!
//! ```text
//! cargo bench --bench techniques -- LIST [COUNT]
//! ```
//!
//! LIST has one 9 × 9 puzzle a line. For each instance: its time with the state loaded and all
//! helpers made for it alone, and then all extended techniques together, helpers shared. The
//! least of several rounds.

use std::sync::Arc;
use std::time::Instant;

use dokulog::board::{Candidate, Digit, Grid, Layout};
use dokulog::engine::join::{Effects, Joins};
use dokulog::language::{Origin, RuleSet, bundled, load};

const ROUNDS: usize = 15;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let Some(list) = arguments.first() else {
        eprintln!("usage: cargo bench --bench techniques -- LIST [COUNT]");
        return;
    };
    let count = arguments.get(1).and_then(|count| count.parse().ok()).unwrap_or(100);
    let text = std::fs::read_to_string(list).expect("the list can be read");
    let mut sources = bundled::helpers();
    sources.extend(bundled::standard());
    sources.extend(bundled::extended());
    let rules = Arc::new(load(sources).0.expect("the bundled rules are right"));
    let boards = stuck_boards(&rules, &text, count);
    println!("{} stuck boards", boards.len());
    let nine = Layout::classic(9).expect("9 is a classic size");
    let mut joins = Joins::new(rules.clone(), nine);
    for i in 0..rules.instances().len() {
        let time = least(|| pass(&rules, &mut joins, &boards, &[i]));
        println!("{:24} {time:10.2} us", rules.instances()[i].name);
    }
    let costly = |name: &str| name.starts_with("finned_fish") || name.starts_with("aic");
    let together: Vec<usize> = (0..rules.instances().len())
        .filter(|&i| {
            let instance = &rules.instances()[i];
            rules.rule(instance.rule).origin == Origin::Extended && !costly(&instance.name)
        })
        .collect();
    let time = least(|| pass(&rules, &mut joins, &boards, &together));
    println!("all extended but finned fish and aic: {time:.1} us");
}

fn least(mut run: impl FnMut() -> f64) -> f64 {
    (0..ROUNDS).map(|_| run()).fold(f64::MAX, f64::min)
}

/// Microseconds a board.
fn pass(rules: &RuleSet, joins: &mut Joins, boards: &[Grid], instances: &[usize]) -> f64 {
    let start = Instant::now();
    for board in boards {
        joins.load(board);
        for &i in instances {
            let mut effects = Effects::default();
            for clause in 0..rules.rule(rules.instances()[i].rule).clauses.len() {
                joins.effects(i, clause, &mut effects);
            }
        }
    }
    start.elapsed().as_secs_f64() * 1e6 / boards.len().max(1) as f64
}

/// Boards of a list after the standard rules, those that are not solved.
fn stuck_boards(rules: &RuleSet, text: &str, count: usize) -> Vec<Grid> {
    let nine = Layout::classic(9).expect("9 is a classic size");
    let standard = Arc::new(rules.keep(|rule, _| rule.origin == Origin::Standard));
    let mut joins = Joins::new(standard.clone(), nine.clone());
    let mut boards = Vec::new();
    for line in text.lines().filter(|line| line.len() >= 81) {
        let digits: Vec<u8> =
            line.bytes().take(81).map(|b| if b.is_ascii_digit() { b - b'0' } else { 0 }).collect();
        let Ok(mut grid) = Grid::from_givens(nine.clone(), &digits) else { continue };
        while step(&standard, &mut joins, &mut grid) {}
        if !grid.is_solved() && grid.hole().is_none() {
            boards.push(grid);
        }
        if boards.len() == count {
            break;
        }
    }
    boards
}

/// Fires the easiest rule that changes something; whether there was one.
fn step(rules: &RuleSet, joins: &mut Joins, grid: &mut Grid) -> bool {
    joins.load(grid);
    (0..rules.instances().len()).any(|i| {
        let mut effects = Effects::default();
        for clause in 0..rules.rule(rules.instances()[i].rule).clauses.len() {
            joins.effects(i, clause, &mut effects);
        }
        for &place in effects.places.iter() {
            if grid.is_possible(place) {
                grid.place(place);
            }
        }
        for (d, cells) in effects.eliminates.iter().enumerate() {
            for cell in cells {
                grid.eliminate(Candidate { cell, digit: Digit::at(d) });
            }
        }
        effects.firings > 0
    })
}
