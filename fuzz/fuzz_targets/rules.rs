//! Any text as a rule file.
#![no_main]

use dokulog::language::{self, Origin, Severity, Source, bundled};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let mut sources = bundled::helpers();
    sources.push((Origin::User, Source { name: "fuzz".into(), text }));
    let (rules, diagnostics) = language::load(sources);
    let errors = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    assert_eq!(rules.is_none(), errors);
});
