//! Time to find up to two solutions, or as many as told, against the crate `sudoku`, list by list.
//!
//! ```text
//! cargo run --release -p peer --bin enumerate -- [--rounds N] [--take N] [--limit N] LIST...
//! ```
//!
//! After the lists, the 90 solutions of AI Escargot without its clue in cell 78, and the 434 of a
//! tutorial's grid. Both programs run in the same process and take turns; the shortest round of each counts.

use dokulog::search::nine::Enumerator;
use peer::{race, read_list};
use sudoku::Sudoku;

fn main() {
    let (mut rounds, mut take, mut limit) = (7, usize::MAX, 2);
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
            "--limit" => limit = number(),
            list => measure(list, rounds, take, limit),
        }
    }
    for (name, line) in MANY {
        all_solutions(name, line);
    }
}

const MANY: [(&str, &str); 2] = [
    (
        "AI Escargot without the clue in cell 78",
        "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7......",
    ),
    (
        "the tutorial's grid",
        "9..1....5..5.9.2.18...4........8.......7.........26..92..3....6...2..9....19.457.",
    ),
];

fn all_solutions(name: &str, line: &str) {
    let mut puzzle = [0; 81];
    for (cell, byte) in puzzle.iter_mut().zip(line.bytes()) {
        *cell = if byte == b'.' { 0 } else { byte - b'0' };
    }
    let theirs = Sudoku::from_bytes(puzzle).expect("digits");
    let mut enumerator = Enumerator::of_digits(&puzzle);
    let mut counts = [0; 2];
    let [ours, crates] = race(1, 500, |program, _| {
        counts[program] = match program {
            0 => {
                enumerator.start_digits(&puzzle);
                enumerator.count_up_to(10_000)
            }
            _ => theirs.solutions_count_up_to(10_000),
        }
    });
    assert_eq!(counts[0], counts[1]);
    let [ours, crates] = [ours, crates].map(|time| time.as_secs_f64() * 1e6);
    println!("{ours:9.3} {crates:9.3} {:6.2} {} solutions of {name}", crates / ours, counts[0]);
}

fn measure(list: &str, rounds: usize, take: usize, limit: usize) {
    let mut puzzles = read_list(list);
    puzzles.truncate(take);
    let theirs: Vec<Sudoku> =
        puzzles.iter().map(|p| Sudoku::from_bytes(*p).expect("digits")).collect();
    let mut enumerator = Enumerator::of_digits(&[0; 81]);
    let mut guesses = 0;
    for (puzzle, theirs) in puzzles.iter().zip(&theirs) {
        enumerator.start_digits(puzzle);
        let count = enumerator.count_up_to(limit);
        assert_eq!(count, theirs.solutions_count_up_to(limit), "{puzzle:?}");
        guesses += enumerator.counters().guesses;
    }
    let mut total = 0;
    let [ours, crates] = race(puzzles.len(), rounds, |program, chunk| match program {
        0 => {
            for puzzle in &puzzles[chunk] {
                enumerator.start_digits(puzzle);
                total += enumerator.count_up_to(limit);
            }
        }
        _ => {
            for puzzle in &theirs[chunk] {
                total += puzzle.solutions_count_up_to(limit);
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
