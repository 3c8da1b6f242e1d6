//! `generate` and `race` as a person runs them.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

fn dokulog(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dokulog")).args(arguments).output().expect("dokulog runs")
}

fn printed(arguments: &[&str]) -> String {
    let output = dokulog(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// A folder of its own for a test, gone when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("dokulog-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary folder");
        Folder(path)
    }
    fn file(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_same_seed_makes_the_same_puzzles_whatever_the_threads() {
    let one = printed(&["generate", "--count", "40", "--seed", "3", "-j1"]);
    let two = printed(&["generate", "--count", "40", "--seed", "3", "-j2"]);
    assert_eq!(one, two);
    assert_eq!(one.lines().count(), 40);
}

#[test]
fn an_interrupted_run_goes_on_where_it_was() {
    let folder = Folder::new("resume");
    let (whole, again) = (folder.file("whole"), folder.file("again"));
    for form in ["line", "rows"] {
        let made = ["generate", "--count", "30", "--to", form, "-o"];
        printed(&[&made[..], &[&whole]].concat());
        let text = fs::read_to_string(&whole).expect("the puzzles");
        // An unfinished file says what it is to become: so one is begun, and left half-made.
        let less = ["generate", "--count", "30", "--to", form, "-o"];
        let begun = Command::new("bash")
            .args(["-c", "ulimit -f 1; trap '' XFSZ; exec \"$0\" \"$@\""])
            .args([env!("CARGO_BIN_EXE_dokulog")])
            .args([&less[..], &[&again]].concat())
            .output()
            .expect("a shell");
        assert_eq!(begun.status.code(), Some(2), "{}", String::from_utf8_lossy(&begun.stderr));
        assert!(PathBuf::from(folder.file("again.partial")).exists());
        printed(&[&made[..], &[&again, "--resume"]].concat());
        assert_eq!(fs::read_to_string(&again).expect("the puzzles"), text);
        assert!(!PathBuf::from(folder.file("again.partial")).exists());
    }
}

#[test]
fn a_required_rule_is_really_required() {
    let folder = Folder::new("requires");
    let list = folder.file("list");
    printed(&["generate", "--requires", "naked_subset:2", "--count", "4", "-o", &list]);
    let solved = |options: &[&str]| {
        let text =
            printed(&[&["deduce", "-q", "--to", "line", "-o", "-"], options, &[&list]].concat());
        text.lines().filter(|line| !line.contains('.')).count()
    };
    assert_eq!((solved(&[]), solved(&["--without", "naked_subset:2"])), (4, 0));
}

#[test]
fn levels_clues_and_sizes_are_as_asked() {
    for line in printed(&["generate", "--clues", "26..28", "--count", "5"]).lines() {
        assert!((26..=28).contains(&line.bytes().filter(|byte| *byte != b'.').count()));
    }
    for size in ["4", "6", "12", "16"] {
        let line = printed(&["generate", "--size", size, "--seed", "2"]);
        let size: usize = size.parse().expect("a number");
        assert_eq!(line.trim_end().len(), size * size);
    }
}

#[test]
fn what_cannot_be_made_is_said() {
    for (arguments, sentence) in [
        (&["generate", "--size", "7"][..], "there is no size 7"),
        (&["generate", "--clues", "5..3"], "5 is more than 3"),
        (&["generate", "--clues", "5", "--attempts", "3"], "none as asked in 3 attempts"),
        (&["generate", "--requires", "nothing"], "there is no rule nothing"),
        (&["race", "data/sources", "--methods", "magic"], "no method is called `magic`"),
    ] {
        let output = dokulog(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(sentence), "{arguments:?}: {said}");
    }
}

#[test]
fn a_race_shows_every_method() {
    let folder = Folder::new("race");
    let (puzzle, plot) = (folder.file("four.sud"), folder.file("plot.svg"));
    fs::write(&puzzle, "1..4\n.41.\n.14.\n4..1\n").expect("a writable file");
    let methods = "rules,p2a,p2b,tree,backtrack,sorted,memo,anneal,entropy-sum,entropy-cell,\
                   entropy-sum-source,entropy-cell-source";
    let table = printed(&["race", &puzzle, "--methods", methods, "--plot", &plot]);
    for method in methods.split(',') {
        let row = table.lines().find(|line| line.contains(&format!("{method} ")));
        assert!(row.is_some_and(|row| row.contains("yes")), "{method}:\n{table}");
    }
    assert!(fs::read_to_string(&plot).expect("a picture").starts_with("<svg"));
}

#[test]
fn a_method_that_finds_nothing_says_so() {
    let escargot = concat!(env!("CARGO_MANIFEST_DIR"), "/data/sources/escargot.sud");
    let methods = "entropy-cell,entropy-sum,entropy-cell-source,entropy-sum-source,anneal,tree";
    let table = printed(&["race", escargot, "--methods", methods, "--work", "5000"]);
    assert_eq!(table.matches("none").count(), 6, "{table}");
}

#[test]
fn cross_entropy_solves_what_rules_leave() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
    let of = |files: [&str; 3]| files.map(|file| format!("{data}/{file}.sud"));
    let methods = ["--methods", "entropy-cell,entropy-sum"];
    for (files, only) in [
        (of(["sizes/4", "sizes/6", "ladder/5_diabolical"]), &[][..]),
        (of(["sizes/4", "sizes/6", "ladder/2_medium"]), &["--only", "naked_single"]),
    ] {
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let table = printed(&[&["race"][..], &files, &methods, only].concat());
        assert_eq!(table.matches(" yes ").count(), 6, "{table}");
    }
}
