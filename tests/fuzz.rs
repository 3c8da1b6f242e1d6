//! Mutated inputs: nothing a user can type may panic, and fast must equal slow.
//!
//! What must hold is said once, in `fuzz/src`; here the inputs come from fixed seeds, there from
//! libFuzzer. Each target runs a few thousand inputs and prints how many; `DOKULOG_FUZZ=N` asks for
//! N over all targets, most of them for those where an input is cheap. Inputs that once went wrong
//! are kept in `tests/corpus/`, a folder a target, and are run first.

#[path = "../fuzz/src/lib.rs"]
mod checks;

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use dokulog::random::Random;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The files below a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// What the files of some folders hold, those with one of these extensions left out.
fn contents(folders: &[&str], without: &[&str]) -> Vec<Vec<u8>> {
    let files = folders.iter().flat_map(|folder| files(&root().join(folder)));
    let unwanted =
        |path: &PathBuf| path.extension().is_some_and(|e| without.iter().any(|w| e == *w));
    files.filter(|path| !unwanted(path)).map(|p| fs::read(p).expect("a readable file")).collect()
}

/// Runs what once went wrong, then `usual` inputs, or the share of what is asked for: so many of
/// ten thousand. An input that goes wrong is kept in the folder for temporary files.
fn run(
    name: &str,
    (usual, share): (u64, u64),
    check: fn(&[u8]),
    mut input: impl FnMut(&mut Random) -> Vec<u8>,
) {
    let asked = std::env::var("DOKULOG_FUZZ").ok().and_then(|n| n.parse::<u64>().ok());
    let count = asked.map_or(usual, |n| n * share / 10_000);
    let kept = contents(&[&format!("tests/corpus/{name}")], &[]);
    kept.iter().for_each(|bytes| check(bytes));
    for number in 0..count {
        let bytes = input(&mut Random::for_item(1, number));
        if catch_unwind(|| check(&bytes)).is_err() {
            let path = std::env::temp_dir().join(format!("dokulog-fuzz-{name}-{number}"));
            fs::write(&path, &bytes).expect("a writable folder");
            panic!("{name}, input {number}: see above; the input is {}", path.display());
        }
    }
    println!("{name}: {count} inputs, and {} of the corpus", kept.len());
}

/// One input changed in a few places: bytes altered, taken out, doubled, moved, or words put in.
fn mutated(seeds: &[Vec<u8>], words: &[&str], random: &mut Random) -> Vec<u8> {
    let mut bytes = random.pick(seeds).clone();
    for _ in 0..1 + random.below(6) {
        let at = random.below(bytes.len() + 1);
        let length = random.below(20).min(bytes.len() - at);
        match random.below(7) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 if at < bytes.len() => bytes[at] = random.bits() as u8,
            2 => drop(bytes.drain(at..at + length)),
            3 => {
                let piece = bytes[at..at + length].to_vec();
                bytes.splice(at..at, piece);
            }
            4 => {
                let word = random.pick(words).bytes();
                bytes.splice(at..at, word);
            }
            5 => {
                let other = random.pick(seeds);
                let from = random.below(other.len() + 1);
                let to = (from + random.below(60)).min(other.len());
                bytes.splice(at..at, other[from..to].to_vec());
            }
            _ => bytes.truncate(at.max(1)),
        }
    }
    bytes
}

/// So many bytes at random.
fn noise(count: usize, random: &mut Random) -> Vec<u8> {
    (0..count.div_ceil(8)).flat_map(|_| random.bits().to_le_bytes()).collect()
}

#[test]
fn readers() {
    let words = ["\n", "\r\n", "\0", "|", "+---+", ",", "[[_,", ".", "0", "\u{ff}", "{\"", "A"];
    let seeds = contents(&["data", "tests/formats"], &["md", "expected"]);
    run("puzzles", (20_000, 9_590), checks::puzzles, |random| mutated(&seeds, &words, random));
}

#[test]
fn rule_files() {
    let words = [
        ":-",
        ".",
        ",",
        "{",
        "}",
        "\"",
        "%",
        "not ",
        "forall X in ",
        "within ",
        "|",
        "choose(",
        "rule ",
        "é",
        "& H",
        "+ 1",
        "_",
        "X",
        "in houses",
        " = ",
        "candidates(",
    ];
    let mut seeds = contents(&["tests/diagnostics"], &["txt", "expected"]);
    // One rule at a time, with the comment above it.
    for text in contents(&["rules/standard", "rules/extended"], &[]) {
        let text = String::from_utf8(text).expect("rule files are text");
        seeds.extend(text.split("\n\n").map(|part| part.as_bytes().to_vec()));
    }
    run("rules", (2_000, 250), checks::rules, |random| mutated(&seeds, &words, random));
}

#[test]
fn the_enumerators_against_the_plain_counter() {
    run("enumerator", (1_000, 120), checks::enumerator, |random| noise(300, random));
}

#[test]
fn the_engine_against_the_naive_evaluator() {
    run("engine", (200, 20), checks::engine, |random| noise(900, random));
}

#[test]
fn proofs_against_the_matcher() {
    run("proof", (80, 10), checks::proof, |random| noise(600, random));
}

#[test]
fn verdicts_against_what_rules_do() {
    run("verdicts", (10, 5), checks::verdicts, |random| noise(4_000, random));
}

#[test]
fn all_ways_to_run_and_to_tell() {
    run("agreement", (10, 5), checks::agreement, |random| noise(4_000, random));
}
