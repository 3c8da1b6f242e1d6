//! Mutated inputs: nothing a user can type may panic, and fast must equal slow.
//!
//! Each target runs a few thousand inputs with fixed seeds. `DOKULOG_FUZZ=N` runs N inputs of each
//! cheap target (a tenth of rule files, a hundredth of the comparisons). Inputs that once went
//! wrong are kept in `tests/corpus/`, and are run first. The targets of cargo-fuzz, in `fuzz/`,
//! call the same functions of the library.

use std::fs;
use std::path::{Path, PathBuf};

use dokulog::board::{Candidate, Grid, Layout};
use dokulog::engine::{Deducer, Engine, Naive};
use dokulog::generate::full_grid;
use dokulog::language::{self, Origin, RuleSet, Source, bundled};
use dokulog::random::Random;
use dokulog::search::nine::Enumerator;
use dokulog::search::plain;
use dokulog::text::{self, Hint};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The files below a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

fn contents(folders: &[&str]) -> Vec<Vec<u8>> {
    let files = folders.iter().flat_map(|folder| files(&root().join(folder)));
    files.map(|path| fs::read(path).expect("a readable file")).collect()
}

/// How many inputs of a target, `share` of what is asked for.
fn inputs(usual: u64, share: u64) -> u64 {
    let asked = std::env::var("DOKULOG_FUZZ").ok().and_then(|n| n.parse::<u64>().ok());
    asked.map_or(usual, |n| n / share)
}

/// One input changed in a few places: bytes altered, taken out, doubled, moved, or words put in.
fn mutated(seeds: &[Vec<u8>], words: &[&[u8]], random: &mut Random) -> Vec<u8> {
    let mut bytes = random.pick(seeds).clone();
    for _ in 0..1 + random.below(6) {
        let at = random.below(bytes.len() + 1);
        let length = random.below(20).min(bytes.len() - at);
        match random.below(7) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 if at < bytes.len() => bytes[at] = random.bits() as u8,
            2 => drop(bytes.drain(at..at + length)),
            3 => {
                let piece = bytes[at..at + length].to_vec();
                bytes.splice(at..at, piece);
            }
            4 => {
                let word = random.pick(words).to_vec();
                bytes.splice(at..at, word);
            }
            5 => {
                let other = random.pick(seeds);
                let from = random.below(other.len() + 1);
                let to = (from + random.below(60)).min(other.len());
                bytes.splice(at..at, other[from..to].to_vec());
            }
            _ => bytes.truncate(at.max(1)),
        }
    }
    bytes
}

/// What holds of every grid that a reader hands out.
fn read(bytes: &[u8]) {
    let Ok(items) = text::read(bytes, Hint::default()) else { return };
    for puzzle in items.into_iter().flatten() {
        let grid = &puzzle.grid;
        assert!(grid.given().within(&grid.placed()));
        for cell in grid.placed() {
            let input = String::from_utf8_lossy(bytes);
            assert_eq!(grid.candidates(cell).len(), 1, "{cell:?} of\n{input}");
        }
        let mut written = Vec::new();
        text::write(grid, text::Form::Line, puzzle.alphabet, &mut written);
        assert!(written.len() > grid.layout().cell_count());
    }
}

#[test]
fn readers_survive_anything() {
    contents(&["tests/corpus/puzzles"]).iter().for_each(|bytes| read(bytes));
    let seeds = contents(&["data", "tests/formats"]);
    let words: [&[u8]; 12] =
        [b"\n", b"\r\n", b"\0", b"|", b"+---+", b",", b"[[_,", b".", b"0", b"\xff", b"{\"", b"A"];
    let mut random = Random::new(1);
    for _ in 0..inputs(20_000, 1) {
        read(&mutated(&seeds, &words, &mut random));
    }
}

/// Loads one rule file with the bundled helpers; broken or not, it must come back.
fn load(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let mut sources = bundled::helpers();
    sources.push((Origin::User, Source { name: "fuzz".into(), text }));
    let (rules, diagnostics) = language::load(sources);
    let errors = diagnostics.iter().any(|d| d.severity == language::Severity::Error);
    assert_eq!(rules.is_none(), errors, "rules come exactly when there is no error");
}

#[test]
fn rule_files_survive_anything() {
    contents(&["tests/corpus/rules"]).iter().for_each(|bytes| load(bytes));
    let seeds = contents(&["rules/standard", "rules/extended", "tests/diagnostics"]);
    let words: [&[u8]; 14] = [
        b":-",
        b".",
        b",",
        b"{",
        b"}",
        b"\"",
        b"%",
        b"not ",
        b"forall X in ",
        b"within ",
        b"|",
        b"choose(",
        b"rule ",
        b"\xc3",
    ];
    let mut random = Random::new(2);
    for _ in 0..inputs(2_000, 10) {
        load(&mutated(&seeds, &words, &mut random));
    }
}

/// A puzzle with some clues of a full grid, now and then one of them wrong.
fn some_clues(layout: &Layout, random: &mut Random) -> Vec<u8> {
    let mut puzzle = full_grid(layout, random);
    let blanks = layout.cell_count() * (50 + random.below(100)) / 100;
    for _ in 0..blanks {
        puzzle[random.below(layout.cell_count())] = 0;
    }
    if random.below(4) == 0 {
        puzzle[random.below(layout.cell_count())] = random.below(layout.size() + 1) as u8;
    }
    puzzle
}

#[test]
fn the_enumerator_counts_what_the_plain_counter_counts() {
    let nine = Layout::classic(9).expect("9 is a classic size");
    let mut random = Random::new(3);
    let mut enumerator = Enumerator::of_digits(&[0; 81]);
    for _ in 0..inputs(300, 100) {
        let puzzle = some_clues(&nine, &mut random);
        // The plain counter looks only at blanks, so it must not be given a clash.
        let slow = match Grid::from_givens(nine.clone(), &puzzle) {
            Ok(_) => plain::count(&nine, &puzzle, 20),
            Err(_) => 0,
        };
        enumerator.start_digits(puzzle.as_slice().try_into().expect("81 cells"));
        assert_eq!(enumerator.count_up_to(20), slow, "{puzzle:?}");
    }
}

fn standard() -> RuleSet {
    let sources = [bundled::helpers(), bundled::standard()].concat();
    language::load(sources).0.expect("the bundled rules load")
}

#[test]
fn the_engine_ends_where_the_naive_evaluator_ends() {
    let rules = standard();
    let mut naive = Naive::new(&rules);
    let mut random = Random::new(4);
    for size in [4, 6, 9] {
        let layout = Layout::classic(size).expect("a classic size");
        let mut worker = Engine::new(&rules, &layout).worker();
        for _ in 0..inputs(30, 3_000) {
            let Ok(mut grid) = Grid::from_givens(layout.clone(), &some_clues(&layout, &mut random))
            else {
                continue;
            };
            // Candidates gone at random, so that states come that no puzzle leads to.
            for cell in grid.unsolved() {
                let gone: Vec<_> = grid.candidates(cell).into_iter().collect();
                if gone.len() > 1 && random.below(3) == 0 {
                    grid.eliminate(Candidate { cell, digit: *random.pick(&gone) });
                }
            }
            if grid.hole().is_some() {
                continue;
            }
            let (mut fast, mut slow) = (grid.clone(), grid);
            let end = worker.fixpoint(&mut fast).outcome;
            let slow_end = naive.fixpoint(&mut slow).outcome;
            let same_kind = std::mem::discriminant(&end) == std::mem::discriminant(&slow_end);
            assert!(same_kind, "{end:?} {slow_end:?}");
            if !matches!(end, dokulog::trace::Outcome::Contradiction { .. }) {
                assert!(fast == slow, "{fast:?}{slow:?}");
            }
        }
    }
}
