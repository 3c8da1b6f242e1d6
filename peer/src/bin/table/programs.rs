//! Other programs, each used where it is installed: whole processes, from start to exit.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::{PROGRAM, Row};

/// How a program is run on puzzles: all in one process, or one a process.
struct Rival {
    name: &'static str,
    program: &'static str,
    /// How many puzzles it is given: some take seconds for one.
    most: usize,
    run: fn(&[String]),
}

const RIVALS: [Rival; 5] = [
    Rival {
        name: "QQWing, one process",
        program: "qqwing",
        most: 500,
        run: |puzzles| feed("qqwing", &["--solve", "--one-line"], &(puzzles.join("\n") + "\n")),
    },
    Rival {
        name: "SWI-Prolog, the source's first enumerator, a process each",
        program: "swipl",
        most: 5,
        run: |puzzles| prolog("benches/prolog/first.pl", puzzles),
    },
    Rival {
        name: "SWI-Prolog, the source's second enumerator, a process each",
        program: "swipl",
        most: 5,
        run: |puzzles| prolog("benches/prolog/second.pl", puzzles),
    },
    Rival {
        name: "SWI-Prolog, CLP(FD), a process each",
        program: "swipl",
        most: 5,
        run: |puzzles| prolog("benches/prolog/clpfd.pl", puzzles),
    },
    Rival {
        name: "clingo, a process each",
        program: "clingo",
        most: 5,
        run: |puzzles| {
            for puzzle in puzzles {
                let givens = puzzle.char_indices().filter(|(_, sign)| *sign != '.');
                let facts = givens.map(|(i, d)| format!("given({},{},{d}).", i / 9 + 1, i % 9 + 1));
                feed("clingo", &["benches/sudoku.lp", "-"], &facts.collect::<String>());
            }
        },
    },
];

/// A row for each installed program: `dokulog solve -j1`, start to exit, against it.
pub fn compare(name: &str, puzzles: &[[u8; 81]], rounds: usize) -> Vec<Row> {
    let sign = |&digit: &u8| if digit == 0 { '.' } else { char::from(b'0' + digit) };
    let lines: Vec<String> = puzzles.iter().map(|p| p.iter().map(sign).collect()).collect();
    let mut rows = Vec::new();
    for rival in RIVALS {
        if Command::new(rival.program).arg("--version").stdout(Stdio::null()).status().is_err() {
            eprintln!("{}: left out, `{}` is not installed", rival.name, rival.program);
            continue;
        }
        let lines = &lines[..lines.len().min(rival.most)];
        let mut row = Row {
            puzzles: format!("{name}, {} of them", lines.len()),
            task: "solve, start to exit",
            rival: rival.name.into(),
            ours: Vec::new(),
            theirs: Vec::new(),
        };
        let per_process = rival.name.ends_with("each");
        for _ in 0..rounds {
            row.ours.push(timed(lines.len(), || match per_process {
                true => lines.iter().for_each(|line| ours(line)),
                false => ours(&(lines.join("\n") + "\n")),
            }));
            row.theirs.push(timed(lines.len(), || (rival.run)(lines)));
        }
        rows.push(row);
    }
    rows
}

fn ours(input: &str) {
    feed(PROGRAM, &["solve", "-q", "-j1", "-o", "-", "-"], input);
}

/// µs a puzzle.
fn timed(puzzles: usize, run: impl FnOnce()) -> f64 {
    let clock = Instant::now();
    run();
    clock.elapsed().as_secs_f64() * 1e6 / puzzles.max(1) as f64
}

fn prolog(program: &str, puzzles: &[String]) {
    for puzzle in puzzles {
        feed("swipl", &["-q", "-g", "main", "-t", "halt", program, "--", puzzle], "");
    }
}

/// Runs a program on a text; what it prints is read and dropped.
fn feed(program: &str, arguments: &[&str], input: &str) {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("an installed program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A program that does not read its input is no concern of ours.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait().expect("it ends");
}
