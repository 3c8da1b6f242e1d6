//! Diagnostics as text for people and as JSON for editors.

use serde::Serialize;

use super::diagnostic::{Diagnostic, Severity, Source};
use crate::text::visible_line;

/// The longest line shown whole; of a longer one, the part around the caret.
const WIDTH: usize = 140;

/// Line and column, both from 1, the column in characters, and the text of the line.
fn locate(diagnostic: &Diagnostic, source: &Source) -> (usize, usize, String) {
    let text = &source.text;
    let mut start = (diagnostic.span.start as usize).min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let before = &text[..start];
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    let line = 1 + before.bytes().filter(|&b| b == b'\n').count();
    let column = 1 + before[line_start..].chars().count();
    let whole = text[line_start..].lines().next().unwrap_or("");
    (line, column, whole.to_string())
}

/// How many carets: the span, but not past the end of its first line.
fn carets(diagnostic: &Diagnostic, source: &Source, column: usize, line: &str) -> usize {
    let (start, end) = (diagnostic.span.start as usize, diagnostic.span.end as usize);
    let length = source.text.get(start..end).map_or(0, |text| text.chars().count());
    length.min((line.trim_end().chars().count() + 1).saturating_sub(column)).max(1)
}

fn severity(diagnostic: &Diagnostic) -> &'static str {
    match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// A sign as it is shown: a tab as a blank, what would act on a terminal written out.
fn shown_sign(c: char) -> String {
    if c == '\t' { " ".to_string() } else { visible_line(c.encode_utf8(&mut [0; 4])).into_owned() }
}

/// The part of a line that is shown, and which part of that is marked: where it begins, from 0,
/// and how long it is.
fn window(line: &str, column: usize, marked: usize) -> (String, usize, usize) {
    let signs: Vec<String> = line.chars().map(shown_sign).collect();
    let start = (column - 1).min(signs.len());
    let from = start.saturating_sub(WIDTH / 2).min(signs.len().saturating_sub(WIDTH));
    let to = signs.len().min(from + WIDTH);
    let before = if from > 0 { "… " } else { "" };
    let after = if to < signs.len() { " …" } else { "" };
    let width = |signs: &[String]| signs.iter().map(|sign| sign.chars().count()).sum::<usize>();
    let indent = before.chars().count() + width(&signs[from..start]);
    let marks = width(&signs[start..to.min(start + marked)]).max(1);
    (format!("{before}{}{after}", signs[from..to].concat()), indent, marks)
}

/// One diagnostic as text, with a blank line after it.
pub fn text(diagnostic: &Diagnostic, sources: &[Source], colour: bool) -> String {
    let paint = |code: &str, text: &str| match colour {
        true => format!("\x1b[{code}m{text}\x1b[0m"),
        false => text.to_string(),
    };
    let strong = if diagnostic.severity == Severity::Error { "1;31" } else { "1;33" };
    let kind = format!("{}[{}]", severity(diagnostic), diagnostic.code);
    let mut out = format!(
        "{}{}\n",
        paint(strong, &kind),
        paint("1", &format!(": {}", visible_line(&diagnostic.message)))
    );
    let Some(source) = sources.get(diagnostic.span.source as usize) else { return out };
    let (line, column, whole) = locate(diagnostic, source);
    let width = line.to_string().len();
    let edge = |n: &str| paint("1;34", &format!(" {n:>width$} |"));
    let arrow = paint("1;34", &format!("{:>1$}", "-->", width + 4));
    out += &format!("{arrow} {}:{line}:{column}\n", visible_line(&source.name));
    if !source.text.is_empty() {
        let count = carets(diagnostic, source, column, &whole);
        let (shown, indent, count) = window(&whole, column, count);
        let marks = format!("{} {}", "^".repeat(count), visible_line(&diagnostic.label));
        out += &format!("{}\n", edge(""));
        out += &format!("{} {}\n", edge(&line.to_string()), shown.trim_end());
        out += &format!("{} {}{}\n", edge(""), " ".repeat(indent), paint(strong, marks.trim_end()));
    }
    if let Some(help) = &diagnostic.help {
        let bar = paint("1;34", &format!(" {:>width$} =", ""));
        let help = visible_line(help);
        out += &format!("{}\n{bar} {} {help}\n", edge(""), paint("1", "help:"));
    }
    out.push('\n');
    out
}

/// The line and the character of a diagnostic, from 1.
pub fn place(diagnostic: &Diagnostic, sources: &[Source]) -> (usize, usize) {
    let source = sources.get(diagnostic.span.source as usize);
    source.map_or((1, 1), |source| {
        let (line, column, _) = locate(diagnostic, source);
        (line, column)
    })
}

/// A diagnostic as an object for editors.
#[derive(Serialize)]
pub struct Shown<'a> {
    code: &'a str,
    severity: &'static str,
    file: &'a str,
    line: usize,
    column: usize,
    message: &'a str,
    help: Option<&'a str>,
}

/// One diagnostic as an object for editors.
pub fn json<'a>(diagnostic: &'a Diagnostic, sources: &'a [Source]) -> Shown<'a> {
    let source = sources.get(diagnostic.span.source as usize);
    let (line, column) = place(diagnostic, sources);
    Shown {
        code: diagnostic.code,
        severity: severity(diagnostic),
        file: source.map_or("", |source| source.name.as_str()),
        line,
        column,
        message: &diagnostic.message,
        help: diagnostic.help.as_deref(),
    }
}
