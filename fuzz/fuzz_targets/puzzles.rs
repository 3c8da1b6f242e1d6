//! Any bytes as a puzzle file.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dokulog_fuzz::puzzles(bytes));
