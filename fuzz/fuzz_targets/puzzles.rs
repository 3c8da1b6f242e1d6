//! Any bytes as a puzzle file.
#![no_main]

use dokulog::text::{self, Hint};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(items) = text::read(bytes, Hint::default()) else { return };
    for puzzle in items.into_iter().flatten() {
        assert!(puzzle.grid.given().within(&puzzle.grid.placed()));
    }
});
