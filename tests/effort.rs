//! The work that proofs may take: `--budget` is obeyed by all of it, in both directions, and
//! `check`, `rules` and `prove` do not contradict each other.
//!
//! `tests/effort/commands.txt` has commands, each with what it prints; to write that anew,
//! `DOKULOG_BLESS=1`.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/effort"))
}

/// What a command line without quotes prints.
fn run(line: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_dokulog"))
        .args(line.split(' '))
        .current_dir(folder())
        .env("NO_COLOR", "1")
        .output()
        .expect("the program runs");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn budgets_are_obeyed_and_reasons_told() {
    let file = folder().join("commands.txt");
    let expected = fs::read_to_string(&file).expect("readable");
    let commands = expected.lines().filter_map(|line| line.strip_prefix("$ dokulog "));
    let printed: String = commands.map(|line| format!("$ dokulog {line}\n{}", run(line))).collect();
    if std::env::var_os("DOKULOG_BLESS").is_some() {
        fs::write(file, printed).expect("writable");
        return;
    }
    assert_eq!(printed, expected);
}

/// The verdicts of lines such as `name: verdict` or `name   verdict`; none where it is open.
fn verdicts(printed: &str) -> Vec<(String, Option<String>)> {
    const VERDICTS: [&str; 4] = ["sound if", "sound", "unsound", "never fires"];
    let lines = printed.lines().filter(|line| !line.starts_with([' ', '+', '|', '$']));
    let verdict = |line: &str| {
        let (name, said) = line.split_once([':', ' '])?;
        let verdict = VERDICTS.iter().find(|verdict| said.trim_start().starts_with(**verdict));
        Some((name.to_string(), verdict.map(|verdict| verdict.to_string())))
    };
    lines.filter_map(verdict).collect()
}

#[test]
fn all_commands_agree() {
    let mut files: Vec<String> = fs::read_dir(folder())
        .expect("a folder")
        .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".rules"))
        .collect();
    files.sort();
    let mut known: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in &files {
        let mut all = Vec::new();
        for budget in [0, 50_000, 400_000] {
            all.extend(verdicts(&run(&format!("check {file} --budget {budget}"))));
        }
        for budget in [1_000, 200_000] {
            all.extend(verdicts(&run(&format!("prove {file} --budget {budget}"))));
        }
        for line in run(&format!("rules --rules {file} --format json")).lines() {
            let object: Value = serde_json::from_str(line).expect("JSON");
            if object["origin"] == "yours" {
                let proof = object["proof"].as_str().map(|code| code.replace('-', " "));
                let proof = proof.map(|said| said.replace("sound if unique", "sound if"));
                all.push((object["name"].as_str().expect("a name").to_string(), proof));
            }
        }
        for (name, verdict) in all {
            known.entry(name).or_default().extend(verdict);
        }
    }
    assert!(known.len() >= 7, "{known:?}");
    for (name, verdicts) in &known {
        assert!(verdicts.windows(2).all(|two| two[0] == two[1]), "{name}: {verdicts:?}");
    }
    let decided = known.values().filter(|verdicts| verdicts.len() > 1).count();
    assert!(decided >= 4, "{known:?}");
}
