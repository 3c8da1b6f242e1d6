//! One mistake a file in `tests/diagnostics`, its message beside it.
//!
//! `DOKULOG_BLESS=1 cargo test --test texts diagnostics::` writes the messages anew; read the difference.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use dokulog::language::{self, Diagnostic, Origin, Source, bundled, render};
use dokulog::meaning::Layouts;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics")
}

fn cases() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).expect("a readable folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rules"));
    files.sort();
    files
}

/// What `check` says about a text, with the bundled rules loaded beside it.
fn check(name: &str, text: &str) -> (Vec<Diagnostic>, Vec<Source>) {
    let mut sources = bundled::helpers();
    sources.extend(bundled::standard());
    let own = sources.len();
    let source = Source { name: name.to_string(), text: text.to_string() };
    sources.push((Origin::User, source));
    let texts = sources.iter().map(|(_, source)| source.clone()).collect();
    let (_, mut diagnostics) = language::load(sources);
    diagnostics.retain(|diagnostic| usize::from(diagnostic.span.source) == own);
    let layouts = Layouts::with(vec![Source { name: name.to_string(), text: text.to_string() }]);
    for mut mistake in layouts.mistakes() {
        mistake.span.source = own as u16;
        diagnostics.push(mistake);
    }
    (diagnostics, texts)
}

#[test]
fn every_mistake_has_its_message() {
    let bless = std::env::var_os("DOKULOG_BLESS").is_some();
    let mut wrong = Vec::new();
    for path in cases() {
        let name = path.file_name().expect("a name").to_string_lossy().to_string();
        let text = fs::read_to_string(&path).expect("a readable file");
        let (diagnostics, texts) = check(&name, &text);
        let found: String = diagnostics.iter().map(|d| render::text(d, &texts, false)).collect();
        let beside = path.with_extension("txt");
        if bless {
            fs::write(&beside, &found).expect("a writable file");
        } else if fs::read_to_string(&beside).unwrap_or_default() != found {
            wrong.push(format!("{name} says now:\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn one_mistake_a_file() {
    for path in cases() {
        let name = path.file_stem().expect("a name").to_string_lossy().to_string();
        let text = fs::read_to_string(&path).expect("a readable file");
        let (diagnostics, _) = check(&name, &text);
        let wanted = if name.starts_with("three_") { 3 } else { 1 };
        let wanted = if name.starts_with("right_") { 0 } else { wanted };
        assert_eq!(diagnostics.len(), wanted, "{name}: {diagnostics:#?}");
    }
}

#[test]
fn every_code_occurs() {
    let mut found = BTreeSet::new();
    for path in cases() {
        let text = fs::read_to_string(&path).expect("a readable file");
        let (diagnostics, _) = check("x", &text);
        found.extend(diagnostics.iter().map(|d| d.code));
    }
    let codes: BTreeSet<&str> = language::CODES.iter().map(|(code, _)| *code).collect();
    assert_eq!(found, codes);
}

#[test]
fn there_are_enough_of_them() {
    assert!(cases().len() >= 50);
}
