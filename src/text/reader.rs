//! Reading a file piece by piece.

use super::binary;
use super::detect::{Detection, Hint, ReadingPlan, detect, split_lines};
use super::frame;
use super::prolog::Prolog;
use super::puzzle::{Fault, Item};
use super::rows::Rows;
use super::xml;

/// Takes a file of a known form in blocks of whole lines.
///
/// Where [`super::Form::is_line_by_line`], blocks may go to different readers.
pub struct Reader {
    state: ReaderState,
    /// The number of the next line, from 1 (of the next grid, for a file without lines).
    next: usize,
}

enum ReaderState {
    Rows(Box<Rows>),
    Prolog(Prolog),
    Other(Box<ReadingPlan>),
}

/// All puzzles of a text, each with what is wrong with it if something is; an error if the text
/// is no puzzle file.
///
/// ```
/// use dokulog::text::{self, Form, Hint};
///
/// let puzzles = text::read(b"12..\n34..\n..21\n..43\n", Hint::default()).expect("four rows");
/// let puzzle = puzzles[0].as_ref().expect("nothing wrong with them");
/// let mut line = Vec::new();
/// text::write(&puzzle.grid, Form::Line, puzzle.alphabet, &mut line);
/// assert_eq!(line, b"12..34....21..43\n");
/// ```
pub fn read(bytes: &[u8], hint: Hint) -> Result<Vec<Item>, Fault> {
    let detection = detect(bytes, true, hint)?;
    let mut found = Vec::new();
    let mut reader = Reader::new(&detection, 1);
    reader.block(bytes, &mut found);
    reader.finish(&mut found);
    if found.is_empty() {
        return Err(Fault::whole("no puzzle found"));
    }
    Ok(found)
}

impl Reader {
    /// A reader for files that look so, whose first block begins with this line (from 1).
    pub fn new(detection: &Detection, first: usize) -> Reader {
        let state = match &detection.plan {
            ReadingPlan::Rows(shape) => {
                ReaderState::Rows(Box::new(Rows::new(shape.clone(), &detection.board)))
            }
            ReadingPlan::Prolog => ReaderState::Prolog(Prolog::default()),
            plan => ReaderState::Other(Box::new(plan.clone())),
        };
        Reader { state, next: first }
    }

    /// The number of the next line.
    pub fn next_line(&self) -> usize {
        self.next
    }

    /// Counts a line that was read elsewhere.
    pub fn skip_line(&mut self) {
        self.next += 1;
    }

    /// Takes a block of whole lines (of whole grids, for a file without lines).
    pub fn block(&mut self, bytes: &[u8], found: &mut Vec<Item>) {
        if let ReaderState::Other(plan) = &self.state
            && matches!(**plan, ReadingPlan::Binary)
        {
            for grid in bytes.chunks(binary::BYTES) {
                found.push(binary::grid(self.next - 1, grid));
                self.next += 1;
            }
            return;
        }
        if bytes.is_empty() {
            return;
        }
        let mark: &[u8] = if self.next == 1 { b"\xef\xbb\xbf" } else { b"" };
        let bytes = bytes.strip_prefix(mark).unwrap_or(bytes);
        for line in split_lines(bytes) {
            self.line(line, found);
        }
    }

    /// Takes one line, without its end.
    pub fn line(&mut self, line: &[u8], found: &mut Vec<Item>) {
        let number = self.next;
        self.next += 1;
        let line = if line == b"\x1a" { b"" } else { line };
        match &mut self.state {
            ReaderState::Rows(rows) => rows.line(number, line, found),
            ReaderState::Prolog(prolog) => prolog.line(number, line, found),
            ReaderState::Other(plan) => match &**plan {
                ReadingPlan::Lines(lines) => found.extend(lines.line(number, line)),
                ReadingPlan::Csv(csv) => found.extend(csv.line(number, line)),
                ReadingPlan::Xml => xml::line(number, line, found),
                ReadingPlan::Each(_) if frame::is_blank(line) || frame::is_comment(line) => {}
                ReadingPlan::Each(read) => found.push(read(number, line)),
                ReadingPlan::Rows(_) | ReadingPlan::Prolog | ReadingPlan::Binary => {}
            },
        }
    }

    /// Takes the end of the file.
    pub fn finish(&mut self, found: &mut Vec<Item>) {
        match &mut self.state {
            ReaderState::Rows(rows) => rows.finish(self.next - 1, found),
            ReaderState::Prolog(prolog) => prolog.finish(found),
            ReaderState::Other(_) => {}
        }
    }
}
