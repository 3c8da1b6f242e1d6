//! Rules written at random: what the prover says of them is true, and all ways to run and to tell
//! them agree.
//!
//! A few dozen by default; `DOKULOG_WRITTEN=N` asks for N, `DOKULOG_LONG_TESTS=1` for many.

#[path = "../fuzz/src/agreement.rs"]
mod agreement;
#[path = "../fuzz/src/choices.rs"]
mod choices;
#[path = "../fuzz/src/matcher.rs"]
mod matcher;
#[path = "../fuzz/src/states.rs"]
mod states;
#[path = "../fuzz/src/verdicts.rs"]
mod verdicts;
#[path = "../fuzz/src/writing/mod.rs"]
mod writing;

use std::collections::BTreeMap;
use std::time::Instant;

use dokulog::proof::Verdict;
use dokulog::random::Random;

use agreement::{Compared, agree};
use choices::Choices;
use verdicts::{SIZES, watch};
use writing::{bundled_seeds, seeds_of, write};

/// How many rule files are wanted.
fn count(usual: u64, long: u64) -> (u64, u64) {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let is_long = std::env::var_os("DOKULOG_LONG_TESTS").is_some_and(|value| value == "1");
    let from = number("DOKULOG_FROM").unwrap_or(0);
    (from, from + number("DOKULOG_WRITTEN").unwrap_or(if is_long { long } else { usual }))
}

/// The rules of the bundled files and of `tests/proof`, one by one.
fn seeds() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/proof");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("tests/proof is there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    files.sort();
    let texts = files.iter().map(|path| std::fs::read_to_string(path).expect("readable"));
    bundled_seeds().into_iter().chain(texts.flat_map(|text| seeds_of(&text))).collect()
}

fn bytes(number: u64) -> Vec<u8> {
    let mut random = Random::for_item(41, number);
    (0..4000).map(|_| random.bits() as u8).collect()
}

#[test]
fn verdicts_are_true() {
    let seeds = seeds();
    assert!(seeds.len() > 60, "{} rules to begin with", seeds.len());
    let (from, to) = count(60, 100_000);
    let (mut refused, mut files) = (0, 0);
    let mut shares: BTreeMap<(usize, Verdict), [usize; 3]> = BTreeMap::new();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let mut failures = Vec::new();
    for number in from..to {
        let bytes = bytes(number);
        let mut choices = Choices::new(&bytes);
        let Some(written) = write(&seeds, &mut choices) else { continue };
        refused += written.refused;
        files += 1;
        for size in SIZES {
            let begun = Instant::now();
            if std::env::var_os("DOKULOG_SHOW").is_some() {
                eprintln!("{number} {size}\n{}", written.text);
            }
            match watch(&written, size, &mut choices) {
                Ok(all) => all.into_iter().for_each(|seen| {
                    let share = shares.entry((size, seen.verdict)).or_default();
                    share[0] += 1;
                    share[1] += usize::from(seen.fired);
                    share[2] += usize::from(seen.erred);
                    if !seen.reason.is_empty() {
                        *reasons.entry(seen.reason).or_default() += 1;
                    }
                }),
                Err(failure) => {
                    eprintln!("rule {number}: {failure}");
                    failures.push(number);
                }
            }
            if begun.elapsed().as_secs() >= 5 {
                eprintln!("rule {number} on {size}: {:?}\n{}", begun.elapsed(), written.text);
            }
        }
    }
    println!("{files} files, {refused} refused before");
    for ((size, verdict), [all, fired, erred]) in shares {
        println!("{size}×{size} {:16} {all:6}, fired {fired:6}, erred {erred:6}", verdict.code());
    }
    println!("{reasons:#?}");
    assert!(failures.is_empty(), "{failures:?}");
}

#[test]
fn all_ways_agree() {
    let seeds = seeds();
    let (from, to) = count(60, 2_000);
    let mut sum = Compared::default();
    let mut failures = Vec::new();
    for number in from..to {
        let bytes = bytes(1_000_000 + number);
        let mut choices = Choices::new(&bytes);
        let Some(written) = write(&seeds, &mut choices) else { continue };
        if std::env::var_os("DOKULOG_SHOW").is_some() {
            eprintln!("{number}\n{}", written.text);
        }
        let begun = Instant::now();
        let size = choices.pick(&[4, 4, 4, 6, 9]);
        match agree(&written, size, &mut choices) {
            Ok(more) => sum.add(more),
            Err(failure) => {
                eprintln!("rule {number}: {failure}");
                failures.push(number);
            }
        }
        if begun.elapsed().as_secs() >= 5 {
            eprintln!("rule {number} on {size}: {:?}\n{}", begun.elapsed(), written.text);
        }
    }
    println!("{} files: {sum:?}", to - from);
    assert!(failures.is_empty(), "{failures:?}");
}
