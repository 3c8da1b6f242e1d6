//! Any text as a rule file.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dokulog_fuzz::rules(bytes));
