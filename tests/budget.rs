//! Rules that ask for too much: every command comes to an end and says what was cut off.

use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

const HARD: &str =
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";

/// Eight cells and next to nothing said about them: the join has a plan, but not the time.
const CELLS: &str = r#"
rule cells "Eight cells" {
    level 90.
    eliminate(A, D) :-
        A in unsolved, B in unsolved, C in unsolved, E in unsolved, F in unsolved, G in unsolved,
        H in unsolved, I in unsolved, live(A, D),
        A < B, B < C, C < E, E < F, F < G, G < H, H < I,
        |candidates({A, B, C, E, F, G, H, I})| <= 2.
    explain "they are {A}, {B}, {C}, {E}, {F}, {G}, {H}, {I}".
}
"#;

/// A helper that unites sets: there is no plan for it, so it is done by the definition.
const SETS: &str = r#"
grown(S, H) :- H in houses, S in choose(2, unsolved & H).
grown(S, H) :- grown(T, H), grown(U, H), S = T + U.
rule sets "Growing sets" {
    level 91.
    eliminate(A, D) :- grown(S, H), A in H \ S, live(A, D), |candidates(S)| <= 1.
    explain "{S} in {H}".
}
"#;

/// What a command writes to standard output and standard error, and its exit code.
fn run(rules: &str, arguments: &[&str]) -> (String, String, Option<i32>) {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let folder =
        std::env::temp_dir().join(format!("dokulog-budget-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("some.rules"), rules).expect("a file");
    std::fs::write(folder.join("hard.sud"), HARD).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_dokulog"))
        .args(arguments)
        .args(["--budget", "20000", "--rules", "some.rules"])
        .current_dir(&folder)
        .output()
        .expect("the program runs");
    std::fs::remove_dir_all(&folder).expect("the folder can go");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn the_back_ends_are_those_meant() {
    let (plan, _, _) = run(CELLS, &["rules", "cells", "--plan"]);
    assert!(plan.contains("join"), "{plan}");
    let (plan, _, _) = run(SETS, &["rules", "sets", "--plan"]);
    assert!(plan.contains("naive evaluator"), "{plan}");
}

#[test]
fn deduce_tells_which_rule_was_cut_off() {
    for (rules, name) in [(CELLS, "cells"), (SETS, "sets")] {
        let said = format!("rule {name}: there is too much to try, and it was cut off");
        let (out, err, code) = run(rules, &["deduce", "-o", "-", "hard.sud"]);
        assert_eq!(code, Some(1), "{out}{err}");
        assert!(err.contains(&said), "{err}");
        let (out, err, code) = run(rules, &["deduce", "-o", "-", "--to", "json", "hard.sud"]);
        assert_eq!(code, Some(1), "{err}");
        let object: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(object["cut_off"], serde_json::json!([name]), "{out}");
        assert_eq!(object["status"], "stuck");
    }
}

#[test]
fn every_command_ends_and_says_so() {
    for rules in [CELLS, SETS] {
        for command in ["explain", "rate", "stats"] {
            let (out, err, code) = run(rules, &[command, "hard.sud"]);
            assert_eq!(code, Some(1), "{command}: {out}{err}");
            assert!(err.contains("it was cut off"), "{command}: {err}");
        }
        let (out, err, code) = run(rules, &["solve", "-o", "-", "hard.sud"]);
        assert_eq!(code, Some(0), "{out}{err}");
        assert!(!out.contains('.') && err.contains("it was cut off"), "{out}{err}");
        let (_, err, code) = run(rules, &["hint", "hard.sud"]);
        assert_eq!(code, Some(0), "{err}");
    }
}

/// What only a run that tried everything may say.
const COMPLETE: [&str; 4] =
    ["anything left to say", "plus rien à dire", "beyond these rules", "of these rules applies"];

#[test]
fn a_run_that_was_cut_off_does_not_claim_to_be_complete() {
    for (rules, name) in [(CELLS, "cells"), (SETS, "sets")] {
        for (arguments, code) in [
            (&["explain", "hard.sud"][..], 1),
            (&["explain", "hard.sud", "--lang", "fr"], 1),
            (&["explain", "hard.sud", "--brief"], 1),
            (&["explain", "hard.sud", "--format", "html"], 1),
            (&["hint", "hard.sud", "--only", name], 1),
            (&["why", "r1c2", "hard.sud"], 0),
            (&["rate", "hard.sud"], 1),
            (&["rate", "hard.sud", "--format", "json"], 1),
            (&["stats", "hard.sud"], 1),
            (&["stats", "hard.sud", "--format", "svg"], 1),
        ] {
            let (out, err, ended) = run(rules, arguments);
            assert_eq!(ended, Some(code), "{arguments:?}: {out}{err}");
            assert!(err.contains("cut off"), "{arguments:?}: {err}");
            let claim = COMPLETE.iter().find(|claim| out.contains(**claim));
            assert_eq!(claim, None, "{arguments:?}: {out}");
        }
    }
    let (out, _, _) = run(CELLS, &["explain", "hard.sud"]);
    assert!(out.ends_with("but rules were cut off, and more may follow from them.\n"), "{out}");
    let (out, _, _) = run(CELLS, &["why", "r1c2", "hard.sud"]);
    assert!(out.starts_with("These rules, some of which were cut off, do not decide"), "{out}");
}
