//! Any clues: the enumerators find what the plain counter finds.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dokulog_fuzz::enumerator(bytes));
