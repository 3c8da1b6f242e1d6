//! Puzzle files of every layout: text in, text out.
//!
//! Each file `tests/formats/NAME` has its `NAME.expected` beside it: what was detected, then what
//! was read, a line a puzzle. With DOKULOG_BLESS=1 they are written anew, to be read by eye.

use std::fs;
use std::path::{Path, PathBuf};

use dokulog::board::{Cell, Grid, Layout};
use dokulog::engine::{Deducer, Engine};
use dokulog::language;
use dokulog::random::Random;
use dokulog::text::{self, Alphabet, Form, Hint, Item};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats")
}

fn fixtures() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder())
        .expect("the fixtures are there")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_none_or(|e| e != "expected"))
        .collect();
    files.sort();
    files
}

fn hint(path: &Path) -> Hint<'_> {
    Hint { extension: path.extension().and_then(|e| e.to_str()), ..Hint::default() }
}

/// What a file says, as text.
fn shown(path: &Path) -> String {
    let bytes = fs::read(path).expect("a fixture");
    let name = path.file_name().expect("a name").to_string_lossy();
    let found = text::detect(&bytes, true, hint(path));
    let mut text = match &found {
        Ok(d) => format!("{}, {}, {}: {}\n", d.form, d.size, d.alphabet.name(d.size), d.why),
        Err(fault) => return format!("{}\n", fault.in_file(&name)),
    };
    match text::read(&bytes, hint(path)) {
        Err(fault) => text += &format!("{}\n", fault.in_file(&name)),
        Ok(items) => items.iter().for_each(|item| text += &shown_item(&name, item)),
    }
    text
}

fn shown_item(name: &str, item: &Item) -> String {
    match item {
        Err(fault) => {
            let id = fault.id.as_ref().map(|id| format!(" [{id}]")).unwrap_or_default();
            format!("{}{id}\n", fault.in_file(name))
        }
        Ok(puzzle) => {
            let mut line = Vec::new();
            text::write(&puzzle.grid, Form::Json, puzzle.alphabet, &mut line);
            let line = String::from_utf8(line).expect("signs are ASCII");
            let id = puzzle.id.as_ref().map(|id| format!(" [{id}]")).unwrap_or_default();
            let candidates = puzzle.grid.candidate_count();
            let given = puzzle.grid.given().len();
            format!("{}: {line} {given} given, {candidates} candidates{id}\n", puzzle.line)
        }
    }
}

#[test]
fn every_layout_is_read_as_a_person_would() {
    let bless = std::env::var_os("DOKULOG_BLESS").is_some();
    let mut wrong = Vec::new();
    for path in fixtures() {
        let expected = PathBuf::from(format!("{}.expected", path.display()));
        let found = shown(&path);
        if bless {
            fs::write(&expected, &found).expect("the fixtures can be written");
        } else if fs::read_to_string(&expected).unwrap_or_default() != found {
            wrong.push(format!("{}:\n{found}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn standard() -> language::RuleSet {
    let mut sources = language::bundled::helpers();
    sources.extend(language::bundled::standard());
    language::load(sources).0.expect("the standard rules are sound")
}

/// Reads what was written.
fn again(grid: &Grid, form: Form, alphabet: Alphabet) -> Grid {
    let mut bytes = Vec::new();
    text::write(grid, form, alphabet, &mut bytes);
    let shown = String::from_utf8_lossy(&bytes).into_owned();
    let items = text::read(&bytes, Hint::default());
    match items.as_deref() {
        Ok([Ok(puzzle)]) => puzzle.grid.clone(),
        other => panic!("{form}: {other:?}\n{shown}"),
    }
}

#[test]
fn what_is_written_is_read_again() {
    let rules = standard();
    for path in fixtures() {
        let bytes = fs::read(&path).expect("a fixture");
        for puzzle in text::read(&bytes, hint(&path)).into_iter().flatten().flatten() {
            let engine = Engine::assuming_unique(&rules, puzzle.grid.layout());
            let mut after = puzzle.grid.clone();
            if puzzle.grid.layout().size() <= 16 {
                engine.worker().fixpoint(&mut after);
            }
            for grid in [&puzzle.grid, &after].into_iter().filter(|g| g.hole().is_none()) {
                let digits = |form| again(grid, form, puzzle.alphabet).digits();
                for form in [Form::Rows, Form::Line, Form::Separated, Form::Prolog] {
                    assert_eq!(digits(form), grid.digits(), "{form} {}", path.display());
                }
                for form in [Form::Marks, Form::Cube] {
                    keeps_the_state(grid, &again(grid, form, puzzle.alphabet));
                }
            }
        }
    }
}

/// The candidates are the same; a single candidate is placed exactly if no peer has it.
fn keeps_the_state(before: &Grid, after: &Grid) {
    assert_eq!(before.planes(), after.planes());
    for cell in before.layout().all_cells() {
        let single = before.candidates(cell).single();
        let free = |digit| !before.plane(digit).meets(before.layout().peers(cell));
        assert_eq!(after.placed().contains(cell), single.is_some_and(free));
        assert!(after.placed().contains(cell) || !before.placed().contains(cell));
    }
}

#[test]
fn a_single_candidate_that_a_peer_still_has_is_not_placed() {
    let layout = Layout::classic(9).expect("9 is a classic size");
    let mut grid = Grid::empty(layout.clone());
    for digit in layout.digits().skip(1) {
        grid.eliminate(dokulog::board::Candidate { cell: Cell::at(40), digit });
    }
    let read = again(&grid, Form::Marks, Alphabet::One);
    assert!(read.placed().is_empty());
    assert_eq!(read.candidates(Cell::at(40)).len(), 1);
}

#[test]
fn a_cell_without_candidates_is_read_again() {
    for (size, alphabet) in [(4, Alphabet::One), (9, Alphabet::One), (16, Alphabet::Letters)] {
        let layout = Layout::classic(size).expect("a classic size");
        let mut full = Grid::empty(layout.clone());
        for cell in layout.all_cells() {
            let Some(digit) = full.candidates(cell).iter().next() else { continue };
            let candidate = dokulog::board::Candidate { cell, digit };
            if cell.index() + 1 == size * size {
                full.eliminate(candidate);
            } else {
                full.place(candidate);
            }
        }
        let mut open = Grid::empty(layout.clone());
        let mut row = open.clone();
        for digit in layout.digits() {
            open.eliminate(dokulog::board::Candidate { cell: Cell::at(5), digit });
            for i in 0..size {
                row.eliminate(dokulog::board::Candidate { cell: Cell::at(i), digit });
            }
        }
        for grid in [&full, &open, &row] {
            for form in [Form::Marks, Form::Cube] {
                keeps_the_state(grid, &again(grid, form, alphabet));
            }
        }
    }
}

#[test]
fn the_user_can_say_which_form_it_is() {
    let from = |text: &str, form| {
        let hint = Hint { from: Some(form), ..Hint::default() };
        text::read(text.as_bytes(), hint).map(|items| items.len())
    };
    let sixteen = "1...\n.2..\n..3.\n...4\n".repeat(4);
    assert_eq!(from(&sixteen, Form::Rows), Ok(4));
    assert!(from(&sixteen, Form::Csv).is_err());
    assert!(from(&sixteen, Form::Prolog).is_err());
    let marks = "1 2 3 4\n".repeat(4);
    assert_eq!(from(&marks, Form::Marks), Ok(1));
}

/// A file with some bytes changed, lines dropped, doubled or cut.
fn mutated(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len() + 1);
        let sign = *random.pick(b"0123456789.*_-?|+ \n\r\t,;:[]{}#ABCDGxyz\"%\x00\xff\xe2\x94");
        match random.below(8) {
            0 | 1 if at < bytes.len() => bytes[at] = sign,
            2 => bytes.insert(at, sign),
            3 if at < bytes.len() => drop(bytes.remove(at)),
            4 => bytes.truncate(at),
            5 => {
                let end = (at + random.below(40)).min(bytes.len());
                bytes.drain(at..end);
            }
            6 => {
                let end = (at + random.below(90)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            _ => {
                let end = bytes[at..].iter().position(|b| *b == b'\n').map_or(at, |n| at + n);
                bytes.drain(at..end);
            }
        }
    }
    bytes
}

/// Every given of every puzzle stands in the file, in this order: no grid is made up.
fn is_there(bytes: &[u8], items: &[Item]) -> bool {
    let signs: Vec<u8> = bytes.iter().map(u8::to_ascii_uppercase).collect();
    items.iter().flatten().all(|puzzle| {
        let grid = &puzzle.grid;
        let mut rest = signs.iter();
        let digits = grid.digits();
        digits.iter().enumerate().filter(|(i, _)| grid.given().contains(Cell::at(*i))).all(
            |(_, &number)| match puzzle.alphabet {
                Alphabet::Numbers => number.to_string().bytes().all(|b| rest.any(|r| *r == b)),
                alphabet => rest.any(|sign| *sign == alphabet.sign(number) || *sign == number),
            },
        )
    })
}

#[test]
fn mutated_files_never_break_a_reader() {
    let long = std::env::var_os("DOKULOG_LONG_TESTS").is_some();
    let rounds = if long { 20_000 } else { 60 };
    let mut random = Random::new(9);
    for path in fixtures() {
        let bytes = fs::read(&path).expect("a fixture");
        let rounds = if bytes.len() > 2_000 { rounds / 4 } else { rounds };
        for _ in 0..rounds {
            let mutant = mutated(&bytes, &mut random);
            if let Ok(items) = text::read(&mutant, hint(&path)) {
                assert!(is_there(&mutant, &items), "{}", mutant.escape_ascii());
                for fault in items.iter().filter_map(|item| item.as_ref().err()) {
                    let lines = mutant.split(|b| *b == b'\n' || *b == b'\r').count();
                    assert!(fault.line <= lines, "{fault:?}\n{}", mutant.escape_ascii());
                }
            }
        }
    }
}

#[test]
fn blocks_are_read_like_the_whole() {
    for path in fixtures() {
        let bytes = fs::read(&path).expect("a fixture");
        let Ok(detection) = text::detect(&bytes, true, hint(&path)) else { continue };
        let whole = text::read(&bytes, hint(&path)).unwrap_or_default();
        if bytes.contains(&b'\r') && !bytes.contains(&b'\n') {
            continue;
        }
        let mut found = Vec::new();
        let mut reader = text::Reader::new(&detection, 1);
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let piece = (1..=rest.len()).find(|&n| detection.whole_units(&rest[..n]) == n);
            let (block, others) = rest.split_at(piece.unwrap_or(rest.len()));
            reader.block(block, &mut found);
            rest = others;
        }
        reader.finish(&mut found);
        assert_eq!(found, whole, "{}", path.display());
    }
}
