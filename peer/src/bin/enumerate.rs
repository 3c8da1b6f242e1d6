//! Time to find up to two solutions, against the crate `sudoku`, list by list.
//!
//! ```text
//! cargo run --release -p peer --bin enumerate -- [--rounds N] [--take N] LIST...
//! ```
//!
//! Both run in the same process and take turns; the shortest round of each counts.

use dokulog::search::nine::Enumerator;
use peer::{race, read_list};
use sudoku::Sudoku;

fn main() {
    let (mut rounds, mut take) = (7, usize::MAX);
    let mut arguments = std::env::args().skip(1);
    println!(
        "{:>9} {:>9} {:>6} {:>9} {:>7}  list",
        "ours µs", "crate µs", "ratio", "guesses", "puzzles"
    );
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|n| n.parse().ok()).expect("a number");
        match argument.as_str() {
            "--rounds" => rounds = number(),
            "--take" => take = number(),
            list => measure(list, rounds, take),
        }
    }
}

fn measure(list: &str, rounds: usize, take: usize) {
    let mut puzzles = read_list(list);
    puzzles.truncate(take);
    let theirs: Vec<Sudoku> =
        puzzles.iter().map(|p| Sudoku::from_bytes(*p).expect("digits")).collect();
    let mut enumerator = Enumerator::of_digits(&[0; 81]);
    let mut guesses = 0;
    for (puzzle, theirs) in puzzles.iter().zip(&theirs) {
        enumerator.start_digits(puzzle);
        assert_eq!(enumerator.count_up_to(2), theirs.solutions_count_up_to(2), "{puzzle:?}");
        guesses += enumerator.counters().guesses;
    }
    let mut total = 0;
    let [ours, crates] = race(puzzles.len(), rounds, |program, chunk| match program {
        0 => {
            for puzzle in &puzzles[chunk] {
                enumerator.start_digits(puzzle);
                total += enumerator.count_up_to(2);
            }
        }
        _ => {
            for puzzle in &theirs[chunk] {
                total += puzzle.solutions_count_up_to(2);
            }
        }
    });
    assert!(total > 0);
    let each = |time: std::time::Duration| time.as_secs_f64() * 1e6 / puzzles.len() as f64;
    println!(
        "{:9.3} {:9.3} {:6.2} {:9.2} {:7}  {list}",
        each(ours),
        each(crates),
        crates.as_secs_f64() / ours.as_secs_f64(),
        guesses as f64 / puzzles.len() as f64,
        puzzles.len(),
    );
}
