//! Rules written at random: what the prover says of them is true, and all ways to run and to tell
//! them agree.
//!
//! A few dozen by default; `DOKULOG_WRITTEN=N` asks for N, from `DOKULOG_FROM=N` on if the first
//! ones are known; `DOKULOG_LONG_TESTS=1` asks for many.

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
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use dokulog::proof::Verdict;
use dokulog::random::Random;

use agreement::{Compared, agree};
use choices::Choices;
use verdicts::{SIZES, Seen, watch};
use writing::{Written, bundled_seeds, seeds_of, write};

/// The numbers of the rule files that are wanted.
fn wanted(usual: u64, long: u64) -> Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let is_long = std::env::var_os("DOKULOG_LONG_TESTS").is_some_and(|value| value == "1");
    let from = number("DOKULOG_FROM").unwrap_or(0);
    from..from + number("DOKULOG_WRITTEN").unwrap_or(if is_long { long } else { usual })
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
    let seeds: Vec<_> =
        bundled_seeds().into_iter().chain(texts.flat_map(|text| seeds_of(&text))).collect();
    assert!(seeds.len() > 60, "{} rules to begin with", seeds.len());
    seeds
}

/// Rules that take so many seconds are shown; nothing is asserted of them.
const SLOW: u64 = 20;

/// Writes rule files with these numbers and checks each; what the checks return, in order. Failures
/// and panics are shown as they come, and at the end fail the test.
fn each<T: Send>(
    numbers: Range<u64>,
    stream: u64,
    check: impl Fn(&Written, &mut Choices) -> Result<T, String> + Sync,
) -> Vec<T> {
    let seeds = seeds();
    let (next, done) = (AtomicU64::new(numbers.start), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end {
                break;
            }
            let mut random = Random::for_item(stream, number);
            let bytes: Vec<u8> = (0..4000).map(|_| random.bits() as u8).collect();
            let mut choices = Choices::new(&bytes);
            let Some(written) = write(&seeds, &mut choices) else { continue };
            if std::env::var_os("DOKULOG_SHOW").is_some() {
                eprintln!("rule {number}\n{}", written.text);
            }
            let begun = Instant::now();
            let checked = catch_unwind(AssertUnwindSafe(|| check(&written, &mut choices)))
                .unwrap_or_else(|_| Err(format!("a panic\n{}", written.text)));
            let seconds = begun.elapsed().as_secs();
            if seconds >= SLOW {
                eprintln!("rule {number} took {seconds} s\n{}", written.text);
            }
            let kept = checked.map_err(|failure| eprintln!("rule {number}: {failure}"));
            done.lock().expect("no one fails with it").push((number, kept));
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, |n| n.get()) {
            scope.spawn(work);
        }
    });
    let mut done = done.into_inner().expect("all are done");
    done.sort_by_key(|(number, _)| *number);
    let failed: Vec<u64> = done.iter().filter(|(_, kept)| kept.is_err()).map(|d| d.0).collect();
    assert!(failed.is_empty(), "{} of {}: rules {failed:?}", failed.len(), done.len());
    done.into_iter().filter_map(|(_, kept)| kept.ok()).collect()
}

/// Rule files judged by default.
const USUAL: u64 = 18;

#[test]
fn verdicts_are_true() {
    let numbers = wanted(USUAL, 100_000);
    let is_short = numbers.end - numbers.start <= USUAL;
    let all = each(numbers, 41, |written, choices| {
        // A short run has one size a rule.
        let sizes = if is_short { vec![choices.pick(&SIZES)] } else { SIZES.to_vec() };
        let seen = sizes.iter().map(|&size| Ok((size, watch(written, size, choices)?)));
        Ok((written.refused, seen.collect::<Result<Vec<_>, String>>()?))
    });
    let refused: usize = all.iter().map(|(refused, _)| refused).sum();
    println!("{} rule files, {refused} texts refused before", all.len());
    let mut shares: BTreeMap<(usize, Verdict), [usize; 3]> = BTreeMap::new();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for (size, seen) in all.into_iter().flat_map(|(_, sizes)| sizes) {
        for Seen { verdict, reason, fired, erred } in seen {
            let share = shares.entry((size, verdict)).or_default();
            *share = [share[0] + 1, share[1] + usize::from(fired), share[2] + usize::from(erred)];
            if verdict == Verdict::NotProved {
                *reasons.entry(reason).or_default() += 1;
            }
        }
    }
    for ((size, verdict), [all, fired, erred]) in &shares {
        let code = verdict.code();
        println!("{size}×{size} {code:16} {all:6}, fired {fired:6}, went wrong {erred:6}");
    }
    println!("not proved: {reasons:#?}");
    let fired =
        |verdict| SIZES.iter().any(|&s| shares.get(&(s, verdict)).is_some_and(|n| n[1] > 0));
    let judged: usize = shares.values().map(|share| share[0]).sum();
    let all_sorts = fired(Verdict::Sound) && fired(Verdict::Unsound);
    assert!(judged < 100 || all_sorts, "some that are true and some that are not, firing");
}

#[test]
fn all_ways_agree() {
    let all = each(wanted(60, 2_000), 42, |written, choices| {
        let size = choices.pick(&[4, 4, 4, 6, 9]);
        agree(written, size, choices)
    });
    let mut sum = Compared::default();
    all.iter().for_each(|more| sum.add(*more));
    println!("{} rule files: {sum:?}", all.len());
    assert!(sum.matches > 0 && sum.steps > 0 && sum.misses > 0 && sum.claims > 0, "{sum:?}");
}
