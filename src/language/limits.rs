//! How large a rule file may be, checked before it is parsed, so that no text can overflow the
//! stack or take for ever.

use super::diagnostic::{Diagnostic, Span};

/// Bytes of a file.
pub(super) const BYTES: usize = 1 << 20;
/// Brackets, braces and bars open at once.
pub(super) const NESTING: usize = 64;
/// Signs in one row, such as `A + B + C`.
pub(super) const OPERATORS: usize = 64;
/// Generators inside each other: each one goes through its ways for every way of those around it.
pub(super) const GENERATORS: usize = 2;
/// The largest number.
pub(super) const NUMBER: i64 = 1_000_000;
/// Bytes of one clause.
pub(super) const CLAUSE: usize = 1 << 14;
/// Rules, and helpers, loaded together.
pub(super) const NAMES: usize = 10_000;

/// Mistakes shown of one file.
pub(super) const SHOWN: usize = 200;

fn error(span: Span, message: String, help: &str) -> Diagnostic {
    Diagnostic::error("E001", span, message).help(help)
}

/// Whether the text keeps within the limits.
pub(super) fn check(text: &str, number: u16) -> Result<(), Diagnostic> {
    let at =
        |start: usize, end: usize| Span { source: number, start: start as u32, end: end as u32 };
    if text.len() > BYTES {
        let size = text.len() as f64 / f64::from(1 << 20);
        let message = format!("the file is too large: {size:.1} MB, and 1 MB is the limit");
        return Err(error(at(0, 0), message, "split it into several files"));
    }
    if text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').is_empty() {
        let help = "write a rule: `rule name \"Title\" { … }`";
        return Err(error(at(0, 0), "the file is empty".to_string(), help));
    }
    let (mut depth, mut bars) = (0usize, 0usize);
    let (mut string, mut comment) = (false, false);
    let (mut clause, mut length) = (0usize, 0usize);
    for (i, byte) in text.bytes().enumerate() {
        match byte {
            b'\n' => (string, comment) = (false, false),
            _ if comment => continue,
            b'"' => string = !string,
            _ if string => {}
            b'%' => comment = true,
            b'(' | b'{' => depth += 1,
            b')' | b'}' => depth = depth.saturating_sub(1),
            b'|' => bars += 1,
            b'.' => (bars, clause, length) = (0, i, 0),
            _ => {}
        }
        if depth + bars > NESTING {
            let message = format!("more than {NESTING} brackets are open here");
            return Err(error(at(i, i + 1), message, "name the inner part with a helper"));
        }
        length += 1;
        if length > CLAUSE {
            let message = format!("this clause is longer than {CLAUSE} characters");
            return Err(error(at(clause, clause + 1), message, "is a `.` missing?"));
        }
    }
    Ok(())
}

/// A row of signs that is too long.
pub(super) fn too_many_operators(span: Span) -> Diagnostic {
    error(
        Span { end: span.start + 1, ..span },
        format!("more than {OPERATORS} terms in one row of signs"),
        "name a part of it with `=`",
    )
}

/// A generator inside too many others.
pub(super) fn too_many_generators(span: Span) -> Diagnostic {
    error(
        Span { end: span.start + 1, ..span },
        format!("this generator stands inside {GENERATORS} others"),
        "name the inner part with a helper",
    )
}

/// A number that is too large.
pub(super) fn too_large_number(span: Span) -> Diagnostic {
    error(span, format!("numbers go up to {NUMBER}"), "write a smaller number")
}
