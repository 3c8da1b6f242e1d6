//! Reading puzzle files for commands that look at one puzzle, or at all of a small file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::board::Grid;
use crate::language::nearest;
use crate::text::{self, Boards, Detection, Fault, Form, Hint, Item, Puzzle, Reader, visible_line};

use super::boards::LayoutOption;
use super::{Failure, Status, files, say};

/// Files larger than this are for the commands that read in bulk.
const LARGEST: u64 = 32 << 20;
/// So are files with more puzzles, each of which takes about a kilobyte of memory.
const MOST_PUZZLES: usize = 500_000;
/// How much of a file is looked at to find its form.
pub(super) const WINDOW: usize = 64 << 10;
/// No line of a puzzle file is longer.
pub(super) const LONGEST_LINE: usize = 1 << 20;

/// Which puzzle a command is about.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct PuzzleArguments {
    /// A puzzle file, `-` for standard input, or the puzzle itself as one line
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Which puzzle of the file [default: the first]
    #[arg(long, value_name = "N")]
    pub puzzle: Option<usize>,
    #[command(flatten)]
    pub from: FromOption,
}

impl PuzzleArguments {
    /// Reads the puzzle.
    pub(super) fn read(&self) -> Result<Puzzle, Failure> {
        read_one(&self.file, self.puzzle, &self.from)
    }

    /// What is asked, and of which puzzle: the other way round if what stands first is a puzzle,
    /// and what stands second is none.
    pub(super) fn asked(&self, first: &str) -> (String, PuzzleArguments) {
        let (mut asked, mut puzzle) = (first.to_string(), self.clone());
        let second = self.file.to_str().filter(|_| !is_puzzle(&self.file));
        if let Some(second) = second.filter(|_| is_puzzle(Path::new(first))) {
            (asked, puzzle.file) = (second.to_string(), first.into());
        }
        (asked, puzzle)
    }

    /// Reads all puzzles of the file.
    pub(super) fn read_all(&self) -> Result<Vec<Item>, Failure> {
        read_all(&self.file, &self.from)
    }
}

/// How files are laid out.
#[derive(clap::Args, Clone, Debug, Default)]
pub(super) struct FromOption {
    /// How the file is laid out, if it should not be found out
    #[arg(long, value_name = "FORM", value_parser = parse_form, help = from_help())]
    pub from: Option<Form>,
    #[command(flatten)]
    pub layout: LayoutOption,
}

fn from_help() -> String {
    let names = text::FORMS.map(|form| form.1).join(", ");
    format!("How the file is laid out, if it should not be found out: {names}")
}

/// The puzzles that a command is about.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct ListArguments {
    /// Puzzle files, `-` for standard input, or a puzzle itself as one line
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    from: FromOption,
}

/// A puzzle of a list.
pub(super) struct Listed {
    /// Its file, as data has it.
    pub file: String,
    /// Which puzzle of the file, from 1.
    pub index: usize,
    /// `file`, or `file#2` where the file has others.
    pub name: String,
    /// The puzzle.
    pub grid: Grid,
}

impl ListArguments {
    /// Reads them all. What is wrong with some of them is told on standard error.
    pub(super) fn read(&self) -> Result<(Vec<Listed>, Status), Failure> {
        self.files.iter().for_each(|path| files::protect(path));
        let (mut puzzles, mut status) = (Vec::new(), Status::Done);
        for file in &self.files {
            let items = read_all(file, &self.from)?;
            let several = items.len() > 1;
            for (index, item) in (1..).zip(items) {
                let place = match several {
                    true => format!("{}#{index}", name(file)),
                    false => name(file),
                };
                match item {
                    Ok(Puzzle { grid, .. }) => {
                        puzzles.push(Listed { file: name(file), index, name: place, grid });
                    }
                    Err(fault) => {
                        say(&format!("dokulog: {}", fault.in_file(&shown(file))));
                        status = Status::Failed;
                    }
                }
            }
        }
        Ok((puzzles, status))
    }
}

/// Understands the name of a form on the command line.
pub(super) fn parse_form(name: &str) -> Result<Form, String> {
    Form::named(name).ok_or_else(|| suggestion(name, text::FORMS.map(|form| form.1)))
}

/// What may have been meant, or all that there is.
pub(super) fn suggestion<const N: usize>(name: &str, names: [&str; N]) -> String {
    match nearest(name, names) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("there are {}", names.join(", ")),
    }
}

/// The name of a file as data has it: exactly, but bytes that are no text as `\xff`.
pub(super) fn name(path: &Path) -> String {
    if path == Path::new("-") {
        return "standard input".to_string();
    }
    let mut name = String::new();
    for piece in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        name += piece.valid();
        piece.invalid().iter().for_each(|byte| name += &format!("\\x{byte:02x}"));
    }
    name
}

/// The name of a file as messages say it: on one line, with nothing that acts on a terminal.
pub(super) fn shown(path: &Path) -> String {
    visible_line(&name(path)).into_owned()
}

/// A file, or standard input for `-`; never written to from then on.
fn open(path: &Path) -> Result<Box<dyn Read>, Failure> {
    let failed = |error: io::Error| Failure::new(format!("{}: {}", shown(path), reason(&error)));
    files::protect(path);
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(Failure::new(format!("{}: is a folder, not a puzzle file", shown(path))));
    }
    Ok(Box::new(file))
}

/// All bytes of a file, or of standard input for `-`.
pub(super) fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = open(path)?.take(LARGEST + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::new(format!("{}: {}", shown(path), reason(&error))))?;
    if bytes.len() as u64 > LARGEST {
        return Err(Failure::new(format!("{}: larger than 32 MiB: {FOR_BULK}", shown(path))));
    }
    Ok(bytes)
}

/// The lines of a text, one by one, however many there are.
pub(super) fn lines(path: &Path) -> Result<impl Iterator<Item = Result<String, Failure>>, Failure> {
    let mut source = BufReader::new(open(path)?);
    let (mut number, path) = (0, path.to_path_buf());
    Ok(std::iter::from_fn(move || {
        number += 1;
        let mut bytes = Vec::new();
        let failed = |why: &str| Failure::new(format!("{}:{number}: {why}", shown(&path)));
        match source.by_ref().take(LARGEST + 1).read_until(b'\n', &mut bytes) {
            Ok(0) => None,
            Ok(_) if bytes.len() as u64 > LARGEST => Some(Err(failed("longer than 32 MiB"))),
            Ok(_) => Some(String::from_utf8(bytes).map_err(|_| failed("is no text"))),
            Err(error) => Some(Err(failed(&reason(&error)))),
        }
    }))
}

/// What to do with files that are too large.
const FOR_BULK: &str = "deduce, solve, count and convert take files of any size";

/// Reads the puzzles of a text block by block, as long as `see` asks for more.
pub(super) fn read_blocks(
    bytes: &[u8],
    hint: Hint,
    see: &mut dyn FnMut(Vec<Item>) -> bool,
) -> Result<Detection, Fault> {
    let window = &bytes[..bytes.len().min(WINDOW)];
    let detection = text::detect(window, window.len() == bytes.len(), hint)?;
    let mut reader = Reader::new(&detection, 1);
    let (mut rest, mut any) = (bytes, false);
    while !rest.is_empty() {
        let whole = |most: usize| detection.whole_units(&rest[..rest.len().min(most)]);
        let end = match (whole(WINDOW), whole(LONGEST_LINE)) {
            (0, 0) if rest.len() > LONGEST_LINE => {
                let message = "a line is longer than 1 MiB: no puzzle file";
                return Err(Fault::at(reader.next_line(), 0, message));
            }
            (0, 0) => rest.len(),
            (0, end) | (end, _) => end,
        };
        let mut items = Vec::new();
        reader.block(&rest[..end], &mut items);
        rest = &rest[end..];
        if rest.is_empty() {
            reader.finish(&mut items);
        }
        any |= !items.is_empty();
        if !see(items) {
            return Ok(detection);
        }
    }
    if any { Ok(detection) } else { Err(Fault::whole("no puzzle found")) }
}

/// Whether there is a puzzle to be read.
fn is_puzzle(path: &Path) -> bool {
    path == Path::new("-") || path.is_file() && !has_rules(path) || is_typed(path)
}

fn has_rules(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rules")
}

/// Whether a puzzle was written in the place of a file: no file has this name, and it reads as one,
/// or is what no file is called.
pub(super) fn is_typed(path: &Path) -> bool {
    let bytes = path.as_os_str().as_encoded_bytes();
    let is_of_signs =
        || bytes.len() >= LONG && bytes.iter().all(|b| b.is_ascii_digit() || *b == b'.');
    let reads = || text::read(bytes, Hint::default()).is_ok();
    bytes.len() >= 16 && !path.exists() && (is_of_signs() || reads())
}

/// So many digits and dots are meant to be a puzzle, even if one is missing.
const LONG: usize = 30;

/// The first puzzles of a file, at most so many; a failure if it cannot be read or is no puzzle
/// file.
fn read_first(path: &Path, from: &FromOption, enough: usize) -> Result<Vec<Item>, Failure> {
    let boards = from.layout.boards()?;
    let (from, boards) = (from.from, Some(&boards as &dyn Boards));
    if is_typed(path) {
        let hint = Hint { boards, ..Hint::default() };
        let read = text::read(path.as_os_str().as_encoded_bytes(), hint);
        return read.map_err(|fault| Failure::of_puzzle(fault.message));
    }
    let bytes = read_bytes(path)?;
    let extension = path.extension().and_then(|e| e.to_str());
    let mut found = Vec::new();
    let see = &mut |items| {
        found.extend(items);
        found.len() < enough
    };
    read_blocks(&bytes, Hint { from, extension, boards }, see).map_err(|fault| match path {
        path if has_rules(path) => {
            Failure::of_puzzle(format!("{}: no puzzle, but rules: for --rules", shown(path)))
        }
        path => Failure::of_puzzle(fault.in_file(&shown(path)).to_string()),
    })?;
    Ok(found)
}

/// All puzzles of a file; a failure if it cannot be read or is no puzzle file.
pub(super) fn read_all(path: &Path, from: &FromOption) -> Result<Vec<Item>, Failure> {
    let items = read_first(path, from, MOST_PUZZLES + 1)?;
    if items.len() > MOST_PUZZLES {
        return Err(Failure::new(format!(
            "{}: more than 500,000 puzzles: {FOR_BULK}",
            shown(path)
        )));
    }
    Ok(items)
}

/// One puzzle of a file, counted from 1. The first if none is asked for; and if it has others, it
/// is said which one this is.
pub(super) fn read_one(
    path: &Path,
    number: Option<usize>,
    from: &FromOption,
) -> Result<Puzzle, Failure> {
    let items = read_first(path, from, number.unwrap_or(2))?;
    let count = items.len();
    if number.is_none() && count > 1 {
        let file = shown(path);
        say(&format!("dokulog: {file}: this is the first puzzle; --puzzle N takes another"));
    }
    let number = number.unwrap_or(1);
    let item = number.checked_sub(1).and_then(|index| items.into_iter().nth(index));
    match item {
        Some(Ok(puzzle)) => Ok(puzzle),
        Some(Err(fault)) => Err(Failure::of_puzzle(fault.in_file(&shown(path)).to_string())),
        None => {
            let has = if count == 1 { "1 puzzle".into() } else { format!("{count} puzzles") };
            Err(Failure::new(format!("{}: has {has}, no puzzle {number}", shown(path))))
        }
    }
}

/// Why an operation on a file failed, in the words of the system without its number.
pub(super) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let end = text.find(" (os error").unwrap_or(text.len());
    let mut words = text[..end].to_string();
    if let Some(first) = words.get(..1) {
        let lower = first.to_lowercase();
        words.replace_range(..1, &lower);
    }
    words
}
