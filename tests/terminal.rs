//! Standard output and standard error: what a file holds cannot act on a terminal, and a stream
//! that is full, or closed, is no reason to panic.
#![cfg(unix)]

#[path = "support/folder.rs"]
mod folder;

use std::fs;

use folder::{EASY, Folder, cases};
use serde_json::Value;

/// Everything that a terminal would obey, and what is meant to be hidden from readers.
const ACTS: &str = "\u{1b}[31m\u{7}\u{9b}2J\u{8}\r\u{7f}\u{202e}x\u{2066}\u{200b}";

fn acts(text: &str) -> bool {
    let stays = |c: char| c == '\n' || c == '\t';
    text.chars().any(|c| (c.is_control() && !stays(c)) || ACTS.contains(c) && !c.is_ascii())
}

/// What of it may stand in a puzzle file as it is: other signs make it binary data.
const TURNS: &str = "\u{9b}2J\u{202e}x\u{2066}\u{200b}";

/// Files of every kind, with such text wherever it can stand.
fn files(name: &str) -> Folder {
    let folder = Folder::new(name);
    let write = |end: &str, text: String| folder.write(&format!("{ACTS}.{end}"), text);
    let inside = ACTS.replace('\r', "");
    let rule = format!(
        "% comment {inside}\nrule mine \"Mine {inside}\" {{ level 1. place(C, D) :- C in unsolved, \
         D in candidates(C), |candidates(C)| <= 2. explain \"{inside} in {{C}}\". }}\n"
    );
    write("rules", rule);
    write("bad", format!("rule mine \"{ACTS}\" {{ level {ACTS}. }}\nrule {ACTS}\n"));
    write("sud", EASY.to_string());
    write("csv", format!("id,puzzle\n{TURNS},{EASY}{TURNS},{}", EASY.replacen('.', TURNS, 1)));
    write("sick", format!("{EASY}{}", EASY.replacen('7', "\u{202e}", 1)));
    let object = serde_json::json!({ "id": ACTS, "puzzle": EASY.trim() });
    let sick = serde_json::json!({ "id": ACTS, "puzzle": ACTS });
    write("jsonl", format!("{object}\n{sick}\n"));
    let rows: Vec<&[u8]> = EASY.trim().as_bytes().chunks(9).collect();
    let rows = String::from_utf8(rows.join(&b'\n')).expect("text");
    write("rows", format!("# {TURNS}\n{rows}\n\n# {TURNS}\n{rows}\n"));
    let step = serde_json::json!({ "step": 1, "rule": ACTS, "clause": 1, "bindings": {} });
    write("trace", format!("{step}\n"));
    folder
}

#[test]
fn nothing_of_a_file_reaches_the_terminal_raw() {
    let folder = files("raw");
    let escapes: String = ACTS.bytes().map(|byte| format!("\\x{byte:02x}")).collect();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for line in cases(include_str!("faults/raw.txt")) {
        let output = folder.shell(&format!("E=$'{escapes}'\n{line}"));
        for (stream, bytes) in [("output", &output.stdout), ("error", &output.stderr)] {
            let text = String::from_utf8_lossy(bytes);
            seen += text.matches("\\u001b").count();
            if acts(&text) || text.contains("panicked") {
                wrong.push(format!("{line}: on standard {stream}:\n{text:?}"));
            }
            let asked = line.contains(" json") || line.contains("--json");
            let is_json = asked && stream == "output";
            for line in text.lines().filter(|_| is_json) {
                assert!(serde_json::from_str::<Value>(line).is_ok(), "no JSON: {line}");
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 100, "{seen}: the text is to be seen, and not left out");
}

#[test]
fn data_is_exact() {
    let folder = files("exact");
    let name = "\u{1b}[31m\u{7f}\u{202e}x";
    let object = serde_json::json!({ "id": name, "puzzle": EASY.trim() });
    folder.write("a.jsonl", format!("{object}\n"));
    let read = |line: &str| String::from_utf8(folder.shell(line).stdout).expect("text");
    let object: Value =
        serde_json::from_str(&read("dokulog convert -q --to json a.jsonl")).expect("JSON");
    assert_eq!(object["id"], name);
    assert!(read("dokulog convert -q --to csv a.jsonl").contains(name));
    let rule = format!("% {name}\nrule mine \"{name}\" {{ level 1. }}\n");
    folder.write("a.rules", &rule);
    assert!(read("dokulog fmt - < a.rules").contains(&format!("% {name}")));
    let file = format!("{name}.sud");
    folder.write(&file, EASY);
    let rated: Value =
        serde_json::from_str(&read("dokulog rate --format json *x.sud")).expect("JSON");
    assert_eq!(rated["file"], file.as_str());
}

#[test]
fn names_are_no_formulas_in_a_spreadsheet() {
    let folder = Folder::new("formula");
    let names = ["=1+1", "+1", "-1", "@SUM(A1)", "\ttab", "'=1", "plain"];
    let lines: String = names
        .iter()
        .map(|name| format!("{}\n", serde_json::json!({ "id": name, "puzzle": EASY.trim() })))
        .collect();
    folder.write("a.jsonl", lines);
    for command in ["convert", "deduce -o -", "solve -o -"] {
        let output = folder.shell(&format!("dokulog {command} -q --to csv a.jsonl"));
        let text = String::from_utf8(output.stdout).expect("text");
        let first: Vec<char> =
            text.lines().skip(1).filter_map(|line| line.chars().next()).collect();
        assert_eq!(first, ['\'', '\'', '\'', '\'', '\'', '\'', 'p'], "{command}: {text}");
        folder.write("a.csv", &text);
        let again = folder.shell("dokulog convert -q --to json a.csv").stdout;
        let again = String::from_utf8(again).expect("text");
        let ids: Vec<String> = again
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["id"].clone())
            .map(|id| id.as_str().expect("a name").to_string())
            .collect();
        assert_eq!(ids, names, "{command}");
    }
}

#[test]
fn a_full_stream_is_a_failure_and_no_panic() {
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    let folder = Folder::new("streams");
    std::os::unix::fs::symlink("/dev/full", folder.path("full")).expect("a link");
    folder.write("g.sud", EASY);
    folder.write("bad.sud", EASY.replace('7', "x"));
    folder.write("bad.rules", "rule wrong {\n");
    folder.write(
        "good.rules",
        "rule mine \"Mine\" { level 1.  place(C, D) :- C in unsolved, D in \
                                candidates(C), |candidates(C)| <= 1. explain \"{C}\". }\n",
    );
    let mut wrong = Vec::new();
    for line in cases(include_str!("faults/full.txt")) {
        let output = folder.shell(line);
        let said = String::from_utf8_lossy(&output.stderr).into_owned()
            + &String::from_utf8_lossy(&output.stdout);
        let is_silent = line.contains("2>") || said.contains("cannot be written: no space left");
        if output.status.code() != Some(2) || said.contains("panicked") || !is_silent {
            wrong.push(format!("{line}: {:?}\n{said}", output.status.code()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_pipe_into_head_is_quiet() {
    let folder = Folder::new("head");
    folder.write("list.txt", EASY.repeat(5_000));
    for line in cases(include_str!("faults/full.txt")).filter(|line| line.ends_with("> /dev/full"))
    {
        let Some(command) = line.strip_suffix(" > /dev/full").filter(|c| !c.contains("2>")) else {
            continue;
        };
        for reader in ["head -n 1", "true"] {
            let line = format!("{} | {reader} > /dev/null", command.replace("g.sud", "list.txt"));
            let output = folder.shell(&line);
            let said = String::from_utf8_lossy(&output.stderr);
            let is_quiet = !said.contains("panicked") && !said.contains("pipe");
            assert!(is_quiet && output.stdout.is_empty(), "{line}: {said}");
        }
    }
    assert!(fs::metadata(folder.path("list.txt")).is_ok());
}

/// On a terminal, data is made visible, too.
#[test]
fn a_terminal_is_spared_even_data() {
    let folder = files("terminal");
    let escapes: String = ACTS.bytes().map(|byte| format!("\\x{byte:02x}")).collect();
    let script = folder.shell("command -v script").status.success();
    if !script {
        return;
    }
    for command in ["convert -q --to csv", "fmt -", "solve -q -o - --to csv"] {
        let input = if command == "fmt -" { "< \"$E.rules\"" } else { "\"$E.jsonl\"" };
        let program = env!("CARGO_BIN_EXE_dokulog");
        folder.write("run.sh", format!("E=$'{escapes}'\n'{program}' {command} {input}\n"));
        let output = folder.shell("script -qec 'NO_COLOR=1 bash run.sh' /dev/null < /dev/null");
        let text = String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n");
        assert!(text.contains("\\u001b[31m"), "{command}: {text:?}");
        assert!(!acts(&text), "{command}: {text:?}");
    }
}
