//! Which form a file has: its content decides, its extension only breaks ties.

use std::sync::Arc;

use crate::board::{Layout, SIZES};

use super::alphabet::{Alphabet, size_of_cube, size_of_square};
use super::binary;
use super::boards::{Boards, board};
use super::csv::Csv;
use super::form::Form;
use super::frame;
use super::json;
use super::library;
use super::lines::{Lines, recognise};
use super::measure::{Content, Cut, RowShape, measure};
use super::puzzle::{Fault, Item};
use super::solo;

/// What is known about a file beside its content.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hint<'a> {
    /// Whoever knows layouts beside the classic ones.
    pub boards: Option<&'a dyn Boards>,
    /// The form the user says it has.
    pub from: Option<Form>,
    /// The extension of its name.
    pub extension: Option<&'a str>,
}

/// What was found, and why.
#[derive(Clone, Debug)]
pub struct Detection {
    /// The form.
    pub form: Form,
    /// How many digits the puzzles have.
    pub size: usize,
    /// The signs they are written with.
    pub alphabet: Alphabet,
    /// What gave it away, for people.
    pub why: String,
    /// The layout of all its puzzles, where it is no classic one of their size.
    pub board: Option<Arc<Layout>>,
    pub(super) plan: ReadingPlan,
}

impl Detection {
    /// The same for puzzles of this layout.
    fn on(mut self, board: Option<Arc<Layout>>) -> Result<Detection, Fault> {
        let Some(layout) = &board else { return Ok(self) };
        let (size, wanted) = (self.size, layout.size());
        match &mut self.plan {
            _ if self.form == Form::Solo => {
                return Err(Fault::whole("game ids of Solo say themselves what layout they have"));
            }
            _ if size != wanted => {
                let message = format!("puzzles of size {size}, and the layout has size {wanted}");
                return Err(Fault::whole(message));
            }
            ReadingPlan::Rows(_) => {}
            ReadingPlan::Lines(lines) => lines.board = board.clone(),
            ReadingPlan::Csv(csv) => *csv = csv.clone().on(board.clone()),
            _ => return Err(Fault::whole("a layout goes with rows, lines and CSV")),
        }
        self.board = board;
        Ok(self)
    }

    /// How many of these bytes are whole lines (whole grids, for a file without lines).
    pub fn whole_units(&self, bytes: &[u8]) -> usize {
        match self.plan {
            ReadingPlan::Binary => bytes.len() / binary::BYTES * binary::BYTES,
            _ => bytes.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1),
        }
    }

    /// How many puzzles, good or bad, a block of whole lines holds where every line stands for
    /// itself.
    pub fn count_records(&self, bytes: &[u8]) -> usize {
        let is_record = |line: &&[u8]| match &self.plan {
            ReadingPlan::Csv(csv) => csv.is_record(line),
            _ => !frame::is_blank(line) && !frame::is_comment(line),
        };
        split_lines(bytes).filter(is_record).count()
    }
}

/// What a reader needs to know.
#[derive(Clone, Debug)]
pub(super) enum ReadingPlan {
    Rows(RowShape),
    Lines(Lines),
    Csv(Csv),
    /// A puzzle a line, of this number, but for empty lines and comments.
    Each(fn(usize, &[u8]) -> Item),
    Prolog,
    Xml,
    Binary,
}

/// What was looked for, for the sentence that refuses a file.
const EXPECTED: &str = "expected rows of 9 digits, lines of 81, pencil marks, CSV, JSON, a Prolog \
                        list of lists or 324 bytes of little-endian numbers";

/// Finds the form of a file from its beginning; `whole` says that there is no more of it.
pub fn detect(bytes: &[u8], whole: bool, hint: Hint) -> Result<Detection, Fault> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if whole && frame::is_blank(bytes) {
        return Err(Fault::whole("file is empty"));
    }
    let is_binary = bytes.iter().any(|b| *b < 32 && !matches!(b, b'\t' | b'\n' | b'\r' | 12 | 26));
    if is_binary || hint.from == Some(Form::Binary) {
        return detect_binary(bytes, whole);
    }
    let end = if whole { bytes.len() } else { last_line_end(bytes) };
    let lines: Vec<&[u8]> = split_lines(&bytes[..end]).collect();
    let board = board(&lines, hint.boards)?;
    let own = board.as_ref().map(|board| [board.size()]);
    let sizes: &[usize] = own.as_ref().map_or(&SIZES, |own| own);
    let found = match hint.from {
        Some(form) => forced(form, &lines, sizes),
        None => free(&lines, hint, sizes),
    };
    found?.on(board)
}

/// The lines of a text, ended by `\n`, `\r\n` or `\r`.
pub(super) fn split_lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.strip_suffix(b"\n")
        .unwrap_or(text)
        .split(|b| *b == b'\n')
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .flat_map(|line| line.split(|b| *b == b'\r'))
}

fn last_line_end(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|b| *b == b'\n').map_or(bytes.len(), |at| at + 1)
}

fn detect_binary(bytes: &[u8], whole: bool) -> Result<Detection, Fault> {
    let grids = bytes.len() / binary::BYTES * binary::BYTES;
    let used = if whole { bytes } else { &bytes[..grids] };
    if !binary::is_grids(used) {
        return Err(Fault::whole(format!("not a puzzle file: binary data ({EXPECTED})")));
    }
    let count = grids / binary::BYTES;
    Ok(Detection {
        form: Form::Binary,
        size: 9,
        alphabet: Alphabet::One,
        why: format!("{count} × 324 bytes, every four a number from 0 to 9"),
        board: None,
        plan: ReadingPlan::Binary,
    })
}

fn free(lines: &[&[u8]], hint: Hint, sizes: &[usize]) -> Result<Detection, Fault> {
    let first = lines.iter().find(|line| !frame::is_blank(line)).copied().unwrap_or_default();
    let first = first.trim_ascii_start();
    if first.starts_with(b"<") && lines.iter().any(|l| has(l, b"<game")) {
        return forced(Form::Xml, lines, sizes);
    }
    if first.starts_with(b"{") && first.contains(&b'"') {
        return forced(Form::Json, lines, sizes);
    }
    // A library may begin with remarks.
    let plain =
        |line: &&&[u8]| !frame::is_blank(line) && !line.trim_ascii_start().starts_with(b"#");
    let case = lines.iter().find(plain).map_or(first, |line| line.trim_ascii_start());
    if case.starts_with(b":") && case.iter().filter(|b| **b == b':').count() >= 5 {
        return forced(Form::Library, lines, sizes);
    }
    if solo::is_id(case) {
        return forced(Form::Solo, lines, sizes);
    }
    if is_prolog(lines) {
        return forced(Form::Prolog, lines, sizes);
    }
    if let Some(csv) = Csv::recognise(lines) {
        return Ok(of_csv(csv));
    }
    if let Some(found) = of_other_size(lines, sizes) {
        return Ok(found);
    }
    let of_lines = vote(lines, None);
    let votes = of_lines.as_ref().map_or(0, |(_, votes)| *votes);
    let is_list =
        of_lines.as_ref().is_some_and(|(found, _)| found.size > 4) && 2 * votes > lines.len();
    let shape = if is_list { None } else { measure(lines, None, sizes) };
    let rows = shape.as_ref().map_or(0, |shape| shape.votes);
    let rows_by_name = hint.extension.and_then(Form::of_extension) == Some(Form::Rows);
    let ambiguous = of_lines.as_ref().is_some_and(|(lines, _)| SIZES.contains(&lines.size.pow(2)));
    if votes > 0 && (votes > rows || (votes == rows && !(rows_by_name && ambiguous))) {
        return of_lines.map(|(lines, votes)| of_lines_found(lines, votes)).ok_or_else(nothing);
    }
    match shape {
        Some(shape) => Ok(of_shape(shape)),
        None => Err(refusal(lines)),
    }
}

/// The form the user asked for, as the lines have it.
fn forced(form: Form, lines: &[&[u8]], sizes: &[usize]) -> Result<Detection, Fault> {
    let plain = |form, why: &str, plan| {
        let (size, alphabet, why) = (9, Alphabet::One, why.to_string());
        Ok(Detection { form, size, alphabet, why, board: None, plan })
    };
    match form {
        Form::Xml => plain(form, "tags <game data=\"…\">", ReadingPlan::Xml),
        Form::Json => plain(form, "lines that begin with {", ReadingPlan::Each(json::line)),
        Form::Library => {
            plain(form, "lines of fields between colons", ReadingPlan::Each(library::line))
        }
        Form::Solo => plain(form, "lines such as 3x3:…", ReadingPlan::Each(solo::line)),
        Form::Prolog => plain(form, "lists inside a list", ReadingPlan::Prolog),
        Form::Csv => Csv::recognise(lines).map(of_csv).ok_or_else(nothing),
        Form::Rows | Form::Marks => {
            measure(lines, Some(form), sizes).map(of_shape).ok_or_else(|| refusal(lines))
        }
        Form::Line if of_other_size(lines, sizes).is_some() => {
            of_other_size(lines, sizes).ok_or_else(nothing)
        }
        Form::Line | Form::Separated | Form::Cube => {
            let default = || (Lines::new(form, 9, Alphabet::One), 0);
            let (found, votes) = vote(lines, Some(form)).unwrap_or_else(default);
            Ok(of_lines_found(found, votes))
        }
        Form::Binary => Err(nothing()),
    }
}

/// Lines of whole puzzles of a layout whose size no classic one has.
fn of_other_size(lines: &[&[u8]], sizes: &[usize]) -> Option<Detection> {
    let [size] = *sizes else { return None };
    let is_puzzle = |line: &&&[u8]| line.trim_ascii().len() == size * size;
    let is_said = |line: &&&[u8]| !frame::is_comment(line) && !frame::is_blank(line);
    let said = lines.iter().filter(is_said).count();
    let votes = lines.iter().filter(is_said).filter(is_puzzle).count();
    let is_list = !SIZES.contains(&size) && votes > 0 && 2 * votes >= said;
    is_list.then(|| of_lines_found(Lines::new(Form::Line, size, Alphabet::One), votes))
}

/// The form and size of whole puzzles on a line that most lines speak for.
fn vote(lines: &[&[u8]], only: Option<Form>) -> Option<(Lines, usize)> {
    let mut votes: Vec<((Form, usize), usize)> = Vec::new();
    for line in lines.iter().filter(|l| !frame::is_comment(l)) {
        if let Some(found) = recognise(line).filter(|(f, _)| only.is_none_or(|form| form == *f)) {
            match votes.iter_mut().find(|(v, _)| *v == found) {
                Some((_, count)) => *count += 1,
                None => votes.push((found, 1)),
            }
        }
    }
    let ((form, size), count) = votes.into_iter().max_by_key(|(_, count)| *count)?;
    let mut counts = [0; 256];
    let mut two_digits = false;
    for line in lines.iter().filter(|l| recognise(l) == Some((form, size))) {
        if form == Form::Separated {
            let fields = super::lines::separated_fields(line);
            two_digits |= fields.iter().any(|(_, f)| f.len() > 1);
            line.iter().for_each(|b| counts[*b as usize] += 1);
        } else if let Some(signs) = line
            .split(|b| !b.is_ascii_alphanumeric() && !super::alphabet::BLANKS.contains(b))
            .find(|word| {
                let of_form = if form == Form::Cube { size_of_cube } else { size_of_square };
                of_form(word.len()) == Some(size)
            })
        {
            signs.iter().for_each(|b| counts[*b as usize] += 1);
        }
    }
    let alphabet = if two_digits { Alphabet::Numbers } else { Alphabet::of_signs(size, &counts) };
    Some((Lines::new(form, size, alphabet), count))
}

fn of_lines_found(lines: Lines, votes: usize) -> Detection {
    let Lines { form, size, alphabet, .. } = lines;
    let (cells, candidates) = (size * size, size * size * size);
    let count = if votes == 1 { "1 line".to_string() } else { format!("{votes} lines") };
    let why = match form {
        Form::Cube => format!("{count} of {candidates} signs"),
        Form::Separated => format!("{count} of {cells} separated cells"),
        _ => format!("{count} of {cells} signs"),
    };
    Detection { form, size, alphabet, why, board: None, plan: ReadingPlan::Lines(lines) }
}

fn of_csv(csv: Csv) -> Detection {
    let (size, alphabet) = (csv.lines().size, csv.lines().alphabet);
    let why = format!("a header with a column `{}` of {} signs", csv.column(), size * size);
    Detection { form: Form::Csv, size, alphabet, why, board: None, plan: ReadingPlan::Csv(csv) }
}

fn of_shape(shape: RowShape) -> Detection {
    let form = if shape.content == Content::Marks { Form::Marks } else { Form::Rows };
    let size = shape.size;
    let how = match (&shape.cut, shape.content) {
        (_, Content::Marks) => "words of candidates",
        (Cut::Signs, _) => "signs",
        (Cut::Words, _) => "numbers",
        (Cut::Fields(_), _) => "fields",
        (Cut::Columns(_), _) => "columns with spaces as blanks",
        (Cut::Pairs, _) => "signs, each with a flag",
    };
    let why = format!("{} lines of {size} {how}", shape.votes);
    let alphabet = shape.alphabet;
    Detection { form, size, alphabet, why, board: None, plan: ReadingPlan::Rows(shape) }
}

/// Whether a list is opened inside a list, with nothing but space between the brackets.
fn is_prolog(lines: &[&[u8]]) -> bool {
    let mut after_bracket = false;
    for line in lines {
        for &byte in line.split(|b| *b == b'%').next().unwrap_or_default() {
            match byte {
                b'[' if after_bracket => return true,
                b'[' => after_bracket = true,
                b' ' | b'\t' | b'\r' => {}
                _ => after_bracket = false,
            }
        }
    }
    let flat = |line: &&[u8]| {
        let body = line.trim_ascii();
        let cells = body.iter().filter(|b| **b == b',').count() + 1;
        body.contains(&b'[') && size_of_square(cells).is_some_and(|size| size > 4)
    };
    lines.iter().any(flat)
}

fn has(line: &[u8], part: &[u8]) -> bool {
    line.windows(part.len()).any(|window| window == part)
}

fn nothing() -> Fault {
    Fault::whole(format!("no puzzle found ({EXPECTED})"))
}

/// The cells of a row.
fn cells(line: &[u8]) -> usize {
    line.iter().filter(|b| !b" |,".contains(b)).count()
}

/// How many signs a slip of the hand leaves out of a line, or writes twice.
const SLIP: usize = 3;

/// The number of cells that a line with so many was to have.
fn nearly_a_grid(cells: usize) -> Option<usize> {
    let grids = SIZES.into_iter().filter(|&size| size > 4).map(|size| size * size);
    grids.into_iter().find(|grid| grid.abs_diff(cells) <= SLIP)
}

/// Why nothing was found: rows of another length, or nothing at all.
fn refusal(lines: &[&[u8]]) -> Fault {
    let is_row = |line: &&&[u8]| {
        let ok = |b: &u8| b.is_ascii_digit() || b" .*_-?|,".contains(b);
        line.iter().all(ok) && line.iter().any(u8::is_ascii_digit)
    };
    let rows: Vec<usize> = lines.iter().filter(is_row).map(|line| cells(line)).collect();
    let usual = rows.iter().copied().max_by_key(|n| rows.iter().filter(|m| *m == n).count());
    if let Some((cells, wanted)) = usual.and_then(|cells| Some((cells, nearly_a_grid(cells)?))) {
        let of_line = |line: &&[u8]| is_row(&line) && self::cells(line) == cells;
        let at = lines.iter().position(of_line).map_or(1, |at| at + 1);
        return Fault::at(at, 0, format!("line has {cells} cells, {wanted} are needed"));
    }
    match usual {
        Some(cells) if rows.len() > 2 && !SIZES.contains(&cells) => Fault::whole(format!(
            "rows of {cells} cells: grids of 4, 6, 9, 12, 16 and 25 can be read"
        )),
        Some(cells) if SIZES.contains(&cells) && rows.len() < cells => {
            let at = lines.iter().rposition(|line| is_row(&line)).map_or(1, |at| at + 1);
            let rows = rows.len();
            let word = if rows == 1 { "row" } else { "rows" };
            Fault::at(at, 0, format!("grid has {rows} {word}, {cells} are needed"))
        }
        _ => nothing(),
    }
}
