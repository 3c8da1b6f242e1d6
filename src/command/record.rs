//! Results in the form that was asked for.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use crate::board::Grid;
use crate::text::{self, Alphabet, Fault, Form, Puzzle};

use super::bulk::{Place, Sheet};

/// The number of the JSON layout; it grows when a member changes its meaning.
pub const SCHEMA: u32 = 1;

/// Understands `--to`.
pub fn parse_to(name: &str) -> Result<Form, String> {
    const WRITTEN: [Form; 7] =
        [Form::Rows, Form::Line, Form::Marks, Form::Cube, Form::Csv, Form::Json, Form::Prolog];
    Form::named(name).filter(|form| WRITTEN.contains(form)).ok_or_else(|| {
        let names: Vec<&str> = WRITTEN.iter().map(|form| form.name()).collect();
        format!("the forms are {}", names.join(", "))
    })
}

/// The extension of a result in this form, where `plain` is that of rows and lines.
pub fn extension(to: Option<Form>, plain: &str) -> String {
    match to {
        Some(Form::Csv) => format!("{plain}.csv"),
        Some(Form::Json) => format!("{plain}.jsonl"),
        Some(Form::Prolog) => format!("{plain}.pl"),
        _ => plain.to_string(),
    }
}

/// The form of a result: as asked, else rows for one puzzle and a line each for many.
pub fn form(to: Option<Form>, place: &Place) -> Form {
    to.unwrap_or(if place.alone { Form::Rows } else { Form::Line })
}

/// Writes a grid in one of the forms for people: not CSV, not JSON.
pub fn grid(
    form: Form,
    place: &Place,
    id: Option<&str>,
    grid: &Grid,
    alphabet: Alphabet,
    sheet: &mut Sheet,
) {
    let out = &mut sheet.bytes;
    match form {
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
    sheet.useful = true;
}

/// A grid as one line of signs.
pub fn signs(grid: &Grid, alphabet: Alphabet) -> String {
    let mut out = Vec::new();
    text::write(grid, Form::Json, alphabet, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// The candidates of a grid, one sign each.
pub fn cube(grid: &Grid, alphabet: Alphabet) -> String {
    let mut out = Vec::new();
    text::write(grid, Form::Cube, alphabet, &mut out);
    out.pop();
    String::from_utf8_lossy(&out).into_owned()
}

/// The givens of a puzzle as one line of signs.
pub fn givens(puzzle: &Puzzle) -> String {
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
pub fn remark(form: Form, place: &Place, text: &str, sheet: &mut Sheet) {
    if place.alone || matches!(form, Form::Csv | Form::Json) {
        return;
    }
    let sign = if form == Form::Prolog { '%' } else { '#' };
    sheet.bytes.extend(format!("{sign} {}\n", on_one_line(text)).into_bytes());
}

/// Deals with what could not be read.
pub fn fault(to: Option<Form>, columns: usize, place: &Place, fault: &Fault, sheet: &mut Sheet) {
    let text = fault.in_file(place.file).to_string();
    sheet.complain(&text);
    sheet.tally.puzzles += 1;
    sheet.tally.unreadable += 1;
    sheet.tally.bad += 1;
    match form(to, place) {
        Form::Json => fault_object(place, fault, sheet),
        Form::Csv => {
            let mut fields = vec![fault.id.clone().unwrap_or_default()];
            fields.resize(columns, String::new());
            if columns > 2 {
                fields[columns - 1] = "unreadable".into();
            }
            record(&fields, sheet);
        }
        form => remark(form, place, &text, sheet),
    }
}

/// The object of a puzzle, or a file, that could not be read.
pub fn fault_object(place: &Place, fault: &Fault, sheet: &mut Sheet) {
    let mut object = object(place, fault.id.as_deref(), "unreadable");
    if fault.line > 0 {
        object.insert("line".into(), json!(fault.line));
    }
    if fault.column > 0 {
        object.insert("column".into(), json!(fault.column));
    }
    object.insert("error".into(), json!(fault.message));
    put(object, sheet);
}

/// The members that every object begins with.
pub fn object(place: &Place, id: Option<&str>, status: &str) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("schema".into(), json!(SCHEMA));
    object.insert("file".into(), json!(place.file));
    object.insert("index".into(), json!(place.index));
    if let Some(id) = id {
        object.insert("id".into(), json!(id));
    }
    object.insert("status".into(), json!(status));
    object
}

/// Writes an object as a line.
pub fn put(object: Map<String, Value>, sheet: &mut Sheet) {
    sheet.bytes.extend(text::visible(&Value::Object(object).to_string()).as_bytes());
    sheet.bytes.push(b'\n');
    sheet.useful = true;
}

/// Writes a record of CSV.
pub fn record(fields: &[String], sheet: &mut Sheet) {
    let quoted = |field: Cow<str>| match field.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.into_owned(),
    };
    let fields: Vec<String> = fields.iter().map(|f| quoted(text::no_formula(f))).collect();
    sheet.bytes.extend(fields.join(",").into_bytes());
    sheet.bytes.push(b'\n');
    sheet.useful = true;
}

/// Names are for people where results are rows and lines.
fn on_one_line(text: &str) -> String {
    text::visible_line(&text.replace(['\n', '\r'], " ")).into_owned()
}
