//! Diagnostics as text for people and as JSON for editors.

use serde_json::{Value, json};

use super::diagnostic::{Diagnostic, Severity, Source};

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

/// The part of a line that is shown, and the caret's column in it, from 0.
fn window(line: &str, column: usize) -> (String, usize) {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let letters: Vec<char> = line.chars().map(plain).collect();
    if letters.len() <= WIDTH {
        return (letters.into_iter().collect(), column - 1);
    }
    let from = (column - 1).saturating_sub(WIDTH / 2).min(letters.len() - WIDTH);
    let to = from + WIDTH;
    let mut shown = String::new();
    let before = if from > 0 { "… " } else { "" };
    shown.push_str(before);
    shown.extend(&letters[from..to]);
    if to < letters.len() {
        shown.push_str(" …");
    }
    (shown, column - 1 - from + before.chars().count())
}

/// One diagnostic as text, with a blank line after it.
pub fn text(diagnostic: &Diagnostic, sources: &[Source], colour: bool) -> String {
    let paint = |code: &str, text: &str| match colour {
        true => format!("\x1b[{code}m{text}\x1b[0m"),
        false => text.to_string(),
    };
    let strong = if diagnostic.severity == Severity::Error { "1;31" } else { "1;33" };
    let kind = format!("{}[{}]", severity(diagnostic), diagnostic.code);
    let mut out =
        format!("{}{}\n", paint(strong, &kind), paint("1", &format!(": {}", diagnostic.message)));
    let Some(source) = sources.get(diagnostic.span.source as usize) else { return out };
    let (line, column, whole) = locate(diagnostic, source);
    let width = line.to_string().len();
    let edge = |n: &str| paint("1;34", &format!(" {n:>width$} |"));
    let arrow = paint("1;34", &format!("{:>1$}", "-->", width + 4));
    out += &format!("{arrow} {}:{line}:{column}\n", source.name);
    if !source.text.is_empty() {
        let count = carets(diagnostic, source, column, &whole);
        let (shown, indent) = window(&whole, column);
        let count = count.min((shown.chars().count() + 1).saturating_sub(indent)).max(1);
        let marks = format!("{} {}", "^".repeat(count), diagnostic.label);
        out += &format!("{}\n", edge(""));
        out += &format!("{} {}\n", edge(&line.to_string()), shown.trim_end());
        out += &format!("{} {}{}\n", edge(""), " ".repeat(indent), paint(strong, marks.trim_end()));
    }
    if let Some(help) = &diagnostic.help {
        let bar = paint("1;34", &format!(" {:>width$} =", ""));
        out += &format!("{}\n{bar} {} {help}\n", edge(""), paint("1", "help:"));
    }
    out.push('\n');
    out
}

/// One diagnostic as an object for editors.
pub fn json(diagnostic: &Diagnostic, sources: &[Source]) -> Value {
    let source = sources.get(diagnostic.span.source as usize);
    let (line, column) = source.map_or((1, 1), |source| {
        let (line, column, _) = locate(diagnostic, source);
        (line, column)
    });
    json!({
        "code": diagnostic.code,
        "severity": severity(diagnostic),
        "file": source.map_or("", |source| source.name.as_str()),
        "line": line,
        "column": column,
        "message": diagnostic.message,
        "help": diagnostic.help,
    })
}
