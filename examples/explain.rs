//! What the rules decide, and why, step by step:
//!
//!     cargo run --example explain -- 2..1...578...76....

use dokulog::{Error, Puzzle, Rules};

fn main() -> Result<(), Error> {
    let line = "2..1...578...76..2...2..8.96...93...75...............4.....1....987...........38.";
    let puzzle: Puzzle = std::env::args().nth(1).as_deref().unwrap_or(line).parse()?;
    let rules = Rules::standard();
    print!("{}", rules.explain(&puzzle)?);
    let deduced = rules.deduce(&puzzle)?;
    println!("{:?}: {}", deduced.outcome, deduced.puzzle);
    Ok(())
}
