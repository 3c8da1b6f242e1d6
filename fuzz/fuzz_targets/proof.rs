//! Any rule: what the prover says of it is what the matcher does.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dokulog_fuzz::proof(bytes));
