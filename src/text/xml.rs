//! OpenSudoku files: `<game data="…" />`.

use super::alphabet::Alphabet;
use super::form::Form;
use super::lines::Lines;
use super::puzzle::Item;

/// The puzzles on a line.
pub(super) fn line(number: usize, line: &[u8], found: &mut Vec<Item>) {
    let lines = Lines::new(Form::Line, 9, Alphabet::One);
    let mut at = 0;
    while let Some(game) = find(&line[at..], b"<game") {
        at += game + 5;
        let end = at + find(&line[at..], b">").unwrap_or(line.len() - at);
        let tag = &line[at..end];
        if let Some((start, data)) = attribute(tag, b"data") {
            let name = attribute(tag, b"name").or(attribute(tag, b"id")).map(|(_, name)| name);
            let id = name.map(|name| String::from_utf8_lossy(name).into_owned());
            found.push(lines.signs(number, at + start, data, id));
        }
        at = end;
    }
}

/// Where the value of an attribute begins in a tag, and the value.
fn attribute<'a>(tag: &'a [u8], name: &[u8]) -> Option<(usize, &'a [u8])> {
    let mut at = 0;
    loop {
        at += find(&tag[at..], name)?;
        let is_word = at > 0 && tag[at - 1].is_ascii_whitespace();
        at += name.len();
        let rest = tag[at..].trim_ascii_start();
        let Some(rest) = rest.strip_prefix(b"=").filter(|_| is_word) else { continue };
        let rest = rest.trim_ascii_start();
        let quote = *rest.first().filter(|q| matches!(**q, b'"' | b'\''))?;
        let value = &rest[1..];
        let end = value.iter().position(|b| *b == quote)?;
        return Some((tag.len() - value.len(), &value[..end]));
    }
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}
