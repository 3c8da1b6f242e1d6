//! One table against what people use today, on the same puzzles in one run.
//!
//! ```text
//! cargo build --release
//! cargo run --release -p peer --bin table -- [--take N] [--rounds N] [--write BENCHMARKS.md] [LIST...]
//! ```
//!
//! Without a list, the puzzles are minimal ones from our own generator, always the same. Programs
//! that are not installed are named and left out. `--write` makes the document and its picture, and puts its
//! figures into the README beside it.

#[path = "../../../../tests/support/figures.rs"]
mod figures;
mod growth;
mod instructions;
mod page;
mod programs;

use std::path::Path;
use std::process::Command;

use dokulog::board::Layout;
use dokulog::engine::Engine;
use dokulog::language::{self, Origin, RuleSet, bundled};
use dokulog::search::nine::Enumerator;
use peer::{race, read_list};
use sudoku::Sudoku;
use sudoku::strategy::{Strategy, StrategySolver};

/// One comparison: µs a puzzle of ours and of theirs, several times.
pub struct Row {
    pub puzzles: String,
    pub task: &'static str,
    pub rival: String,
    pub ours: Vec<f64>,
    pub theirs: Vec<f64>,
}

impl Row {
    /// How many times as long theirs takes: least, middle, most of the rounds.
    pub fn ratios(&self) -> [f64; 3] {
        let mut ratios: Vec<f64> = self.ours.iter().zip(&self.theirs).map(|(o, t)| t / o).collect();
        ratios.sort_by(f64::total_cmp);
        [ratios[0], ratios[ratios.len() / 2], ratios[ratios.len() - 1]]
    }
}

/// Our program, as `cargo build --release` makes it.
pub const PROGRAM: &str = "target/release/dokulog";

fn main() {
    let (mut rounds, mut take, mut write) = (3, 2000, None);
    let mut lists: Vec<(String, Vec<[u8; 81]>)> = Vec::new();
    let mut arguments = std::env::args().skip(1);
    let line = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().expect("a value");
        match argument.as_str() {
            "--rounds" => rounds = value().parse().expect("a number"),
            "--take" => take = value().parse().expect("a number"),
            "--write" => write = Some(value()),
            list => {
                let name = Path::new(list).file_name().unwrap_or_default().to_string_lossy();
                lists.push((name.into_owned(), read_list(list)));
            }
        }
    }
    assert!(Path::new(PROGRAM).is_file(), "run `cargo build --release` first");
    if lists.is_empty() {
        lists.push(("generated, minimal".into(), generated(take)));
    }
    let mut rows = Vec::new();
    for (name, mut puzzles) in lists {
        puzzles.truncate(take);
        rows.push(deduction(&name, &puzzles, rounds));
        rows.push(enumeration(&name, &puzzles, rounds));
        rows.extend(programs::compare(&name, &puzzles, rounds));
    }
    let mut curves = growth::measure();
    curves.extend(instructions::measure());
    let page = page::text(&rows, &curves, &line);
    print!("{page}");
    if let Some(path) = write {
        std::fs::write(&path, &page).expect("a writable document");
        let picture = Path::new(&path).with_file_name("docs/benchmarks.svg");
        std::fs::write(picture, page::picture(&rows)).expect("a writable picture");
        let readme = Path::new(&path).with_file_name("README.md");
        if let Ok(text) = std::fs::read_to_string(&readme) {
            std::fs::write(readme, figures::renewed(&text, &page)).expect("a writable README");
        }
    }
}

/// Minimal puzzles of our own, the same every time.
pub fn generated(count: usize) -> Vec<[u8; 81]> {
    let output = Command::new(PROGRAM)
        .args(["generate", "-q", "--seed", "1", "--count", &count.to_string()])
        .output()
        .expect("our program runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let digit = |byte: u8| if byte == b'.' { 0 } else { byte - b'0' };
    text.lines()
        .map(|line| line.bytes().map(digit).collect::<Vec<u8>>().try_into().expect("81 cells"))
        .collect()
}

/// The standard rules with subsets up to a size.
pub fn standard(most: i64) -> RuleSet {
    let sources = [bundled::helpers(), bundled::standard()].concat();
    let rules = language::load(sources).0.expect("the bundled rules load");
    rules.keep(|rule, instance| {
        rule.origin == Origin::Standard && instance.parameter.is_none_or(|n| n <= most)
    })
}

fn each(puzzles: usize, time: std::time::Duration) -> f64 {
    time.as_secs_f64() * 1e6 / puzzles as f64
}

fn deduction(name: &str, puzzles: &[[u8; 81]], rounds: usize) -> Row {
    use Strategy::*;
    let strategies = [
        NakedSingles,
        HiddenSingles,
        LockedCandidates,
        NakedPairs,
        HiddenPairs,
        NakedTriples,
        HiddenTriples,
        NakedQuads,
        HiddenQuads,
    ];
    let nine = Layout::classic(9).expect("9 is a classic size");
    let mut worker = Engine::assuming_unique(&standard(4), &nine).worker();
    let mut digits = [0; 81];
    let mut total = 0;
    let mut row = Row {
        puzzles: name.into(),
        task: "deduce, subsets to 4",
        rival: "crate sudoku 0.8, the same strategies".into(),
        ours: Vec::new(),
        theirs: Vec::new(),
    };
    for _ in 0..rounds {
        let [ours, theirs] = race(puzzles.len(), 3, |program, chunk| {
            for puzzle in &puzzles[chunk] {
                if program == 0 {
                    worker.deduce_digits(puzzle, &mut digits).expect("no clash");
                } else {
                    let sudoku = Sudoku::from_bytes(*puzzle).expect("digits");
                    let solver = StrategySolver::from_sudoku(sudoku);
                    let (Ok((end, _)) | Err((end, _))) = solver.solve(&strategies);
                    digits = end.to_bytes();
                }
                total += usize::from(digits[80]);
            }
        });
        row.ours.push(each(puzzles.len(), ours));
        row.theirs.push(each(puzzles.len(), theirs));
    }
    assert!(total > 0);
    row
}

fn enumeration(name: &str, puzzles: &[[u8; 81]], rounds: usize) -> Row {
    let theirs: Vec<Sudoku> =
        puzzles.iter().map(|p| Sudoku::from_bytes(*p).expect("digits")).collect();
    let mut enumerator = Enumerator::of_digits(&[0; 81]);
    let mut row = Row {
        puzzles: name.into(),
        task: "search for two solutions",
        rival: "crate sudoku 0.8".into(),
        ours: Vec::new(),
        theirs: Vec::new(),
    };
    let mut total = 0;
    for _ in 0..rounds {
        let [our, their] = race(puzzles.len(), 3, |program, chunk| {
            for i in chunk {
                total += if program == 0 {
                    enumerator.start_digits(&puzzles[i]);
                    enumerator.count_up_to(2)
                } else {
                    theirs[i].solutions_count_up_to(2)
                };
            }
        });
        row.ours.push(each(puzzles.len(), our));
        row.theirs.push(each(puzzles.len(), their));
    }
    assert!(total > 0);
    row
}
