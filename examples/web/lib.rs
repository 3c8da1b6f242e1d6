//! The library for wasm32-unknown-unknown, with nothing but memory and numbers between it and
//! JavaScript: the caller asks for room, writes a text there, and reads the answer at its length.

use std::cell::RefCell;

use dokulog::{Outcome, Puzzle, Rules};

thread_local! {
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static RULES: Rules = Rules::standard();
}

/// Room for a text of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *const u8 {
    TEXT.with_borrow_mut(|text| {
        text.clear();
        text.resize(length, 0);
        text.as_ptr()
    })
}

/// Deduces every puzzle of the text that was written there; a line each takes its place. The
/// length of these lines.
#[unsafe(no_mangle)]
pub extern "C" fn deduce() -> usize {
    let answer = TEXT.with_borrow(|text| answer(&String::from_utf8_lossy(text)));
    TEXT.with_borrow_mut(|text| *text = answer.into_bytes());
    TEXT.with_borrow(Vec::len)
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn answer_at() -> *const u8 {
    TEXT.with_borrow(|text| text.as_ptr())
}

/// So many puzzles from a seed, a line each; their length.
#[unsafe(no_mangle)]
pub extern "C" fn generate(seed: u32, count: u32) -> usize {
    let lines = (0..count).map(|i| format!("{}\n", Puzzle::generate(u64::from(seed + i))));
    TEXT.with_borrow_mut(|text| *text = lines.collect::<String>().into_bytes());
    TEXT.with_borrow(Vec::len)
}

fn answer(text: &str) -> String {
    let puzzles = match Puzzle::read(text) {
        Ok(puzzles) => puzzles,
        Err(fault) => return format!("error: {fault}\n"),
    };
    let deduced = |puzzle: Result<Puzzle, dokulog::Error>| {
        let deduction = RULES.with(|rules| rules.deduce(&puzzle?))?;
        let outcome = match deduction.outcome {
            Outcome::Solved => "solved",
            Outcome::Stuck => "stuck",
            Outcome::Contradiction => "contradiction",
        };
        Ok::<_, dokulog::Error>(format!("{} {outcome}\n", deduction.puzzle))
    };
    let line = |puzzle| deduced(puzzle).unwrap_or_else(|error| format!("error: {error}\n"));
    puzzles.into_iter().map(line).collect()
}
