//! Rules written at random: what the prover says of them is true, and all ways to run and to tell
//! them agree.
//!
//! A few dozen by default; `DOKULOG_WRITTEN=N` asks for N, from `DOKULOG_FROM=N` on if the first
//! ones are known; `DOKULOG_LONG_TESTS=1` asks for many. Of many rules, most are judged with little
//! work and on one size, and one in [`SAMPLE`] with all of it and on all sizes.

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
use verdicts::{Care, SIZES, Seen, watch};
use writing::sorts::{SORTS, sorts};
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

/// With `DOKULOG_SHOW`, rules that take so many seconds are named; nothing is asserted of them.
const SLOW: u64 = 20;

/// Writes rule files with these numbers and checks each; what the checks return, in order. Failures
/// and panics are shown as they come, and at the end fail the test.
fn each<T: Send>(
    numbers: Range<u64>,
    stream: u64,
    check: impl Fn(u64, &Written, &mut Choices) -> Result<T, String> + Sync,
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
            let checked = catch_unwind(AssertUnwindSafe(|| check(number, &written, &mut choices)))
                .unwrap_or_else(|_| Err(format!("a panic\n{}", written.text)));
            let seconds = begun.elapsed().as_secs();
            if seconds >= SLOW && std::env::var_os("DOKULOG_SHOW").is_some() {
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
/// Of so many, one is judged with care.
const SAMPLE: u64 = 100;

/// What was seen of the rules of a file, on one size and with one care.
struct Judged {
    number: u64,
    size: usize,
    is_sample: bool,
    seen: Vec<Seen>,
}

/// How many files have what.
fn tell<'a>(all: impl Iterator<Item = &'a [bool; SORTS.len()]> + Clone) {
    for (sort, name) in SORTS.iter().enumerate() {
        let count = all.clone().filter(|sorts| sorts[sort]).count();
        println!("with {name}: {count}");
        assert!(count > 0 || all.clone().count() < 1_000, "no rule with {name}");
    }
}

#[test]
fn verdicts_are_true() {
    let all = each(wanted(USUAL, 100_000), 41, |number, written, choices| {
        let is_sample = number % SAMPLE == SAMPLE - 1;
        let (care, sizes) = match is_sample {
            true => (Care::full(), SIZES.to_vec()),
            false => (Care::little(), vec![SIZES[number as usize % SIZES.len()]]),
        };
        let judged = sizes.into_iter().map(|size| {
            let seen = watch(written, size, care, choices)?;
            Ok(Judged { number, size, is_sample, seen })
        });
        let judged = judged.collect::<Result<Vec<_>, String>>()?;
        Ok((written.refused, sorts(&written.rules), judged))
    });
    let refused: usize = all.iter().map(|(refused, ..)| refused).sum();
    println!("{} rule files, {refused} texts refused before", all.len());
    tell(all.iter().map(|(_, sorts, _)| sorts));
    let mut shares: BTreeMap<(bool, usize, Verdict), [usize; 3]> = BTreeMap::new();
    let mut reasons: BTreeMap<(bool, String), usize> = BTreeMap::new();
    for Judged { number, size, is_sample, seen } in all.into_iter().flat_map(|(.., judged)| judged)
    {
        for Seen { verdict, reason, fired, erred } in seen {
            let share = shares.entry((is_sample, size, verdict)).or_default();
            *share = [share[0] + 1, share[1] + usize::from(fired), share[2] + usize::from(erred)];
            // Nothing false is said, but a proof was wrong: worth a look.
            if reason.contains("where the proof says it cannot") {
                println!("rule {number} on {size}×{size}: {reason}");
            }
            if verdict == Verdict::NotProved {
                let reason = reason.split(", among").next().unwrap_or_default().to_string();
                *reasons.entry((is_sample, reason)).or_default() += 1;
            }
        }
    }
    let care = |is_sample: bool| if is_sample { "sample" } else { "little" };
    for ((is_sample, size, verdict), [all, fired, erred]) in &shares {
        let (care, code) = (care(*is_sample), verdict.code());
        println!("{care} {size}×{size} {code:16} {all:6}, fired {fired:6}, went wrong {erred:6}");
    }
    for ((is_sample, reason), count) in &reasons {
        println!("{} not proved {count:6}: {reason}", care(*is_sample));
    }
    let fired = |wanted| shares.iter().any(|((.., verdict), n)| *verdict == wanted && n[1] > 0);
    let judged: usize = shares.values().map(|share| share[0]).sum();
    let all_sorts = fired(Verdict::Sound) && fired(Verdict::Unsound);
    assert!(judged < 100 || all_sorts, "some that are true and some that are not, firing");
}

#[test]
fn all_ways_agree() {
    let all = each(wanted(60, 2_000), 42, |_, written, choices| {
        let size = choices.pick(&[4, 4, 4, 6, 9]);
        Ok((sorts(&written.rules), agree(written, size, choices)?))
    });
    let mut sum = Compared::default();
    all.iter().for_each(|(_, more)| sum.add(*more));
    println!("{} rule files: {sum:?}", all.len());
    tell(all.iter().map(|(sorts, _)| sorts));
    assert!(sum.matches > 0 && sum.steps > 0 && sum.misses > 0 && sum.claims > 0, "{sum:?}");
}
