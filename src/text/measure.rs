//! What the rows of a file look like, found by counting over its first lines.

use crate::board::SIZES;

use super::alphabet::{Alphabet, BLANKS, NOTHING};
use super::form::Form;
use super::frame;

/// How a row is cut into cells.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cut {
    /// Every sign is a cell; spaces and bars mean nothing.
    Signs,
    /// Every word is a cell.
    Words,
    /// Fields between this delimiter; an empty one is a blank.
    Fields(u8),
    /// The cells stand at these columns; a space is a blank.
    Columns(Vec<usize>),
    /// Every sign is followed by a flag, which is dropped.
    Pairs,
}

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Content {
    /// One digit or a blank.
    Digit,
    /// The candidates.
    Marks,
}

/// What the rows of a file look like.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RowShape {
    /// Cells in a row.
    pub size: usize,
    /// How digits are written.
    pub alphabet: Alphabet,
    /// Where the cells are.
    pub cut: Cut,
    /// What they hold.
    pub content: Content,
    /// Whether `-` is a blank, not a piece of a frame.
    pub dash_is_blank: bool,
    /// Whether an empty line inside a grid is a row without digits.
    pub empty_line_is_row: bool,
    /// How many lines looked so.
    pub votes: usize,
}

/// A way of cutting, with the lines that speak for it.
struct Vote {
    cut: Cut,
    size: usize,
    lines: usize,
    long: bool,
}

/// Finds the shape of the rows in these lines, if there are rows: of digits or of pencil marks,
/// as asked, or else as it seems; of one of these sizes.
pub(super) fn measure(lines: &[&[u8]], only: Option<Form>, sizes: &[usize]) -> Option<RowShape> {
    let mut in_grid = true;
    let flat: Vec<_> = lines
        .iter()
        .filter(|line| {
            if let Some(name) = frame::section(line) {
                in_grid = frame::holds_grid(&name);
            }
            in_grid
        })
        .map(|line| frame::flatten(line))
        .collect();
    let dash_is_blank = flat.iter().any(|line| is_plain(line) && digit_and_dash(line));
    let rows: Vec<&[u8]> = flat
        .iter()
        .map(|line| frame::without_comment(line))
        .filter(|line| !frame::is_blank(line) && !frame::is_comment(line))
        .filter(|line| line.iter().all(|b| is_row_byte(*b)))
        .collect();
    let drawn = flat.iter().any(|line| line.iter().any(|b| *b == b'|' || *b == b'+'));
    let rows: Vec<&[u8]> = rows
        .into_iter()
        .filter(|line| !frame::is_frame(line, dash_is_blank, plain_count(line)))
        .collect();
    let mut best: Option<Vote> = None;
    for &size in sizes {
        for vote in votes(&rows, size, only) {
            let key = |v: &Vote| {
                let signs = v.cut == Cut::Signs && !v.long;
                (v.lines >= v.size, v.lines, signs, v.size)
            };
            if best.as_ref().is_none_or(|b| key(&vote) > key(b)) {
                best = Some(vote);
            }
        }
    }
    let digit_rows = rows.iter().filter(|r| r.iter().any(u8::is_ascii_digit)).count();
    let enough = |v: &Vote| 2 * v.lines >= v.size && 2 * v.lines > digit_rows.min(v.size);
    let convincing = |v: &Vote| enough(v) && 2 * v.lines >= digit_rows;
    if !best.as_ref().is_some_and(convincing)
        && let Some(shape) = columns(&flat, dash_is_blank)
    {
        return Some(shape);
    }
    let Vote { cut, size, lines, long } = best.filter(enough)?;
    let mut counts = [0; 256];
    rows.iter().flat_map(|row| row.iter()).for_each(|&b| counts[b as usize] += 1);
    let marks = only == Some(Form::Marks);
    let numbers = long && size > 9 && !drawn && !marks && all_numbers(&rows, &cut, size);
    let content = if long && !numbers { Content::Marks } else { Content::Digit };
    let alphabet = if numbers { Alphabet::Numbers } else { Alphabet::of_signs(size, &counts) };
    let shape = RowShape {
        size,
        alphabet,
        cut,
        content,
        dash_is_blank,
        empty_line_is_row: false,
        votes: lines,
    };
    Some(shape)
}

fn votes(rows: &[&[u8]], size: usize, only: Option<Form>) -> Vec<Vote> {
    let fits = |row: &[u8], cut: &Cut| count(row, cut) == size;
    let mut found = Vec::new();
    let lines = |cut: &Cut| rows.iter().filter(|row| fits(row, cut)).count();
    let marked = rows.iter().any(|row| row.contains(&NOTHING));
    for cut in [Cut::Signs, Cut::Words, Cut::Fields(b','), Cut::Fields(b';'), Cut::Fields(b'\t')] {
        let delimited = match cut {
            Cut::Fields(delimiter) => rows.iter().any(|row| row.contains(&delimiter)),
            _ => rows.iter().all(|row| !row.contains(&b',') && !row.contains(&b';')),
        };
        let all_lines = if delimited { lines(&cut) } else { 0 };
        if all_lines == 0 {
            continue;
        }
        let long = cut != Cut::Signs
            && rows
                .iter()
                .filter(|row| fits(row, &cut))
                .any(|row| cells(row, &cut).iter().any(|&(_, word)| word.trim_ascii().len() > 1));
        // Only pencil marks have a sign for cells without any.
        let only = if marked { Some(Form::Marks) } else { only };
        let long = long || (only == Some(Form::Marks) && cut == Cut::Words);
        let unwanted = match only {
            Some(Form::Marks) => !long,
            Some(Form::Rows) => long && size <= 9,
            _ => cut == Cut::Words && !long,
        };
        if unwanted {
            continue;
        }
        found.push(Vote { cut, size, lines: all_lines, long });
    }
    let pairs = rows
        .iter()
        .filter(|row| {
            let words: Vec<_> = words(row).collect();
            words.len() == 2 * size
                && words.iter().all(|(_, word)| word.len() == 1)
                && words.chunks(2).all(|p| matches!(p[1].1, b"0" | b"1"))
        })
        .count();
    if pairs > 0 {
        found.push(Vote { cut: Cut::Pairs, size, lines: pairs, long: false });
    }
    found
}

/// The cells of a row with their columns (from 0).
pub(super) fn cells<'a>(row: &'a [u8], cut: &Cut) -> Vec<(usize, &'a [u8])> {
    match cut {
        Cut::Signs => (0..row.len())
            .filter(|&i| !row[i].is_ascii_whitespace() && !frame::is_bar(row[i]))
            .map(|i| (i, &row[i..=i]))
            .collect(),
        Cut::Words => words(row).collect(),
        Cut::Fields(delimiter) => fields(row, *delimiter),
        Cut::Pairs => words(row).step_by(2).collect(),
        Cut::Columns(starts) => {
            starts.iter().map(|&at| (at, row.get(at..=at).unwrap_or(b" "))).collect()
        }
    }
}

fn count(row: &[u8], cut: &Cut) -> usize {
    match cut {
        Cut::Signs => plain_count(row),
        Cut::Words => words(row).count(),
        _ => cells(row, cut).len(),
    }
}

fn plain_count(row: &[u8]) -> usize {
    row.iter().filter(|b| !b.is_ascii_whitespace() && !frame::is_bar(**b)).count()
}

/// Words between spaces and bars, with their columns.
fn words(row: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let ends = |b: u8| b.is_ascii_whitespace() || frame::is_bar(b);
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < row.len() && ends(row[at]) {
            at += 1;
        }
        let start = at;
        while at < row.len() && !ends(row[at]) {
            at += 1;
        }
        (at > start).then(|| (start, &row[start..at]))
    })
}

/// Fields between delimiters, with their columns. A delimiter behind a full row only closes it.
fn fields(row: &[u8], delimiter: u8) -> Vec<(usize, &[u8])> {
    let mut found = Vec::new();
    let mut start = 0;
    for i in 0..=row.len() {
        if i == row.len() || row[i] == delimiter {
            let field = &row[start..i];
            let lead = field.len() - field.trim_ascii_start().len();
            found.push((start + lead, field.trim_ascii()));
            start = i + 1;
        }
    }
    let closed = found.last().is_some_and(|(_, field)| field.is_empty());
    if closed && SIZES.contains(&(found.len() - 1)) && !SIZES.contains(&found.len()) {
        found.pop();
    }
    found
}

fn is_row_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric()
        || BLANKS.contains(&b)
        || b.is_ascii_whitespace()
        || frame::is_bar(b)
        || matches!(b, b',' | b';' | b'+' | b'=' | NOTHING)
}

/// Digits, blanks, spaces and bars only.
fn is_plain(line: &[u8]) -> bool {
    line.iter()
        .all(|&b| b.is_ascii_alphanumeric() || BLANKS.contains(&b) || b == b' ' || frame::is_bar(b))
}

fn digit_and_dash(line: &[u8]) -> bool {
    line.contains(&b'-')
        && line.iter().any(u8::is_ascii_digit)
        && line.iter().filter(|b| b.is_ascii_alphabetic()).count() * 2 <= line.len()
        && !line.windows(3).any(|w| w.iter().all(u8::is_ascii_lowercase))
}

fn all_numbers(rows: &[&[u8]], cut: &Cut, size: usize) -> bool {
    rows.iter().filter(|row| count(row, cut) == size).all(|row| {
        cells(row, cut).iter().all(|(_, word)| {
            let number = std::str::from_utf8(word).ok().and_then(|t| t.parse::<usize>().ok());
            number.is_some_and(|n| n <= size) || word.iter().all(|b| BLANKS.contains(b))
        })
    })
}

/// Rows in which spaces are the blanks: every digit stands at one of the columns of some pattern.
fn columns(flat: &[std::borrow::Cow<[u8]>], dash_is_blank: bool) -> Option<RowShape> {
    let rows: Vec<&[u8]> = flat
        .iter()
        .map(|line| line.trim_ascii_end())
        .filter(|line| {
            line.iter().all(|b| b.is_ascii_digit() || *b == b' ' || *b == b'|' || *b == b'.')
                && line.iter().any(|b| b.is_ascii_digit() || *b == b'|')
        })
        .collect();
    let others = flat
        .iter()
        .filter(|line| !frame::is_blank(line) && !frame::is_frame(line, dash_is_blank, 0))
        .count();
    if rows.len() < 4 || 3 * rows.len() < 2 * others {
        return None;
    }
    for size in [9, 6, 4] {
        for starts in patterns(&rows, size) {
            let used = |row: &&[u8]| {
                row.iter().enumerate().all(|(i, b)| match b {
                    b'0'..=b'9' => starts.contains(&i) && (*b - b'0') as usize <= size,
                    b'.' => i == starts[size - 1] + 1,
                    _ => true,
                })
            };
            if !rows.iter().all(used) || rows.len() * 2 < size {
                continue;
            }
            let last = rows.iter().any(|row| {
                row.get(starts[size - 1]).is_some_and(u8::is_ascii_digit)
                    || row.len() > starts[size - 1]
            });
            if last || rows.len().is_multiple_of(size) {
                return Some(RowShape {
                    size,
                    alphabet: Alphabet::One,
                    cut: Cut::Columns(starts),
                    content: Content::Digit,
                    dash_is_blank,
                    empty_line_is_row: !rows.len().is_multiple_of(size),
                    votes: rows.len(),
                });
            }
        }
    }
    None
}

/// Where cells may stand: next to each other, every second column, or so between bars.
fn patterns(rows: &[&[u8]], size: usize) -> Vec<Vec<usize>> {
    let width = match size {
        9 => 3,
        6 => 3,
        _ => 2,
    };
    let bars = |row: &&[u8]| -> Vec<usize> { (0..row.len()).filter(|&i| row[i] == b'|').collect() };
    let first = rows.iter().map(bars).find(|bars| !bars.is_empty());
    let Some(first) = first else {
        return vec![(0..size).collect(), (0..size).map(|i| 2 * i).collect()];
    };
    let mut edges: Vec<i64> = first.iter().map(|&b| b as i64).collect();
    if edges.len() == size / width - 1 {
        let step = if edges.len() > 1 { edges[1] - edges[0] } else { edges[0] + 1 };
        edges.insert(0, edges[0] - step);
    }
    if edges.len() < size / width {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (offset, stride) in [(1, 1), (2, 1), (1, 2), (2, 2)] {
        let starts: Vec<i64> =
            (0..size).map(|i| edges[i / width] + offset + stride * (i % width) as i64).collect();
        let last = offset + stride * (width as i64 - 1);
        let room = last + 1..last + offset + stride;
        let fits = edges.windows(2).all(|e| room.contains(&(e[1] - e[0])));
        if fits && starts.iter().all(|&s| s >= 0) {
            found.push(starts.iter().map(|&s| s as usize).collect());
        }
    }
    found
}
