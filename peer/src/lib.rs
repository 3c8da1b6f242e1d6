//! What the measurements share: reading lists of puzzles, and timing two programs side by side.

use std::ops::Range;
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

/// How long a run of items is timed at once: short enough to fit between two interruptions by
/// other programs, long enough that the processor's branch prediction cannot learn it by heart.
const CHUNK: Duration = Duration::from_micros(400);

/// The time of each of `N` programs on all items: the sum, over short runs of items, of the
/// shortest of several interleaved rounds. `run` is told the program and the items.
pub fn race<const N: usize>(
    items: usize,
    rounds: usize,
    mut run: impl FnMut(usize, Range<usize>),
) -> [Duration; N] {
    let sample = items.min(20);
    let slowest = (0..N).map(|program| {
        let clock = Instant::now();
        run(program, 0..sample);
        clock.elapsed().as_nanos() as usize
    });
    let each = slowest.max().unwrap_or(0) / sample.max(1);
    let chunk_size = (CHUNK.as_nanos() as usize / each.max(1)).max(1);
    let mut total = [Duration::ZERO; N];
    for start in (0..items).step_by(chunk_size) {
        let chunk = start..items.min(start + chunk_size);
        let mut best = [Duration::MAX; N];
        for _ in 0..rounds {
            for (program, best) in best.iter_mut().enumerate() {
                let clock = Instant::now();
                run(program, chunk.clone());
                *best = clock.elapsed().min(*best);
            }
        }
        for (total, best) in total.iter_mut().zip(best) {
            *total += best;
        }
    }
    total
}

/// The time of a program on all items, streamed: each round goes through all of them, so that none
/// is met again while what it needs is at hand. The sum, over short runs of items, of the shortest
/// round; no round begins once `patience` is over.
pub fn stream(
    items: usize,
    rounds: usize,
    patience: Duration,
    mut run: impl FnMut(Range<usize>),
) -> Duration {
    let sample = items.min(20);
    let begin = Instant::now();
    run(0..sample);
    let each = begin.elapsed().as_nanos() as usize / sample.max(1);
    let chunk_size = (CHUNK.as_nanos() as usize / each.max(1)).max(1);
    let mut best = vec![Duration::MAX; items.div_ceil(chunk_size)];
    for round in 0..rounds {
        if round > 0 && begin.elapsed() > patience {
            break;
        }
        for (chunk, best) in best.iter_mut().enumerate() {
            let clock = Instant::now();
            run(chunk * chunk_size..items.min((chunk + 1) * chunk_size));
            *best = clock.elapsed().min(*best);
        }
    }
    best.into_iter().sum()
}
