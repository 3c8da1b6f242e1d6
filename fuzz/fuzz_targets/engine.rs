//! Any state: the engine does what the naive evaluator does.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dokulog_fuzz::engine(bytes));
