//! Where puzzles go: standard output, or a file that is unfinished until the last one is made.
//!
//! An unfinished file is called `FILE.partial`. Its first line says what it is to become, so that
//! nothing else is taken for it; then come the puzzles. At the end they are copied to the file
//! itself, which is written whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::super::input::{reason, shown};
use super::super::output::{Output, is_file};
use super::super::{Failure, files, print};

/// How puzzles are written, one like the other.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// Digits, and cells a row.
    pub size: usize,
    /// As rows, with an empty line after each puzzle.
    pub rows: bool,
}

impl Shape {
    fn text(self, puzzle: &[u8]) -> String {
        let sign = |&n: &u8| match n {
            0 => '.',
            1..=9 => char::from(b'0' + n),
            _ => char::from(b'A' + n - 10),
        };
        let width = if self.rows { self.size } else { puzzle.len() };
        let line = |row: &[u8]| row.iter().map(sign).chain(['\n']).collect::<String>();
        let text: String = puzzle.chunks(width).map(line).collect();
        if self.rows { text + "\n" } else { text }
    }

    /// Bytes of a puzzle.
    fn length(self) -> usize {
        self.text(&vec![0; self.size * self.size]).len()
    }

    /// Whether these bytes look like a puzzle.
    fn fits(self, bytes: &[u8]) -> bool {
        let blank = self.text(&vec![0; self.size * self.size]);
        bytes.iter().zip(blank.bytes()).all(|(byte, like)| match like {
            b'\n' => *byte == b'\n',
            _ => *byte == b'.' || byte.is_ascii_alphanumeric(),
        })
    }
}

/// Where puzzles go.
pub(super) struct Target {
    /// Puzzles that are there already.
    pub puzzles: u64,
    shape: Shape,
    to: To,
}

enum To {
    Standard,
    Device(Output),
    File(Partial),
}

impl Target {
    /// Begins, or goes on with what an unfinished run with the same `terms` left.
    pub(super) fn open(
        output: &Option<PathBuf>,
        terms: &Map<String, Value>,
        shape: Shape,
        count: u64,
        resume: bool,
    ) -> Result<Target, Failure> {
        let Some(path) = is_file(output) else {
            return Ok(Target { puzzles: 0, shape, to: To::Standard });
        };
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            let device = Output::create(path).map_err(Failure::new)?;
            return Ok(Target { puzzles: 0, shape, to: To::Device(device) });
        }
        let head = format!("{HEAD}{}\n", Value::Object(terms.clone()));
        let mut partial = Partial::open(path, head.len() as u64, resume)?;
        let puzzles = partial.whole_puzzles(&head, terms, shape)?;
        if puzzles > count {
            let name = shown(&partial.path);
            let problem =
                format!("{name}: has {puzzles} puzzles already: --count must not be less");
            return Err(Failure::new(problem));
        }
        if puzzles == 0 {
            partial.checked(|file| {
                file.set_len(0)?;
                file.rewind()?;
                file.write_all(head.as_bytes())
            })?;
        }
        Ok(Target { puzzles, shape, to: To::File(partial) })
    }

    /// Writes some puzzles.
    pub(super) fn write(&mut self, puzzles: &[Vec<u8>]) -> Result<(), Failure> {
        let text: String = puzzles.iter().map(|puzzle| self.shape.text(puzzle)).collect();
        match &mut self.to {
            To::Standard => print(&text)?,
            To::Device(device) => device.write(text.as_bytes()).map_err(Failure::new)?,
            To::File(partial) => {
                partial.is_empty &= puzzles.is_empty();
                partial.checked(|file| file.write_all(text.as_bytes()))?;
            }
        }
        self.puzzles += puzzles.len() as u64;
        Ok(())
    }

    /// Gives the puzzles their place.
    pub(super) fn finish(self) -> Result<(), Failure> {
        match self.to {
            To::Standard => Ok(()),
            To::Device(device) => device.commit().map_err(Failure::new),
            To::File(partial) => partial.finish(self.puzzles * self.shape.length() as u64),
        }
    }

    /// What is to be said of the puzzles made when no more can be.
    pub(super) fn kept(&self) -> String {
        match &self.to {
            To::File(partial) if !partial.is_empty => {
                let (count, name) = (self.puzzles, shown(&partial.path));
                format!("; {count} are in {name}, and --resume goes on from there")
            }
            _ => String::new(),
        }
    }
}

/// What the first line of an unfinished file begins with.
const HEAD: &str = "# dokulog generate ";

/// A file that is unfinished.
struct Partial {
    file: File,
    path: PathBuf,
    /// What it is to become.
    target: PathBuf,
    /// Bytes before the first puzzle.
    head: u64,
    is_empty: bool,
}

impl Partial {
    fn open(target: &Path, head: u64, resume: bool) -> Result<Partial, Failure> {
        let path = partial(target);
        let name = shown(&path);
        files::resolve(&path).map_err(Failure::new)?;
        let failed = |error: std::io::Error| {
            Failure::new(format!("{name}: cannot be written: {}", reason(&error)))
        };
        let new = || File::options().create_new(true).read(true).write(true).open(&path);
        let file = match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => new().map_err(failed)?,
            Err(error) => return Err(failed(error)),
            Ok(metadata) if !metadata.is_file() => {
                return Err(Failure::new(format!("{name}: is no file of an unfinished run")));
            }
            Ok(_) if !resume => {
                return Err(Failure::new(format!(
                    "{name}: is left from an unfinished run: --resume goes on with it; remove it \
                     to begin anew"
                )));
            }
            Ok(_) => File::options().read(true).write(true).open(&path).map_err(failed)?,
        };
        if let Err(fs::TryLockError::WouldBlock) = file.try_lock() {
            return Err(Failure::new(format!("{name}: another run is at work on it")));
        }
        Ok(Partial { file, path, target: target.to_path_buf(), head, is_empty: true })
    }

    /// How many whole puzzles are there. What comes after them is cut off; a file that this run
    /// would not have made is refused.
    fn whole_puzzles(
        &mut self,
        head: &str,
        terms: &Map<String, Value>,
        shape: Shape,
    ) -> Result<u64, Failure> {
        let mut text = Vec::new();
        self.checked(|file| file.read_to_end(&mut text).map(|_| ()))?;
        if head.as_bytes().starts_with(&text) {
            return Ok(0);
        }
        // Whatever it is, it is not ours to remove.
        self.is_empty = false;
        let name = shown(&self.path);
        let Some(puzzles) = text.strip_prefix(head.as_bytes()) else {
            return Err(Failure::new(format!("{name}: {}", difference(&text, terms))));
        };
        let mut count = 0;
        for puzzle in puzzles.chunks_exact(shape.length()) {
            if !shape.fits(puzzle) {
                return Err(Failure::new(format!("{name}: puzzle {} is damaged", count + 1)));
            }
            count += 1;
        }
        let end = self.head + count * shape.length() as u64;
        self.checked(|file| {
            file.set_len(end)?;
            file.seek(SeekFrom::Start(end)).map(|_| ())
        })?;
        self.is_empty = count == 0;
        Ok(count)
    }

    fn finish(mut self, length: u64) -> Result<(), Failure> {
        let mut output = Output::create(&self.target).map_err(Failure::new)?;
        let head = self.head;
        self.checked(|file| file.seek(SeekFrom::Start(head)).map(|_| ()))?;
        let (mut left, mut piece) = (length as usize, vec![0; 1 << 16]);
        while left > 0 {
            let piece = &mut piece[..left.min(1 << 16)];
            self.checked(|file| file.read_exact(piece))?;
            output.write(piece).map_err(Failure::new)?;
            left -= piece.len();
        }
        output.commit().map_err(Failure::new)?;
        self.is_empty = true;
        Ok(())
    }

    fn checked(
        &mut self,
        act: impl FnOnce(&mut File) -> std::io::Result<()>,
    ) -> Result<(), Failure> {
        act(&mut self.file).map_err(|error| {
            Failure::new(format!("{}: cannot be written: {}", shown(&self.path), reason(&error)))
        })
    }
}

/// Without puzzles that are not elsewhere, the file is of no use.
impl Drop for Partial {
    fn drop(&mut self) {
        if self.is_empty {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Why an unfinished file is not the one that these terms make.
fn difference(text: &[u8], terms: &Map<String, Value>) -> String {
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or(text);
    let line = line.strip_prefix(HEAD.as_bytes()).unwrap_or_default();
    let Ok(Value::Object(other)) = serde_json::from_slice(line) else {
        return "is no file of an unfinished run, and stays as it is".to_string();
    };
    let told = |terms: &Map<String, Value>, name: &str| match terms.get(name) {
        None | Some(Value::Null) => format!("no {name}"),
        Some(value @ (Value::Number(_) | Value::String(_) | Value::Bool(_))) => {
            format!("{name} {value}")
        }
        Some(_) => format!("other {name}"),
    };
    let differs = |name: &&String| other.get(*name) != terms.get(*name);
    let Some(name) = terms.keys().find(differs) else {
        return "was begun with other options, and stays as it is".to_string();
    };
    let (was, is) = (told(&other, name), told(terms, name));
    match was == is {
        true => format!("was begun with {was}; --resume needs the same options"),
        false => format!("was begun with {was}, not with {is}; --resume needs the same options"),
    }
}

/// The name of an unfinished file. One that is as long as names can be is cut.
fn partial(path: &Path) -> PathBuf {
    const LONGEST: usize = 255;
    const END: &str = ".partial";
    let mut name = OsString::from(path.file_name().unwrap_or_default());
    if name.len() + END.len() > LONGEST {
        let text = name.to_string_lossy();
        let most = LONGEST - END.len();
        let end = (0..=most).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        name = OsString::from(&text[..end]);
    }
    name.push(END);
    path.with_file_name(name)
}
