//! Hostile input: everything ends, in bounded memory, with a sentence. `docs/limits.md` has the
//! limits. Every command here may take a gigabyte of address space and no more.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// KiB of address space.
const MEMORY: u64 = 1 << 20;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("dokulog-limit-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), bytes).expect("a file");
    }

    /// Exit code, the end of standard output and of standard error.
    fn run(&self, line: &str) -> (i32, String, String) {
        let program = env!("CARGO_BIN_EXE_dokulog");
        let script = format!("ulimit -v {MEMORY}; exec '{program}' {line}");
        let output = Command::new("bash")
            .args(["-c", &script])
            .current_dir(&self.0)
            .stdin(Stdio::null())
            .output()
            .expect("a shell");
        let code = output.status.code();
        let text = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes).into_owned();
            text.lines().last().unwrap_or_default().to_string()
        };
        (code.unwrap_or(-1), text(&output.stdout), text(&output.stderr))
    }

    /// The exit code and what the last line of standard error says, in part.
    fn check(&self, line: &str, code: i32, says: &str) {
        let (found, out, err) = self.run(line);
        assert!(found == code && err.contains(says), "{line}: {found}\n{out}\n{err}");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const PUZZLE: &str =
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..\n";

#[test]
fn long_lines_and_large_files() {
    let folder = Folder::new("large");
    folder.write("line", "1".repeat(40 << 20));
    for command in ["deduce", "solve", "count", "convert"] {
        folder.check(&format!("{command} -q line"), 1, "line: no puzzle found");
    }
    for command in ["explain", "hint", "rate", "detect", "fire naked_single"] {
        folder.check(&format!("{command} line"), 2, "line: larger than 32 MiB");
    }
    // The first lines are puzzles, then comes one without an end.
    folder.write("late", PUZZLE.repeat(1_000) + &".".repeat(2 << 20));
    folder.check("solve -q -o - late", 1, "late:1001: a line is longer than 1 MiB");
    folder.check("detect late", 1, "late:1001: a line is longer than 1 MiB");
    // Many small puzzles: two kinds of command, two answers.
    folder.write("many", "1...............\n".repeat(600_000));
    folder.check("rate -q many", 2, "many: more than 500,000 puzzles");
    folder.check("convert -q -o - many", 0, "");
    folder.check("hint --puzzle 7 many", 0, "");
}

#[test]
fn brackets_nul_bytes_and_noise() {
    let folder = Folder::new("noise");
    folder.write("open", "[".repeat(1 << 19));
    folder.write("lines", "[\n".repeat(1 << 20));
    folder.write("wide", "[[".to_string() + &"1,".repeat(1 << 18));
    folder.write("braces", "{\"a\":".repeat(1 << 19));
    folder.write("tags", "<game data=\"".repeat(1 << 16));
    folder.write("colons", ":".repeat(1 << 20));
    for name in ["open", "lines", "wide"] {
        folder.check(&format!("solve -q {name}"), 1, "list is not closed");
        folder.check(&format!("explain {name}"), 1, "list is not closed");
    }
    for name in ["braces", "tags", "colons"] {
        let (code, _, err) = folder.run(&format!("solve -q {name}"));
        assert!(code == 1 && err.starts_with(name), "{name}: {code} {err}");
    }
    folder.write("nul", [0; 1000]);
    folder.check("explain nul", 1, "nul: not a puzzle file: binary data");
    folder.write(
        "noise",
        (0..1u32 << 20).map(|i| (i.wrapping_mul(i) >> 7) as u8).collect::<Vec<u8>>(),
    );
    folder.check("solve -q noise", 1, "noise: not a puzzle file: binary data");
}

#[test]
fn folders_that_lead_back_and_things_that_are_no_files() {
    let folder = Folder::new("loop");
    fs::create_dir(folder.0.join("in")).expect("a folder");
    folder.write("in/a.sud", PUZZLE);
    symlink("..", folder.0.join("in/up")).expect("a link");
    symlink("self", folder.0.join("in/self")).expect("a link");
    let made = Command::new("mkfifo").arg(folder.0.join("in/pipe")).status();
    assert!(made.expect("mkfifo runs").success());
    folder.check("solve -q in", 0, "");
    assert!(folder.0.join("in/a.p2").is_file());
    folder.check("solve -q in/self", 2, "in/self: ");
    fs::create_dir(folder.0.join("rules")).expect("a folder");
    symlink("..", folder.0.join("rules/up")).expect("a link");
    folder.check("deduce -q --rules rules -o - in/a.sud", 0, "");
    folder.check("explain /dev/zero", 2, "/dev/zero: larger than 32 MiB");
    folder.check("check /dev/zero", 1, "1 file: 1 error");
    folder.check("solve -q -o - /dev/null", 1, "/dev/null: file is empty");
}

fn rule(body: &str) -> String {
    format!("rule mine \"Mine\" {{\n    level 1.\n    {body}\n}}\n")
}

#[test]
fn rule_files_too_large_or_too_deep() {
    let folder = Folder::new("rules");
    let refused = |name: &str, text: String, says: &str| {
        folder.write(name, text);
        let (code, _, err) = folder.run(&format!("check {name}"));
        assert_eq!((code, err.starts_with("1 file: ")), (1, true), "{name}: {err}");
        let all = Command::new(env!("CARGO_BIN_EXE_dokulog"))
            .args(["check", name])
            .current_dir(&folder.0)
            .output()
            .expect("the program runs");
        let all = String::from_utf8_lossy(&all.stdout).into_owned();
        assert!(all.contains(says), "{name}: {all}");
    };
    refused("large.rules", "% x\n".repeat(10 << 20), "1 MB is the limit");
    let deep = format!("place(C, D) :- C in {}C{}.", "{".repeat(5000), "}".repeat(5000));
    refused("deep.rules", rule(&deep), "more than 64 brackets are open here");
    let long = format!("place(C, D) :- {}given(C).", "not ".repeat(10_000));
    refused("long.rules", rule(&long), "longer than 16384 characters");
    let row = format!("place(C, D) :- C in unsolved{}.", " + unsolved".repeat(100));
    refused("row.rules", rule(&row), "more than 64 terms in one row of signs");
    refused("number.rules", rule("place(C, D) :- 99999999 < 3."), "numbers go up to 1000000");
    let foralls = "eliminate(C, D) :- C in unsolved, D in digits, \
        forall X in rows : (forall Y in rows : (forall Z in rows : (X != Z, Y != Z))).";
    refused("forall.rules", rule(foralls), "stands inside 2 others");
    let many = (0..10_001).map(|i| format!("h{i}(C) :- given(C).\n")).collect();
    refused("many.rules", many, "more than 10000 helpers or rules");
    folder.write("bytes.rules", b"rule \xff");
    folder.check("check bytes.rules", 2, "bytes.rules:1: not a rule file: the text is not UTF-8");
}

#[test]
fn recursion_that_grows_is_cut_off() {
    let folder = Folder::new("grows");
    folder.write("a.sud", PUZZLE);
    let helper = "grown(S) :- C in unsolved, S = {C}.\n\
        grown(T) :- grown(S), C in unsolved, T = S + {C}.\n";
    // What is denied of a helper that was cut off would be wrong: r1c2 is 6 in the solution.
    let wrong = "eliminate(r1c2, 6) :- T = unsolved, not grown(T).";
    folder.write("sets.rules", helper.to_string() + &rule(wrong));
    let cut_off = "rule mine: there is too much to try, and it was cut off";
    let (code, out, err) = folder.run("deduce -q --rules sets.rules --to json -o - a.sud");
    assert!(code == 1 && err.contains(cut_off), "{code} {err}");
    assert!(out.contains("\"cut_off\":[\"mine\"]"), "{out}");
    let (_, out, err) = folder.run("explain --budget 1000000 --rules sets.rules a.sud");
    assert!(out.starts_with("Stuck after 1 step") && err.contains(cut_off), "{out}\n{err}");
    let counter = "count(N) :- N = 1.\ncount(M) :- count(N), M = N + 1, M <= 1000000.\n";
    let endless = "place(C, D) :- count(N), N > 5, candidates(C) within {D}, C in unsolved.";
    folder.write("numbers.rules", counter.to_string() + &rule(endless));
    folder.check("fire mine --budget 1000000 --rules numbers.rules a.sud", 1, "too much to try");
    folder.check(
        "query --budget 1000000 'Xs in choose(20, unsolved), Xs within row(r1c1)' a.sud",
        1,
        "too much",
    );
}

#[test]
fn proofs_end() {
    let folder = Folder::new("proofs");
    let choose = "eliminate(Cs, D) :- Cs in choose(20, unsolved), candidates(Cs) within {D}.";
    folder.write("choose.rules", rule(choose));
    let (code, out, _) = folder.run("prove choose.rules");
    assert_eq!((code, out.as_str()), (0, "  the budget ran out"));
}

#[test]
fn searches_end() {
    let folder = Folder::new("searches");
    for size in [16, 25] {
        folder.write(&format!("{size}.sud"), ("0".repeat(size) + "\n").repeat(size));
        for command in ["deduce -q -o -", "solve -q -o -", "explain", "hint", "rate"] {
            folder.check(&format!("{command} {size}.sud"), 0, "");
        }
    }
    folder.check("solve --all --limit 1000000 16.sud", 2, "--help");
    folder.check("solve -q -j 100000 -o - 16.sud", 0, "");
}
