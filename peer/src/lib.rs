//! What the measurements share: reading lists of puzzles, and timing two programs side by side.

use std::time::{Duration, Instant};

/// The puzzles of a list: the first 81 characters of every line that has as many, `.` or `0` for
/// blank; lines that begin with `#` are left out.
pub fn read_list(path: &str) -> Vec<[u8; 81]> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|why| panic!("{path}: {why}"));
    text.lines()
        .filter(|line| !line.starts_with('#') && line.len() >= 81)
        .map(|line| {
            let mut puzzle = [0; 81];
            for (cell, byte) in puzzle.iter_mut().zip(line.bytes()) {
                *cell = if byte.is_ascii_digit() { byte - b'0' } else { 0 };
            }
            puzzle
        })
        .collect()
}

/// The shortest time of each program over interleaved rounds.
pub fn race<const N: usize>(rounds: usize, mut run: impl FnMut(usize)) -> [Duration; N] {
    let mut best = [Duration::MAX; N];
    for _ in 0..rounds {
        for (program, best) in best.iter_mut().enumerate() {
            let start = Instant::now();
            run(program);
            *best = start.elapsed().min(*best);
        }
    }
    best
}
