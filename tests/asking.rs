//! `fire`, `query` and `test` as people run them: what goes in, what comes out.

use std::io::Write;
use std::process::{Command, Stdio};

const PAIRS: &str =
    "957842163..1763925236159874..96...575....768976.9.5.31...596712692371548175...396";
/// 434 solutions.
const MANY: &str =
    "9..1....5..5.9.2.18...4........8.......7.........26..92..3....6...2..9....19.457.";

/// Runs the program with the text as standard input: exit code, output, messages.
fn run(arguments: &[&str], input: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dokulog"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that refuses its arguments does not read.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

#[test]
fn fire_tells_every_effect_once() {
    let (code, out, message) = run(&["fire", "naked_subset:2", "-"], PAIRS);
    let expected = "\
Naked pair: in column 2, the two cells r2c2 and r7c2 hold only 4 and 8
  r4c2≠4/8, r5c2≠4
  H = column 2, Cs = r2c2 and r7c2, Ds = 4 and 8
Naked pair: in column 5, the two cells r6c5 and r9c5 hold only 2 and 8
  r4c5≠2/8, r5c5≠2
  H = column 5, Cs = r6c5 and r9c5, Ds = 2 and 8
";
    assert_eq!((code, out.as_str(), message.as_str()), (0, expected, "2 matches\n"));
}

#[test]
fn fire_writes_an_object_a_match() {
    let arguments = ["-q", "fire", "unique_rectangle", "-", "--format", "json"];
    let (code, out, message) = run(&arguments, PAIRS);
    let expected = concat!(
        r#"{"rule":"unique_rectangle","params":{},"clause":1,"#,
        r#""bindings":{"T":"r7c1","X":4,"Y":8,"A":"r2c2","B":"r2c1","C":"r7c2"},"#,
        r#""places":[],"eliminates":[{"cell":"r7c1","digit":4},{"cell":"r7c1","digit":8}]}"#,
        "\n"
    );
    assert_eq!((code, out.as_str(), message.as_str()), (0, expected, ""));
}

#[test]
fn fire_all_tells_matches_without_effect_too() {
    let few = run(&["fire", "pointing", "-"], PAIRS).1.lines().count();
    let (_, all, _) = run(&["fire", "--all", "pointing", "-"], PAIRS);
    assert!(all.lines().count() > few && all.contains("changes nothing"));
}

#[test]
fn a_rule_that_assumes_one_solution_is_refused_where_there_are_more() {
    let refusal = "dokulog: rule unique_rectangle is for puzzles with one solution, and this one \
                   has none or several\n";
    let (code, out, message) = run(&["fire", "unique_rectangle", "-"], MANY);
    assert_eq!((code, out.as_str(), message.as_str()), (1, "", refusal));
    for command in ["explain", "hint", "rate", "stats", "deduce", "solve"] {
        let arguments = [command, "--with", "unique_rectangle", "--assume-unique", "-"];
        let (code, _, message) = run(&arguments, MANY);
        assert_ne!(code, 0, "{command}");
        assert!(message.contains("is for puzzles with one solution"), "{command}: {message}");
    }
}

/// A puzzle with two solutions: a rule that assumes one would find it contradictory.
const TWO: &str =
    "..24......3..29...748...9.2....4.5.6...7.51....59....4261......5....3.28.9.......\n";

#[test]
fn no_method_calls_a_puzzle_with_two_solutions_impossible() {
    let rules = ["--with", "extended", "--assume-unique", "-o", "-", "-"];
    for method in [&["--method", "rules"][..], &[]] {
        let (code, _, message) = run(&[&["solve"], method, &rules].concat(), TWO);
        assert_eq!(code, 1);
        assert!(message.contains("is for puzzles with one solution"), "{message}");
        assert!(message.ends_with("1 puzzle: 1 refused\n"), "{message}");
    }
    for method in ["auto", "p2a", "p2b"] {
        let (code, out, message) = run(&[&["solve", "--method", method], &rules[..]].concat(), TWO);
        assert!(code == 0 && !out.is_empty(), "{method}");
        assert!(message.contains("1 with other solutions"), "{method}: {message}");
    }
    let (_, out, _) =
        run(&[&["race", "--methods", "rules,p2a,auto"], &rules[..3], &["-"]].concat(), TWO);
    assert!(!out.contains("no solution"), "{out}");
}

#[test]
fn a_rule_that_assumes_one_solution_is_off_unless_asked_for() {
    let (_, out, _) = run(&["-q", "explain", "--with", "extended", "-"], PAIRS);
    assert!(!out.contains("Unique rectangle") && !out.contains("assuming"));
}

#[test]
fn query_answers_as_a_prompt_does() {
    let ask = |goal: &str| run(&["-q", "query", goal, "-"], PAIRS);
    assert_eq!(ask("bivalue(C, 4, 8), C in row(r2c1)").1, "C = r2c1 ;\nC = r2c2.\n");
    assert_eq!(ask("candidates(r2c1) within {4, 8}").1, "true.\n");
    assert_eq!(ask("sees(r1c1, r9c9)").1, "false.\n");
    assert_eq!(ask("Ds = candidates(r4c1)").1, "Ds = {3, 4, 8}.\n");
    let (code, out, message) = ask("bivalu(C, X, Y)");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(message.contains("did you mean"), "{message}");
}

#[test]
fn query_stops_at_its_limit_and_writes_objects() {
    let arguments = ["query", "live(C, D)", "-", "--limit", "2", "--format", "json"];
    let (code, out, message) = run(&arguments, PAIRS);
    let expected = "{\"C\":\"r1c1\",\"D\":9}\n{\"C\":\"r1c2\",\"D\":5}\n";
    assert_eq!((code, out.as_str()), (0, expected));
    assert_eq!(message, "there are more answers; --limit 0 shows all\n");
}

#[test]
fn the_examples_of_the_bundled_rules_hold() {
    let (code, out, _) = run(&["test", "--puzzles", "0"], "");
    let first = out.lines().next().expect("a line").to_string();
    assert_eq!((code, first.as_str()), (0, "examples: 24 of 24 hold"));
}

#[test]
fn a_library_is_scored() {
    let folder = std::env::temp_dir().join(format!("dokulog-library-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let library = folder.join("cases.txt");
    let cases = format!(
        "# Three cases.\n:0600:48:{PAIRS}::471 871::\n:0200:48:{PAIRS}::442 842::\n:9999:4:{PAIRS}:::411:\n"
    );
    std::fs::write(&library, cases).expect("a file");
    let path = library.to_str().expect("a path of text");
    let (code, out, _) = run(&["-q", "test", "--library", path], "");
    let (_, detected, _) = run(&["detect", path], "");
    assert!(detected.contains("library"), "{detected}");
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
    let expected = "0200 naked_subset:2: 0 of 1\n0600 unique_rectangle: 1 of 1\n\
        9999 has no rule: 0 of 1\n1 of 3 cases\n";
    assert_eq!((code, out.as_str()), (1, expected));
}
