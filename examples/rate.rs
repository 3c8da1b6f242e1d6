//! How hard the puzzles of a list are: a file, or made on the spot.
//!
//!     cargo run --release --example rate -- puzzles.txt

use std::error::Error;

use dokulog::{Puzzle, Rules};

fn main() -> Result<(), Box<dyn Error>> {
    let puzzles = match std::env::args().nth(1) {
        Some(file) => Puzzle::read(&std::fs::read_to_string(file)?)?,
        None => (1..=5).map(|seed| Ok(Puzzle::generate(seed))).collect(),
    };
    let rules = Rules::extended();
    for puzzle in puzzles {
        match puzzle {
            Ok(puzzle) => println!("{puzzle} {}", rules.rate(&puzzle)?),
            Err(fault) => println!("{fault}"),
        }
    }
    Ok(())
}
