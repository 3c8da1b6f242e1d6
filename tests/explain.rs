//! What `explain` and its neighbours say, kept as text in `tests/explain`; run with
//! `DOKULOG_BLESS=1` to write it anew, then read it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use dokulog::board::{Candidate, Grid, Layout};
use dokulog::engine::{Engine, Naive, tell};
use dokulog::generate::full_grid;
use dokulog::language::{self, RuleSet, bundled};
use dokulog::random::Random;
use dokulog::trace::{Grounds, Replay, Speaker, Story, Words, holds, record};
use serde_json::{Value, json};

const ESCARGOT: &str = "data/sources/escargot.sud";
const HARD: &str = "data/ladder/4_very_hard.sud";
const MEDIUM: &str = "data/ladder/2_medium.sud";
/// Needs an alternating inference chain.
const CHAIN: &str =
    ".......9..19.4...7..58....6....6287.5...7....6..9..2....45....1.....43....6.37.4.";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All bundled rules.
fn everything() -> RuleSet {
    let sources = [bundled::helpers(), bundled::standard(), bundled::extended()].concat();
    let (rules, diagnostics) = language::load(sources);
    rules.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

/// A puzzle for each number: 21 to 36 clues of a full grid, so with one solution or many.
fn puzzle(number: u64) -> Grid {
    let layout = Layout::classic(9).expect("a classic size");
    let mut random = Random::for_item(6, number);
    let mut puzzle = full_grid(&layout, &mut random);
    let mut order: Vec<usize> = (0..81).collect();
    random.shuffle(&mut order);
    for &cell in &order[21 + (number % 16) as usize..] {
        puzzle[cell] = 0;
    }
    Grid::from_givens(layout, &puzzle).expect("clues of a full grid do not clash")
}

/// Runs the program; what it prints, and its exit code.
fn dokulog(arguments: &[&str]) -> (String, i32) {
    let ran = Command::new(env!("CARGO_BIN_EXE_dokulog"))
        .args(arguments)
        .current_dir(root())
        .output()
        .expect("the program runs");
    let text = String::from_utf8(ran.stdout).expect("text") + &String::from_utf8_lossy(&ran.stderr);
    (text, ran.status.code().expect("an exit code"))
}

/// Compares with what is kept, or keeps it.
fn snapshot(name: &str, text: &str) {
    let path = root().join("tests/explain").join(name);
    if std::env::var_os("DOKULOG_BLESS").is_some() {
        fs::write(&path, text).expect("a file that can be written");
        return;
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(kept, text, "{name} differs from what is kept; DOKULOG_BLESS=1 keeps the new text");
}

fn transcript(name: &str, commands: &[&[&str]]) {
    let mut text = String::new();
    for arguments in commands {
        let (said, code) = dokulog(arguments);
        let shown: Vec<String> = arguments
            .iter()
            .map(|a| if a.contains(' ') { format!("'{a}'") } else { a.to_string() })
            .collect();
        text += &format!("$ dokulog {}\n{said}", shown.join(" "));
        if code != 0 {
            text += &format!("(exit code {code})\n");
        }
        text.push('\n');
    }
    snapshot(name, &text);
}

#[test]
fn steps_in_english_and_in_french() {
    transcript("hard.en.txt", &[&["explain", HARD]]);
    transcript("hard.fr.txt", &[&["explain", HARD, "--lang", "fr"]]);
    transcript(
        "brief.txt",
        &[
            &["explain", HARD, "--brief"],
            &["explain", HARD, "--brief", "--lang", "fr", "--notation", "a1"],
            &["explain", "data/sizes/6.sud", "--brief"],
            &["explain", MEDIUM, "--until", "pointing", "--from-step", "2"],
            &["explain", MEDIUM, "--step", "1"],
            &["explain", MEDIUM, "--step", "1000"],
            &["explain", MEDIUM, "--until", "naked_subset:4"],
            &["explain", MEDIUM, "--until", "no_such_rule"],
        ],
    );
}

#[test]
fn chains_are_unfolded_link_by_link() {
    let only = "naked_single,hidden_single,pointing,claiming,naked_subset:2,x_chain,xy_chain,aic";
    transcript(
        "chains.txt",
        &[
            &["explain", CHAIN, "--only", only, "--brief"],
            &["explain", CHAIN, "--only", only, "--brief", "--lang", "fr"],
        ],
    );
}

#[test]
fn rules_without_a_template_are_explained_by_what_they_say() {
    let rules = ["--rules", "tests/explain/plain.rules", "--only", "lonely,last_spot,two_cells"];
    let explain = |more: &[&'static str]| [&["explain", MEDIUM][..], &rules, more].concat();
    transcript("plain.txt", &[&explain(&["--brief"]), &explain(&["--lang", "fr"])]);
}

#[test]
fn hints_say_as_much_as_asked_for() {
    let hint = |level| vec!["hint", HARD, "--level", level];
    let french = ["hint", HARD, "--level", "4", "--lang", "fr"];
    let stuck = ["hint", ESCARGOT];
    let none = ["hint", ESCARGOT, "--only", "naked_single"];
    transcript(
        "hint.txt",
        &[&hint("1"), &hint("2"), &hint("3"), &hint("4"), &french, &stuck, &none],
    );
}

#[test]
fn why_names_the_steps_a_digit_rests_on() {
    transcript(
        "why.txt",
        &[
            &["why", "r1c1", MEDIUM],
            &["why", "r1c1=1", MEDIUM],
            &["why", "r1c2=2", MEDIUM],
            &["why", "r1c3=3", MEDIUM],
            &["why", "r2c2!=5", MEDIUM, "--lang", "fr"],
            &["why", "r1c2", ESCARGOT],
            &["why", "r1c2=9", ESCARGOT],
            &["why", "r1c2=1", ESCARGOT],
            &["why", "r0c2=1", ESCARGOT],
            &["why", "r1c2=12", ESCARGOT],
        ],
    );
}

#[test]
fn why_not_names_the_condition_that_fails() {
    transcript(
        "why_not.txt",
        &[
            &["why-not", "naked_subset:2", ESCARGOT],
            &["why-not", "pointing", "B=box1,D=2", ESCARGOT],
            &["why-not", "xy_wing", ESCARGOT, "--stuck"],
            &["why-not", "hidden_subset:2", "H=row1", ESCARGOT, "--lang", "fr"],
            &["why-not", "fish:2", "D=1,Base={row1,row2}", ESCARGOT],
            &["why-not", "hidden_single", ESCARGOT],
            &["why-not", "naked_single", MEDIUM],
            &["why-not", "x_chain", "D=7", ESCARGOT, "--format", "json"],
            &["why-not", "pointing", "B=r1c1", ESCARGOT],
            &["why-not", "pointing", "Q=r1c1", ESCARGOT],
            &["why-not", "pointin", ESCARGOT],
        ],
    );
}

#[test]
fn a_collection_is_summed_up() {
    let ladder: Vec<&str> = ["1_easy", "2_medium", "3_hard", "4_very_hard", "5_diabolical"]
        .iter()
        .map(|name| &*format!("data/ladder/{name}.sud").leak())
        .collect();
    let with =
        |command: &'static str, more: &[&'static str]| [&[command][..], &ladder, more].concat();
    transcript(
        "stats.txt",
        &[&with("stats", &[]), &with("rate", &[]), &with("rate", &["--format", "json"])],
    );
    snapshot("stats.svg", &dokulog(&with("stats", &["--format", "svg"])).0);
    let (text, _) = dokulog(&with("stats", &["--format", "json"]));
    let stats: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(stats["puzzles"], 5);
    assert_eq!(stats["solved"], 4);
    assert_eq!(stats["stuck"], 1);
}

#[test]
fn a_worksheet_shows_the_position_before_a_rule() {
    let (sheet, code) = dokulog(&["worksheet", HARD, "--before", "hidden_subset"]);
    assert_eq!(code, 0);
    snapshot("worksheet.svg", &sheet);
    assert!(!sheet.contains("class=\"strike\""), "a worksheet gives nothing away");
    let args = ["worksheet", HARD, "--before", "hidden_subset", "--format", "html", "--answer"];
    let (page, _) = dokulog(&args);
    snapshot("worksheet.html", &page);
    assert!(page.contains("class=\"strike\"") && page.contains("break-before: page"));
    let (said, code) = dokulog(&["worksheet", MEDIUM, "--before", "naked_subset:4"]);
    assert_eq!((said.as_str(), code), ("dokulog: naked_subset:4 is not used on this puzzle\n", 1));
}

#[test]
fn pictures_of_every_size_are_well_formed() {
    for size in ["4", "6", "12", "16", "25"] {
        let file = format!("data/sizes/{size}.sud");
        let (svg, code) = dokulog(&["explain", &file, "--format", "svg", "--step", "1"]);
        assert_eq!(code, 0, "{size}: {svg}");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{size}");
        for tag in ["g", "text", "svg", "title"] {
            let opened =
                svg.matches(&format!("<{tag} ")).count() + svg.matches(&format!("<{tag}>")).count();
            assert_eq!(opened, svg.matches(&format!("</{tag}>")).count(), "{size}: <{tag}>");
        }
        assert!(svg.contains("class=\"box\"") || svg.contains("class=\"strike\""), "{size}");
    }
    snapshot("step.svg", &dokulog(&["explain", MEDIUM, "--format", "svg", "--step", "2"]).0);
}

#[test]
fn the_puzzle_file_is_never_overwritten() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("kept.sud");
    fs::copy(root().join(MEDIUM), &path).expect("a copy");
    let path = path.to_str().expect("a path in Unicode");
    let (said, code) = dokulog(&["explain", path, "--format", "html", "-o", path]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("inputs are never overwritten"), "{said}");
    assert_eq!(fs::read(path).ok(), fs::read(root().join(MEDIUM)).ok());
}

#[test]
fn every_bundled_rule_speaks_both_languages() {
    for rule in everything().rules() {
        let explanation = rule.explanation.as_ref().expect("a reason");
        for templates in [&rule.titles, &explanation.sentences] {
            let languages: Vec<&str> = templates.iter().map(|t| t.language.as_str()).collect();
            assert_eq!(languages, ["en", "fr"], "{}", rule.name);
        }
    }
}

/// Rules for a puzzle: chains are slow to derive by definition, so not every puzzle gets them.
fn rules_for(number: u64, all: &RuleSet, quick: &RuleSet) -> RuleSet {
    if number.is_multiple_of(20) { all.clone() } else { quick.clone() }
}

fn without_chains(rules: &RuleSet) -> RuleSet {
    rules.keep(|_, instance| instance.level < 59 && !instance.name.starts_with("finned"))
}

fn story(rules: &RuleSet, number: u64) -> Story {
    let grid = puzzle(number);
    tell(rules, &mut Engine::assuming_unique(rules, grid.layout()).worker(), &grid)
}

fn trace(rules: &RuleSet, story: &Story) -> Vec<Value> {
    let words = Words::plain(story.end.layout().clone());
    let speaker = Speaker { rules, words: &words };
    let steps = story.steps.iter().enumerate();
    steps
        .map(|(i, step)| {
            serde_json::to_value(record::write(&speaker, i + 1, step, &[])).expect("an object")
        })
        .collect()
}

#[test]
fn a_replay_accepts_every_trace() {
    let all = everything();
    let quick = without_chains(&all);
    let long = std::env::var_os("DOKULOG_LONG_TESTS").is_some_and(|value| value == "1");
    let count = if long { 1000 } else { 100 };
    let mut steps = 0;
    for number in 0..count {
        let rules = rules_for(number, &all, &quick);
        let story = story(&rules, number);
        let mut replay = Replay::new(&all, Some(story.start().clone()));
        for object in trace(&rules, &story) {
            // Through text and back, as a file would hold it.
            let object = serde_json::from_str(&object.to_string()).expect("JSON");
            replay.step(&object).unwrap_or_else(|refusal| panic!("puzzle {number}, {refusal}"));
        }
        assert_eq!(replay.state().unwrap_or(&story.end), &story.end);
        steps += replay.steps();
    }
    println!("{count} puzzles, {steps} steps accepted");
}

/// The step at which a trace is refused, and why.
fn refused(rules: &RuleSet, start: &Grid, trace: &[Value]) -> Option<(usize, String)> {
    let mut replay = Replay::new(rules, Some(start.clone()));
    trace.iter().find_map(|object| replay.step(object).err()).map(|r| (r.step, r.reason))
}

#[test]
fn a_replay_refuses_a_trace_with_one_thing_wrong() {
    let rules = everything();
    let quick = without_chains(&rules);
    for number in [1, 2, 7] {
        let story = story(&quick, number);
        let start = story.start();
        let sound = trace(&quick, &story);
        assert_eq!(refused(&rules, start, &sound), None);
        for step in (0..sound.len()).step_by(5) {
            // One elimination too many, of a candidate that was there.
            let before = &story.steps[step].before;
            let taken = &story.steps[step].account.found.conclusion;
            let mut live = before.unsolved().into_iter().flat_map(|cell| {
                before.candidates(cell).into_iter().map(move |digit| Candidate { cell, digit })
            });
            let wrong = live.find(|c| !taken.eliminates.contains(c)).expect("open candidates");
            let name = before.layout().cell_name(wrong.cell);
            let mut tampered = sound.clone();
            let list = tampered[step]["eliminates"].as_array_mut().expect("a list");
            list.push(json!({"cell": name, "digit": wrong.digit.number()}));
            let (at, reason) = refused(&rules, start, &tampered).expect("refused");
            assert_eq!(at, step + 1, "{reason}");
            assert_eq!(reason, format!("{name}≠{} does not follow", wrong.digit));
            // One effect left out.
            let mut tampered = sound.clone();
            for list in ["places", "eliminates"] {
                tampered[step][list].as_array_mut().expect("a list").pop();
            }
            assert_eq!(refused(&rules, start, &tampered).map(|r| r.0), Some(step + 1));
            // A step missing: the next one is numbered wrongly, and starts elsewhere.
            let mut tampered = sound.clone();
            tampered.remove(step);
            if step < tampered.len() {
                assert_eq!(refused(&rules, start, &tampered).map(|r| r.0), Some(step + 1));
            }
            // Another state than was reached.
            let mut tampered = sound.clone();
            let state = tampered[step]["before"].as_str().expect("a state").replacen('1', ".", 1);
            tampered[step]["before"] = json!(state);
            assert_eq!(refused(&rules, start, &tampered).map(|r| r.0), Some(step + 1));
            // Other bindings; a rule that is not there; no bindings; a null.
            for (field, value) in [
                ("bindings", json!({})),
                ("rule", json!("no_such_rule")),
                ("clause", json!(9)),
                ("premises", json!([])),
                ("step", json!(1000)),
            ] {
                let mut tampered = sound.clone();
                tampered[step][field] = value;
                let at = refused(&rules, start, &tampered).map(|r| r.0);
                assert_eq!(at, Some(step + 1), "{field}");
            }
            for (name, _) in sound[step]["bindings"].as_object().expect("bindings").clone() {
                let mut tampered = sound.clone();
                tampered[step]["bindings"][&name] = Value::Null;
                let at = refused(&rules, start, &tampered).map(|r| r.0);
                assert_eq!(at, Some(step + 1), "{name}");
            }
        }
    }
}

#[test]
fn the_program_names_the_step_that_is_refused() {
    let (trace, code) = dokulog(&["explain", HARD, "--format", "json"]);
    assert_eq!(code, 0);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join("trace.jsonl");
    let shown = path.to_str().expect("a path in Unicode");
    fs::write(&path, &trace).expect("a file that can be written");
    let (said, code) = dokulog(&["replay", shown, "--start", HARD]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("each one follows"), "{said}");
    let mut lines: Vec<Value> =
        trace.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    lines[6]["eliminates"] = json!([{"cell": "r9c9", "digit": 9}]);
    let tampered: Vec<String> = lines.iter().map(Value::to_string).collect();
    fs::write(&path, tampered.join("\n")).expect("a file that can be written");
    let (said, code) = dokulog(&["replay", shown]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("refused: step 7:"), "{said}");
    fs::write(&path, "no trace").expect("a file that can be written");
    assert_eq!(dokulog(&["replay", shown]).1, 2);
    let (said, code) = dokulog(&["replay", shown, "--start", "no_such_file"]);
    assert_eq!(code, 2, "{said}");
}

#[test]
fn what_a_step_rests_on_is_enough_for_it() {
    let all = everything();
    let rules = without_chains(&all);
    let naive = Naive::new(&rules);
    for number in 0..12 {
        let story = story(&rules, number);
        let grounds = Grounds::of(&rules, &story, &naive);
        for step in 0..story.steps.len() {
            let mut grid = story.start().clone();
            for &needed in &grounds.all[step] {
                let account = &story.steps[needed].account;
                assert!(
                    holds(&rules, account, &grid, &naive),
                    "puzzle {number}, step {}",
                    needed + 1
                );
                account.found.conclusion.apply(&mut grid);
            }
            assert!(holds(&rules, &story.steps[step].account, &grid, &naive), "puzzle {number}");
        }
    }
}
