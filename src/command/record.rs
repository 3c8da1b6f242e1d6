//! Results in the form that was asked for.

use std::borrow::Cow;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::board::Grid;
use crate::language::{Instance, RuleSet};
use crate::text::{self, Alphabet, Fault, Form, Puzzle};

use super::bulk::{Place, Results};
use super::input::suggestion;

/// The number of the JSON layout; it grows when a member changes its meaning.
pub(super) const SCHEMA: u32 = 2;

/// Declares a [`Record`]: all its members may be left out.
macro_rules! record {
    ($($(#[$about:meta])* $seen:vis $member:ident: $kind:ty,)*) => {
        /// What became of a puzzle, as one JSON object. Members that do not apply are left out.
        #[derive(serde::Serialize, Default)]
        pub(super) struct Record<'a> {$(
            $(#[$about])*
            #[serde(skip_serializing_if = "Option::is_none")]
            $seen $member: Option<$kind>,
        )*}
    };
}

record! {
    schema: u32,
    file: &'a str,
    index: usize,
    id: &'a str,
    status: &'a str,
    /// Where it could not be read.
    line: usize,
    column: usize,
    pub givens: &'a str,
    pub puzzle: &'a str,
    pub p1: &'a str,
    pub candidates: &'a str,
    pub error: &'a str,
    pub p2: &'a str,
    /// Where each cell's digit comes from: `g` given, `r` rules, `s` search.
    pub origin: &'a str,
    pub solutions: &'a [String],
    pub count: usize,
    pub complete: bool,
    /// The rules that changed something, and in how many passes (steps, with `inferences`).
    rules: Used<'a>,
    hardest: Option<&'a str>,
    pub inferences: u64,
    cut_off: Vec<&'a str>,
    pub method: &'a str,
    pub guesses: u64,
}

impl<'a> Record<'a> {
    /// The members that every object begins with.
    pub(super) fn new(place: &Place<'a>, id: Option<&'a str>, status: &'a str) -> Record<'a> {
        let (file, index, status) = (Some(place.file), Some(place.index), Some(status));
        Record { schema: Some(SCHEMA), file, index, id, status, ..Record::default() }
    }

    /// With what the rules did.
    pub(super) fn by(mut self, used: Used<'a>, cut_off: &[usize]) -> Record<'a> {
        let instances = used.rules.instances();
        let names = || cut_off.iter().map(|&i| instances[i].name.as_str()).collect();
        self.cut_off = (!cut_off.is_empty()).then(names);
        self.hardest = Some(used.hardest());
        self.rules = Some(used);
        self
    }
}

/// The rules that a run needed, and how often each.
#[derive(Clone, Copy)]
pub(super) struct Used<'a> {
    /// The rules.
    pub rules: &'a RuleSet,
    /// How often each instance fired; nothing for a run that was refused.
    pub firings: &'a [u64],
}

impl<'a> Used<'a> {
    fn each(&self) -> impl Iterator<Item = (&'a Instance, u64)> + use<'a> {
        let all = self.rules.instances().iter().zip(self.firings.iter().copied());
        all.filter(|(_, count)| *count > 0)
    }

    /// The hardest of them.
    pub(super) fn hardest(&self) -> Option<&'a str> {
        let hardest = self.each().max_by_key(|(instance, _)| instance.level);
        hardest.map(|(instance, _)| instance.name.as_str())
    }
}

impl Serialize for Used<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (instance, count) in self.each() {
            map.serialize_entry(&instance.name, &count)?;
        }
        map.end()
    }
}

/// Understands `--to`.
pub(super) fn parse_to(name: &str) -> Result<Form, String> {
    const WRITTEN: [Form; 8] = [
        Form::Rows,
        Form::Line,
        Form::Marks,
        Form::Cube,
        Form::Csv,
        Form::Json,
        Form::Prolog,
        Form::Solo,
    ];
    let form = Form::named(name).filter(|form| WRITTEN.contains(form));
    form.ok_or_else(|| suggestion(name, WRITTEN.map(|form| form.name())))
}

/// The extension of a result in this form, where `plain` is that of rows and lines.
pub(super) fn extension(to: Option<Form>, plain: &str) -> String {
    match to {
        Some(Form::Csv) => format!("{plain}.csv"),
        Some(Form::Json) => format!("{plain}.jsonl"),
        Some(Form::Prolog) => format!("{plain}.pl"),
        _ => plain.to_string(),
    }
}

/// The form of a result: as asked, else rows for one puzzle and a line each for many.
pub(super) fn form(to: Option<Form>, place: &Place) -> Form {
    to.unwrap_or(if place.alone { Form::Rows } else { Form::Line })
}

/// Writes a grid in one of the forms for people: not CSV, not JSON.
pub(super) fn grid(
    form: Form,
    place: &Place,
    id: Option<&str>,
    grid: &Grid,
    alphabet: Alphabet,
    results: &mut Results,
) {
    if form == Form::Solo && text::solo_id(grid).is_none() {
        results.complain(&format_args!("{}: Solo has no such layout", place.name()));
        results.tally.unreadable += 1;
        results.tally.bad += 1;
        return remark(form, place, "Solo has no such layout", results);
    }
    let out = &mut results.bytes;
    match form {
        Form::Solo => text::write(grid, form, alphabet, out),
        Form::Line | Form::Cube => {
            text::write(grid, form, alphabet, out);
            if let Some(id) = id {
                out.pop();
                out.extend(format!(" # {}\n", on_one_line(id)).into_bytes());
            }
        }
        _ => {
            let sign = if form == Form::Prolog { '%' } else { '#' };
            if let Some(id) = id.filter(|_| !place.alone) {
                out.extend(format!("{sign} {}\n", on_one_line(id)).into_bytes());
            }
            text::write(grid, form, alphabet, out);
            if !place.alone && form != Form::Prolog {
                out.push(b'\n');
            }
        }
    }
    results.useful = true;
}

/// A grid as one line of signs.
pub(super) fn signs(grid: &Grid, alphabet: Alphabet) -> String {
    let mut out = Vec::new();
    text::write(grid, Form::Json, alphabet, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// The candidates of a grid, one sign each.
pub(super) fn cube(grid: &Grid, alphabet: Alphabet) -> String {
    let mut out = Vec::new();
    text::write(grid, Form::Cube, alphabet, &mut out);
    out.pop();
    String::from_utf8_lossy(&out).into_owned()
}

/// The givens of a puzzle as one line of signs.
pub(super) fn givens(puzzle: &Puzzle) -> String {
    let (grid, alphabet) = (&puzzle.grid, puzzle.alphabet);
    let alphabet = if alphabet == Alphabet::Numbers { Alphabet::One } else { alphabet };
    let blank = alphabet.blank(b'.');
    let sign = |(i, number): (usize, &u8)| match *number {
        0 => blank,
        _ if !grid.given().contains(crate::board::Cell::at(i)) => blank,
        number => alphabet.sign(number),
    };
    grid.digits().iter().enumerate().map(sign).map(char::from).collect()
}

/// Something of a puzzle that takes the place of its result: a remark where results are lines or
/// rows, so that those around it keep their order.
pub(super) fn remark(form: Form, place: &Place, text: &str, results: &mut Results) {
    if place.alone || matches!(form, Form::Csv | Form::Json) {
        return;
    }
    let sign = if form == Form::Prolog { '%' } else { '#' };
    results.bytes.extend(format!("{sign} {}\n", on_one_line(text)).into_bytes());
}

/// Deals with what could not be read.
pub(super) fn fault(
    to: Option<Form>,
    columns: usize,
    place: &Place,
    fault: &Fault,
    results: &mut Results,
) {
    let text = fault.in_file(place.file).to_string();
    results.complain(&text);
    results.tally.puzzles += 1;
    results.tally.unreadable += 1;
    results.tally.bad += 1;
    match form(to, place) {
        Form::Json => fault_object(place, fault, results),
        Form::Csv => {
            let mut fields = vec![fault.id.clone().unwrap_or_default()];
            fields.resize(columns, String::new());
            if columns > 2 {
                fields[columns - 1] = "unreadable".into();
            }
            record(&fields, results);
        }
        form => remark(form, place, &text, results),
    }
}

/// The object of a puzzle, or a file, that could not be read.
pub(super) fn fault_object(place: &Place, fault: &Fault, results: &mut Results) {
    let mut object = Record::new(place, fault.id.as_deref(), "unreadable");
    object.line = Some(fault.line).filter(|&line| line > 0);
    object.column = Some(fault.column).filter(|&column| column > 0);
    object.error = Some(&fault.message);
    put(&object, results);
}

/// Writes an object as a line.
pub(super) fn put(object: &Record, results: &mut Results) {
    let from = results.bytes.len();
    serde_json::to_writer(&mut results.bytes, object).expect("texts and numbers can be written");
    // What would act on a terminal is written out; hardly ever is there anything.
    let written = &results.bytes[from..];
    if !written.is_ascii()
        && let Cow::Owned(shown) = text::visible(&String::from_utf8_lossy(written))
    {
        results.bytes.truncate(from);
        results.bytes.extend(shown.as_bytes());
    }
    results.bytes.push(b'\n');
    results.useful = true;
}

/// Writes a record of CSV.
pub(super) fn record(fields: &[String], results: &mut Results) {
    let quoted = |field: Cow<str>| match field.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.into_owned(),
    };
    let fields: Vec<String> = fields.iter().map(|f| quoted(text::no_formula(f))).collect();
    results.bytes.extend(fields.join(",").into_bytes());
    results.bytes.push(b'\n');
    results.useful = true;
}

/// Names are for people where results are rows and lines.
fn on_one_line(text: &str) -> String {
    text::visible_line(&text.replace(['\n', '\r'], " ")).into_owned()
}
