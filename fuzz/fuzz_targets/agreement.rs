//! Any rule: all who can run it or speak of it say the same.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dokulog_fuzz::agreement(bytes));
