//! The files in `editors` know the words that the language knows.
//!
//! `DOKULOG_BLESS=1 cargo test --test texts editors::` writes the words anew.

use std::fs;
use std::path::{Path, PathBuf};

use dokulog::language::vocabulary::{Meaning, WORDS};
use dokulog::service::keywords;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("editors")
}

fn words(wanted: fn(&Meaning) -> bool) -> Vec<&'static str> {
    WORDS.iter().filter(|word| wanted(&word.meaning)).map(|word| word.name).collect()
}

/// Groups of words: what TextMate calls them, what Vim calls them.
fn groups() -> Vec<(&'static str, &'static str, Vec<&'static str>)> {
    let function = |m: &Meaning| !matches!(m, Meaning::Head(_) | Meaning::Constant(_));
    vec![
        ("keyword.control.dokulog\", \"match", "dokulogKeyword", keywords().to_vec()),
        (
            "keyword.other.conclusion.dokulog",
            "dokulogConclusion",
            words(|m| matches!(m, Meaning::Head(_))),
        ),
        ("support.function.dokulog", "dokulogFunction", words(function)),
        ("support.constant.dokulog", "dokulogSet", words(|m| matches!(m, Meaning::Constant(_)))),
    ]
}

/// The text with what stands between two marks on the line with a name replaced.
fn replaced(text: &str, name: &str, (open, close): (&str, &str), new: &str) -> String {
    let line = text.find(name).unwrap_or_else(|| panic!("no {name}"));
    let from = line + text[line..].find(open).expect("a beginning") + open.len();
    let to = from + text[from..].find(close).expect("an end");
    [&text[..from], new, &text[to..]].concat()
}

fn compare(path: PathBuf, wanted: impl Fn(&str) -> String) {
    let text = fs::read_to_string(&path).expect("a readable file");
    let wanted = wanted(&text);
    if std::env::var_os("DOKULOG_BLESS").is_some() {
        fs::write(&path, &wanted).expect("a writable file");
    } else {
        assert!(text == wanted, "{} lacks words; it should be\n{wanted}", path.display());
    }
}

#[test]
fn every_word_has_its_colour() {
    compare(root().join("vscode/syntaxes/dokulog.tmLanguage.json"), |text| {
        groups().iter().fold(text.to_string(), |text, (name, _, words)| {
            replaced(&text, name, ("\\\\b(", ")\\\\b"), &words.join("|"))
        })
    });
    compare(root().join("vim/syntax/dokulog.vim"), |text| {
        groups().iter().fold(text.to_string(), |text, (_, name, words)| {
            let name = format!("keyword {name}");
            replaced(&text, &name, (" dokulog", "\n"), &{
                let name = name.trim_start_matches("keyword dokulog");
                format!("{name} {}", words.join(" "))
            })
        })
    });
}

#[test]
fn the_package_for_visual_studio_code_is_well_formed() {
    let files = [
        "package.json",
        "language-configuration.json",
        "snippets/dokulog.json",
        "syntaxes/dokulog.tmLanguage.json",
    ];
    for file in files {
        let text = fs::read_to_string(root().join("vscode").join(file)).expect("a readable file");
        let parsed: Result<serde_json::Value, _> = serde_json::from_str(&text);
        assert!(parsed.is_ok(), "{file}: {parsed:?}");
    }
    let package = fs::read_to_string(root().join("vscode/package.json")).expect("a file");
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(package.contains(&version), "the package has the program's version");
}
