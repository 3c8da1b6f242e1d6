//! Reading inputs in blocks of whole puzzles, so that no list ever stands in memory.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use crate::text::{Boards, Detection, Fault, Form, Hint, Item, Reader, detect};

use super::super::files;
use super::super::input::{LONGEST_LINE, WINDOW, reason, shown};
use super::inputs::Input;

/// Some puzzles of one input, in order.
pub(super) struct Block {
    /// Which block of the run, from 0.
    pub sequence: u64,
    /// Which input.
    pub input: usize,
    /// What is in it.
    pub payload: Payload,
    /// The first puzzle's place in its file, from 0.
    pub first_index: usize,
    /// Whether the file has no other puzzle than the one here.
    pub alone: bool,
    /// Whether the input ends here.
    pub last: bool,
}

/// What is in a block.
pub(super) enum Payload {
    /// Whole lines, each standing for itself; the first one's number, from 1.
    Lines(Vec<u8>, usize, Arc<Detection>),
    /// Puzzles.
    Items(Vec<Item>),
    /// The file is no puzzle file.
    Refused(Fault),
    /// The file was passed over.
    Foreign(Fault),
    /// The file could not be read.
    Failed(String),
}

/// Reads one input after the other.
pub(super) struct Source<'a> {
    inputs: &'a [Input],
    from: Option<Form>,
    boards: &'a dyn Boards,
    count_lines: bool,
    next_input: usize,
    sequence: u64,
    open: Option<OpenFile>,
}

/// The input under way.
struct OpenFile {
    bytes: Box<dyn Read + Send>,
    /// The file itself, to see whether it changed.
    file: Option<(File, u64, Option<std::time::SystemTime>)>,
    read: u64,
    /// What was read but belongs to the next block.
    carry: Vec<u8>,
    at_end: bool,
    detection: Option<Arc<Detection>>,
    reader: Option<Reader>,
    next_line: usize,
    next_index: usize,
}

impl<'a> Source<'a> {
    /// A source of these inputs; `count_lines` asks for true places in the file.
    pub(super) fn new(
        inputs: &'a [Input],
        from: Option<Form>,
        boards: &'a dyn Boards,
        count_lines: bool,
    ) -> Source<'a> {
        Source { inputs, from, boards, count_lines, next_input: 0, sequence: 0, open: None }
    }

    /// The next block, of about so many bytes, and how many bytes were read for it.
    pub(super) fn next(&mut self, target: usize) -> Option<(Block, u64)> {
        if self.open.is_none() && self.next_input == self.inputs.len() {
            return None;
        }
        let input = &self.inputs[self.next_input];
        let (payload, first_index, alone, last, read) = self.payload(input, target);
        let block = Block {
            sequence: self.sequence,
            input: self.next_input,
            payload,
            first_index,
            alone,
            last,
        };
        self.sequence += 1;
        if last {
            self.open = None;
            self.next_input += 1;
        }
        Some((block, read))
    }

    fn payload(&mut self, input: &Input, target: usize) -> (Payload, usize, bool, bool, u64) {
        if self.open.is_none() {
            match OpenFile::open(input) {
                Ok(open) => self.open = Some(open),
                Err(error) => {
                    let sentence = format!("{}: {}", shown(&input.path), reason(&error));
                    return (Payload::Failed(sentence), 0, false, true, 0);
                }
            }
        }
        let open = self.open.as_mut().expect("opened above");
        let before = open.read;
        let known = (self.from, self.boards);
        let block = open.block(input, known, target, self.count_lines);
        let (payload, first_index, alone) = match block {
            Ok(found) => found,
            Err(error) => {
                let sentence = format!("{}: {}", shown(&input.path), reason(&error));
                (Payload::Failed(sentence), 0, false)
            }
        };
        let ends =
            matches!(payload, Payload::Failed(_) | Payload::Refused(_) | Payload::Foreign(_));
        let last = ends || (open.at_end && open.carry.is_empty());
        (payload, first_index, alone, last, open.read - before)
    }
}

impl OpenFile {
    fn open(input: &Input) -> io::Result<OpenFile> {
        let path = &input.path;
        files::protect(path);
        let mut open = OpenFile {
            bytes: Box::new(io::stdin()),
            file: None,
            read: 0,
            carry: Vec::new(),
            at_end: false,
            detection: None,
            reader: None,
            next_line: 1,
            next_index: 0,
        };
        if input.is_typed {
            let typed = path.as_os_str().as_encoded_bytes().to_vec();
            open.bytes = Box::new(io::Cursor::new(typed));
        } else if path != Path::new("-") {
            let file = File::open(path)?;
            let metadata = file.metadata()?;
            if metadata.is_dir() {
                return Err(io::Error::other("is a folder"));
            }
            if metadata.is_file() {
                open.file = Some((file.try_clone()?, metadata.len(), metadata.modified().ok()));
            }
            open.bytes = Box::new(file);
        }
        Ok(open)
    }

    fn block(
        &mut self,
        input: &Input,
        (from, boards): (Option<Form>, &dyn Boards),
        target: usize,
        count: bool,
    ) -> io::Result<(Payload, usize, bool)> {
        let is_first = self.detection.is_none();
        self.fill(if is_first { WINDOW } else { target })?;
        if is_first {
            let extension = input.path.extension().and_then(|e| e.to_str());
            match detect(&self.carry, self.at_end, Hint { from, extension, boards: Some(boards) }) {
                Ok(detection) => {
                    if !detection.form.is_line_by_line() || detection.form == Form::Xml {
                        self.reader = Some(Reader::new(&detection, 1));
                    }
                    self.detection = Some(Arc::new(detection));
                }
                Err(fault) if input.may_be_foreign => {
                    return Ok((Payload::Foreign(fault), 0, false));
                }
                Err(fault) => return Ok((Payload::Refused(fault), 0, false)),
            }
        }
        let detection = self.detection.clone().expect("detected above");
        let end = if self.at_end { self.carry.len() } else { detection.whole_units(&self.carry) };
        if end == 0 && !self.carry.is_empty() && self.carry.len() >= LONGEST_LINE {
            let message = "a line is longer than 1 MiB: no puzzle file";
            return Ok((Payload::Refused(Fault::at(self.next_line, 0, message)), 0, false));
        }
        let rest = self.carry.split_off(end);
        let bytes = std::mem::replace(&mut self.carry, rest);
        let ends = self.at_end && self.carry.is_empty();
        if ends && self.has_changed() {
            return Err(io::Error::other("changed while it was read; nothing was written"));
        }
        let first_index = self.next_index;
        let whole_file = is_first && ends;
        if let Some(reader) = &mut self.reader {
            let mut items = Vec::new();
            reader.block(&bytes, &mut items);
            if ends {
                reader.finish(&mut items);
            }
            self.next_index += items.len();
            if whole_file && items.is_empty() {
                let fault = Fault::whole("no puzzle found");
                return Ok((Payload::Refused(fault), 0, false));
            }
            let alone = whole_file && items.len() == 1;
            return Ok((Payload::Items(items), first_index, alone));
        }
        let first_line = self.next_line;
        let mut alone = false;
        if count || whole_file {
            let records = detection.count_records(&bytes);
            self.next_index += records;
            // From a pipe, a line in is a line out, however it is timed.
            let is_stream = self.file.is_none() && !input.is_typed && is_plain(detection.form);
            alone = whole_file && records == 1 && !is_stream;
        }
        self.next_line += line_ends(&bytes);
        Ok((Payload::Lines(bytes, first_line, detection), first_index, alone))
    }

    /// Reads until there are so many bytes and a whole line, or the file ends. A pipe that has
    /// whole lines is not waited for.
    fn fill(&mut self, target: usize) -> io::Result<()> {
        let is_first = self.detection.is_none();
        self.carry.reserve(target.saturating_sub(self.carry.len()));
        let mut has_line = false;
        while !self.at_end && self.carry.len() < LONGEST_LINE.max(target) {
            let enough = self.carry.len() >= target && (has_line || is_first);
            let waits = self.file.is_none() && has_line && (!is_first || self.is_plain_line());
            if enough || waits {
                break;
            }
            let from = self.carry.len();
            let room = target.saturating_sub(from).max(16 << 10);
            let count = match self.file {
                Some(_) => (&mut self.bytes).take(room as u64).read_to_end(&mut self.carry)?,
                None => self.read_some(room)?,
            };
            self.read += count as u64;
            self.at_end = count == 0 || (self.file.is_some() && count < room);
            has_line |= self.carry[from..].contains(&b'\n');
        }
        Ok(())
    }

    /// Reads what a pipe has, no more than so much.
    fn read_some(&mut self, room: usize) -> io::Result<usize> {
        let from = self.carry.len();
        self.carry.resize(from + room, 0);
        let count = loop {
            match self.bytes.read(&mut self.carry[from..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        self.carry.truncate(from + count.as_ref().map_or(0, |count| *count));
        count
    }

    /// Whether the first line is a whole puzzle, so that there is no need to see more.
    fn is_plain_line(&self) -> bool {
        let end = self.carry.iter().position(|b| *b == b'\n').unwrap_or(0);
        let found = detect(&self.carry[..end], true, Hint::default());
        found.is_ok_and(|detection| is_plain(detection.form))
    }

    fn has_changed(&self) -> bool {
        let Some((file, length, modified)) = &self.file else { return false };
        let now = file.metadata();
        now.is_ok_and(|now| now.len() != *length || now.modified().ok() != *modified)
            || self.read != *length
    }
}

/// Whether one line tells the form of all.
fn is_plain(form: Form) -> bool {
    matches!(form, Form::Line | Form::Json | Form::Cube | Form::Separated | Form::Solo)
}

/// How many lines end here, counted in bytes so that it takes a register for many at once.
fn line_ends(bytes: &[u8]) -> usize {
    let count = |piece: &[u8]| piece.iter().fold(0u8, |n, b| n + u8::from(*b == b'\n'));
    bytes.chunks(192).map(|piece| usize::from(count(piece))).sum()
}
