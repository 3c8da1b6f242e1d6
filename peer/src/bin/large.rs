//! Time to solve each puzzle of lists of other sizes and to prove its solution unique.
//!
//! ```text
//! cargo run --release -p peer --bin large -- [--method any|sat] [--budget N] LIST...
//! ```
//!
//! One puzzle a line, `1`-`9` then `A`-`P`, anything else is blank.

use std::time::Instant;

use dokulog::board::{Grid, Layout};
use dokulog::search::{any, sat};

fn main() {
    let (mut method, mut budget) = (String::from("any"), u64::MAX);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--method" => method = arguments.next().expect("a method"),
            "--budget" => budget = arguments.next().and_then(|n| n.parse().ok()).expect("a number"),
            list => measure(list, &method, budget),
        }
    }
}

fn measure(list: &str, method: &str, budget: u64) {
    let text = std::fs::read_to_string(list).unwrap_or_else(|why| panic!("{list}: {why}"));
    let mut times = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let numbers: Vec<u8> = line.bytes().map(number).collect();
        let Some(layout) = Layout::classic(numbers.len().isqrt()) else { continue };
        let start = Instant::now();
        let grid = Grid::from_givens(layout, &numbers).expect("no clash");
        let mut found = Vec::new();
        let (end, work) = match method {
            "sat" => {
                let mut search = sat::SatEnumerator::new(&grid, budget);
                let mut end = "complete";
                while found.len() < 2 {
                    match search.find_next() {
                        Ok(Some(numbers)) => found.push(numbers),
                        Ok(None) => break,
                        Err(_) => {
                            end = "gave up";
                            break;
                        }
                    }
                }
                (end, search.conflicts())
            }
            _ => {
                let mut search = any::Enumerator::new(&grid);
                let mut end = "complete";
                while found.len() < 2 {
                    match search.next_within(budget) {
                        Ok(Some(numbers)) => found.push(numbers),
                        Ok(None) => break,
                        Err(_) => {
                            end = "gave up";
                            break;
                        }
                    }
                }
                (end, search.guesses())
            }
        };
        let time = start.elapsed().as_secs_f64();
        times.push(time);
        println!("{:4} {:9.4} s {:9} {} solutions, {end}", index + 1, time, work, found.len());
    }
    times.sort_by(f64::total_cmp);
    let (median, most) = (times[times.len() / 2], times[times.len() - 1]);
    println!("median {median:.4} s, most {most:.4} s, {} puzzles, {list}", times.len());
}

fn number(byte: u8) -> u8 {
    match byte {
        b'1'..=b'9' => byte - b'0',
        b'A'..=b'P' => byte - b'A' + 10,
        _ => 0,
    }
}
