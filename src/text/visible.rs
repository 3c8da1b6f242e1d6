//! Text that comes from a file, made fit to be shown.
//!
//! A title or a file name may hold signs that move the cursor, colour the screen or turn the
//! direction of what follows. They are shown as `\u001b`, which JSON reads as the sign itself: so
//! text and JSON are made visible alike, and JSON keeps its meaning.

use std::borrow::Cow;
use std::fmt::Write;

/// The text with every sign that would act instead of being seen written out; ends of lines and
/// tabs stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    written_out(text, |c| is_hidden(c) && c != '\n' && c != '\t')
}

/// The same for what stands in a line, such as a name: ends of lines and tabs are written out, too.
pub fn visible_line(text: &str) -> Cow<'_, str> {
    written_out(text, is_hidden)
}

/// Text that can stand in SVG and HTML, as an attribute or between tags.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Whether a sign acts instead of being seen: controls, directions, joiners and fillers, and what
/// XML does not allow.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}'
            | '\u{ffff}' | '\u{e0000}'..='\u{e007f}')
}

fn written_out(text: &str, hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    let plain = |b: u8| b.is_ascii_graphic() || matches!(b, b' ' | b'\n');
    if text.bytes().all(plain) && !hidden('\n') || !text.contains(&hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut signs = text.chars().peekable();
    while let Some(c) = signs.next() {
        // The end of a line as Windows has it.
        let ends_line = c == '\r' && signs.peek() == Some(&'\n') && !hidden('\n');
        if hidden(c) && !ends_line {
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(shown, "\\u{unit:04x}").expect("writing to a string");
            }
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_is_written_out() {
        for (text, shown) in [
            ("naked pair\tin r1\n", "naked pair\tin r1\n"),
            ("é ≠ → 数独", "é ≠ → 数独"),
            ("\u{1b}[31mred", "\\u001b[31mred"),
            ("one\r\ntwo\rthree\u{7f}", "one\r\ntwo\\u000dthree\\u007f"),
            ("\u{9b}31m\u{202e}abc\u{2069}\u{feff}", "\\u009b31m\\u202eabc\\u2069\\ufeff"),
            ("\u{e0041}", "\\udb40\\udc41"),
        ] {
            assert_eq!(visible(text), shown);
        }
        assert_eq!(visible_line("a\nb\tc\r\n"), "a\\u000ab\\u0009c\\u000d\\u000a");
        assert_eq!(escape("<a b=\"'\">&\u{1b}"), "&lt;a b=&quot;&#39;&quot;&gt;&amp;\\u001b");
    }

    #[test]
    fn json_keeps_its_meaning() {
        let name = "\u{1b}[1m\u{7f}\u{9b}\u{202e}\u{e0041}\"\\";
        let line = serde_json::json!({ "name": name }).to_string();
        let read: serde_json::Value = serde_json::from_str(&visible(&line)).expect("JSON");
        assert_eq!(read["name"], name);
    }
}
