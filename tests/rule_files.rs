//! Rule files that nobody would write: `check` and `prove` come to an end with a sentence, within
//! the memory that they may take.
//!
//! A few by default; `DOKULOG_FILES=N` asks for N, from `DOKULOG_FROM=N` on; `DOKULOG_LONG_TESTS=1`
//! asks for ten thousand, and holds each to the processor time that is promised, too.
#![cfg(unix)]

#[path = "../fuzz/src/choices.rs"]
mod choices;
#[path = "../fuzz/src/files.rs"]
mod files;
#[path = "../fuzz/src/writing/mod.rs"]
mod writing;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use dokulog::random::Random;

use files::{Odd, odd};
use writing::bundled_seeds;

/// A command, the address space that it may take in MB, and the processor time in seconds.
type Promise = (&'static str, u64, f64);
const CHECK: Promise = ("check", 500, 5.0);
const PROVE: Promise = ("prove", 1_000, 30.0);
/// Of so many small files, one is proved, too.
const PROVED: u64 = 10;
/// Seconds after which something hangs.
const HANGS: u64 = 120;

/// By command and sort: how many files there were, and the longest time.
type Longest = BTreeMap<(&'static str, &'static str), (u64, f64)>;

/// What a run took, or what is wrong with it.
fn run((command, memory, seconds): Promise, file: &Path) -> Result<f64, String> {
    let program = env!("CARGO_BIN_EXE_dokulog");
    let script = format!(
        "ulimit -v {}; ulimit -t {HANGS}; TIMEFORMAT='%U %S'; time '{program}' {command} \"$1\"",
        memory * 1_024
    );
    let output = Command::new("bash")
        .args(["-c", &script, "bash"])
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .output()
        .expect("a shell");
    let said = String::from_utf8_lossy(&output.stderr);
    let told = || {
        let last: Vec<&str> = said.lines().rev().take(3).collect();
        format!("{command}: {:?} {last:?}", output.status.code())
    };
    // 0: fine, 1: something wrong with the file, 2: not read. A panic is 101, no memory a signal.
    if !matches!(output.status.code(), Some(0..=2)) {
        return Err(told());
    }
    let took: f64 = said
        .lines()
        .last()
        .and_then(|line| line.split(' ').map(|part| part.parse::<f64>().ok()).sum::<Option<f64>>())
        .ok_or_else(told)?;
    if is_long() && took > seconds {
        return Err(format!("{command}: {took} s"));
    }
    Ok(took)
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|n| n.parse().ok())
}

fn is_long() -> bool {
    std::env::var_os("DOKULOG_LONG_TESTS").is_some_and(|value| value == "1")
}

#[test]
fn every_file_ends_with_a_sentence() {
    let seeds = bundled_seeds();
    let from = number("DOKULOG_FROM").unwrap_or(0);
    let count = number("DOKULOG_FILES").unwrap_or(if is_long() { 10_000 } else { 24 });
    let folder = std::env::temp_dir().join(format!("dokulog-odd-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let next = AtomicU64::new(from);
    let failed = Mutex::new(Vec::new());
    let longest: Mutex<Longest> = Mutex::default();
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= from + count {
                break;
            }
            let Odd { sort, bytes, is_small } = odd(&seeds, &mut Random::for_item(43, number));
            let file = folder.join(format!("odd{number}.rules"));
            std::fs::write(&file, &bytes).expect("a file");
            let mut commands = vec![CHECK];
            if is_small && number.is_multiple_of(PROVED) {
                commands.push(PROVE);
            }
            for command in commands {
                match run(command, &file) {
                    Ok(took) => {
                        let mut longest = longest.lock().expect("no one fails with it");
                        let known = longest.entry((command.0, sort)).or_default();
                        *known = (known.0 + 1, known.1.max(took));
                    }
                    Err(why) => {
                        eprintln!("file {number}, {sort}, {} bytes: {why}", bytes.len());
                        failed.lock().expect("no one fails with it").push(number);
                    }
                }
            }
            std::fs::remove_file(&file).expect("it was written");
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, |n| n.get()) {
            scope.spawn(work);
        }
    });
    std::fs::remove_dir_all(&folder).expect("the folder can go");
    for ((command, sort), (count, took)) in longest.into_inner().expect("all are done") {
        println!("{command} {sort}: {count} files, at most {took:.2} s");
    }
    let failed = failed.into_inner().expect("all are done");
    assert!(failed.is_empty(), "files {failed:?}");
}
