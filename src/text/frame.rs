//! Lines as they are drawn: frames, bars, comments, box-drawing characters.

use std::borrow::Cow;

/// One byte for each character of a line, so that places are columns.
///
/// Box-drawing characters become `-`, `|` and `+`; other characters beyond ASCII become 255.
pub(super) fn flatten(line: &[u8]) -> Cow<'_, [u8]> {
    if line.is_ascii() {
        return Cow::Borrowed(line);
    }
    let text = String::from_utf8_lossy(line);
    Cow::Owned(text.chars().map(flat).collect())
}

fn flat(sign: char) -> u8 {
    match sign {
        '─' | '━' | '┄' | '┅' | '┈' | '┉' | '═' | '╌' | '╍' | '╴' | '╶' | '–' | '—' => {
            b'-'
        }
        '│' | '┃' | '┆' | '┇' | '┊' | '┋' | '║' | '╎' | '╏' | '╵' | '╷' | '¦' => {
            b'|'
        }
        '\u{2500}'..='\u{257f}' => b'+',
        '·' | '•' | '∙' => b'.',
        '\u{a0}' => b' ',
        _ if sign.is_ascii() => sign as u8,
        _ => 255,
    }
}

/// The character at a column (from 0) of the line as it was.
pub(super) fn character(line: &[u8], column: usize) -> char {
    let text = String::from_utf8_lossy(line);
    text.chars().nth(column).unwrap_or('\u{fffd}')
}

/// Bars between boxes.
pub(super) fn is_bar(byte: u8) -> bool {
    matches!(byte, b'|' | b'!' | b':')
}

/// Whether nothing is to be seen.
pub(super) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

/// A remark: a line that says something to people.
pub(super) fn is_comment(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    line.starts_with(b"#")
        || line.starts_with(b"%")
        || line.starts_with(b"//")
        || line.starts_with(b";")
}

/// The line without what stands behind a `#`.
pub(super) fn without_comment(line: &[u8]) -> &[u8] {
    let cut = (1..line.len()).find(|&i| line[i] == b'#' && line[i - 1].is_ascii_whitespace());
    &line[..cut.unwrap_or(line.len())]
}

/// A line that draws only: `+---+---+`, `*-----*`, `------`.
///
/// Where `-` is a blank, `cells` dashes are a row and not a frame.
pub(super) fn is_frame(line: &[u8], dash_is_blank: bool, cells: usize) -> bool {
    let mut dashes = 0;
    let mut longest = 0;
    let mut run = 0;
    let mut crosses = false;
    let mut corners = false;
    for &byte in line {
        match byte {
            b'-' | b'=' | b'~' => {
                dashes += 1;
                run += 1;
                longest = longest.max(run);
                continue;
            }
            b'+' => crosses = true,
            b'|' | b'.' | b':' | b'\'' | b'`' | b'*' | b',' | b'!' => corners = true,
            b' ' | b'\t' => {}
            _ => return false,
        }
        run = 0;
    }
    if dashes == 0 {
        return false;
    }
    if dash_is_blank {
        crosses || (dashes != cells && !corners) || (longest > cells)
    } else {
        crosses || longest >= 3 || !corners
    }
}

/// The name of the section that a line begins, in lower case: `[State]`.
pub(super) fn section(line: &[u8]) -> Option<String> {
    let name = line.trim_ascii().strip_prefix(b"[")?.strip_suffix(b"]")?;
    let plain = name.iter().all(|b| b.is_ascii_alphanumeric() || *b == b' ');
    plain.then(|| String::from_utf8_lossy(name).to_lowercase())
}

/// Whether a section of this name holds a grid; `""` is the file outside of sections.
pub(super) fn holds_grid(section: &str) -> bool {
    matches!(section, "" | "puzzle" | "state" | "sudoku" | "grid")
}

/// Words to call a puzzle by, from a title or a comment.
pub(super) fn title(line: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(line);
    let text = text.trim_matches(|c: char| c.is_whitespace() || "-=#*:;%/\"<>".contains(c));
    let short: String = text.chars().filter(|c| !c.is_control()).take(200).collect();
    (!short.is_empty()).then_some(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_not_rows() {
        for line in ["+---+---+---+", "*-----------*", "------+-------+------", "---------"] {
            assert!(is_frame(line.as_bytes(), false, 9), "{line}");
        }
        for line in ["- - - - - - - - -", "---------", "|---|---|---|"] {
            assert!(!is_frame(line.as_bytes(), true, 9), "{line}");
        }
        for line in ["------+-------+------", "-----------", "---+---+---"] {
            assert!(is_frame(line.as_bytes(), true, 9), "{line}");
        }
        for line in [". . . . . . . . .", "*********", "1--------", ""] {
            assert!(!is_frame(line.as_bytes(), false, 9), "{line}");
        }
    }

    #[test]
    fn drawing_becomes_plain() {
        assert_eq!(&flatten("│5·│é".as_bytes())[..], b"|5.|\xff");
        assert_eq!(character("│5·│é".as_bytes(), 4), 'é');
    }
}
