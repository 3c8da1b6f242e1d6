//! The makers of full grids, raced.

use std::time::Instant;

use crate::board::Layout;
use crate::generate::{Attempt, backtracked, by_columns, by_rows, full_grid};
use crate::random::Random;
use crate::text::thousands;

use super::super::{Run, Status, print};
use super::table::{aligned, time};

type Maker = fn(&Layout, &mut Random, u64) -> Attempt;

const MAKERS: [(&str, &str, Maker); 4] = [
    ("version 0", "rows", by_rows),
    ("version 1", "digits", by_columns),
    ("backtracking", "digits", backtracked),
    ("fast", "grids", |layout, random, _| Attempt {
        grid: Some(full_grid(layout, random)),
        drawn: 1,
    }),
];

/// Each maker makes `tries` grids of nine, within a budget of draws each.
pub(super) fn run(tries: u32, budget: Option<u64>, seed: u64) -> Run {
    let nine = Layout::classic(9).expect("9 is a classic size");
    let budget = budget.unwrap_or(1_000_000);
    let rows: Vec<[String; 4]> = MAKERS
        .iter()
        .map(|(name, unit, make)| {
            let start = Instant::now();
            let attempts: Vec<Attempt> = (0..u64::from(tries))
                .map(|number| make(&nine, &mut Random::for_item(seed, number), budget))
                .collect();
            let seconds = start.elapsed().as_secs_f64() / f64::from(tries);
            let made = attempts.iter().filter(|attempt| attempt.grid.is_some()).count();
            let drawn: u64 = attempts.iter().map(|attempt| attempt.drawn).sum();
            [
                name.to_string(),
                format!("{made} of {tries}"),
                time(seconds),
                format!("{} {unit}", thousands(drawn / u64::from(tries))),
            ]
        })
        .collect();
    print(&aligned(&["maker", "grids made", "time a grid", "drawn a grid"], &rows))?;
    Ok(Status::Done)
}
