//! Any rule on any size: no verdict is belied by what the rule does.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dokulog_fuzz::verdicts(bytes));
