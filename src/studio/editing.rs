//! The rule text as it is written: what is wrong, what the words are, what could come next.

use serde::Serialize;
use serde_json::{Value as Json, json};

use super::Answer;
use super::library::{MINE, load};
use super::request::{At, Edited};
use super::rules::helpers;
use crate::language::vocabulary::{self, KEYWORDS, WORDS};
use crate::language::{self, CODES, Diagnostic, Severity, Source};

/// A change of the text that mends something.
#[derive(Serialize)]
struct Remedy {
    label: String,
    start: usize,
    end: usize,
    text: String,
}

/// Where a byte of the text is, counted in units of UTF-16 as the page counts.
fn place(text: &str, byte: usize) -> usize {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    text[..byte].encode_utf16().count()
}

/// The byte of a place.
fn byte(text: &str, place: usize) -> usize {
    let mut units = 0;
    for (at, sign) in text.char_indices() {
        if units >= place {
            return at;
        }
        units += sign.len_utf16();
    }
    text.len()
}

/// Everything that is wrong with the text, and the rules in it if nothing is.
pub fn diagnostics(asked: &Edited) -> Answer {
    let text = &asked.text;
    let (rules, found) = load(text);
    let is_own = |diagnostic: &&Diagnostic| {
        let sources = rules.as_ref().map(|rules| rules.sources());
        let own = sources.map_or(own_source(), |sources| sources.len().saturating_sub(1));
        usize::from(diagnostic.span.source) == own && !text.trim().is_empty()
    };
    let shown: Vec<Json> = found.iter().filter(is_own).map(|d| one(text, d)).collect();
    let own = rules.iter().flat_map(|rules| {
        let own = rules.rules().iter().filter(|rule| rule.origin == language::Origin::User);
        own.map(|rule| {
            let instances = rules.instances().iter();
            let instances = instances.filter(|i| rules.rule(i.rule).name == rule.name);
            json!({
                "name": rule.name,
                "start": place(text, rule.block.start as usize),
                "end": place(text, rule.block.end as usize),
                "instances": instances.map(|i| &i.name).collect::<Vec<_>>(),
            })
        })
    });
    Ok(json!({ "diagnostics": shown, "rules": own.collect::<Vec<_>>(), "ok": rules.is_some() }))
}

/// The number of the user's text among the sources: it comes last.
fn own_source() -> usize {
    use language::bundled::{extended, helpers, standard};
    helpers().len() + standard().len() + extended().len()
}

fn one(text: &str, diagnostic: &Diagnostic) -> Json {
    let (start, end) = (diagnostic.span.start as usize, diagnostic.span.end as usize);
    let before = &text[..byte(text, place(text, start))];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let about = CODES.iter().find(|(code, _)| *code == diagnostic.code).map(|(_, about)| about);
    json!({
        "code": diagnostic.code,
        "about": about,
        "severity": match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "start": place(text, start),
        "end": place(text, end),
        "line": before.matches('\n').count() + 1,
        "column": before[line_start..].chars().count() + 1,
        "message": diagnostic.message,
        "label": diagnostic.label,
        "help": diagnostic.help,
        "remedy": remedy(text, diagnostic),
    })
}

/// What one click would do: a name that was meant, or a sign that is missing.
fn remedy(text: &str, diagnostic: &Diagnostic) -> Option<Remedy> {
    let quoted = |said: &str| said.split('`').nth(1).map(str::to_string);
    let (start, end) = (diagnostic.span.start as usize, diagnostic.span.end as usize);
    let help = diagnostic.help.as_deref().unwrap_or_default();
    if help.starts_with("did you mean") {
        let meant = quoted(help)?;
        let (start, end) = (place(text, start), place(text, end));
        return Some(Remedy { label: meant.clone(), start, end, text: meant });
    }
    if diagnostic.code == "E001" && diagnostic.message.contains("missing") {
        let missing = quoted(&diagnostic.message)?;
        // Behind the last sign before the place, not after its line end.
        let before = text[..byte(text, place(text, start))].trim_end().len();
        let at = place(text, before);
        return Some(Remedy { label: missing.clone(), start: at, end: at, text: missing });
    }
    None
}

/// The words of the text: start, end, and what each is.
pub fn tokens(asked: &Edited) -> Answer {
    Ok(json!({ "tokens": scan(&asked.text) }))
}

fn scan(text: &str) -> Vec<(usize, usize, &'static str)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (mut found, mut at, mut units) = (Vec::new(), 0, 0);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let line = rest.find('\n').unwrap_or(rest.len());
        let (length, kind) = match first {
            '%' => (line, Some("comment")),
            '"' => (rest[1..line].find('"').map_or(line, |end| end + 2), Some("text")),
            c if is_word(c) => {
                let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                (length, word_kind(&rest[..length]))
            }
            c => (c.len_utf8(), None),
        };
        let wide = rest[..length].encode_utf16().count();
        if let Some(kind) = kind {
            found.push((units, units + wide, kind));
        }
        at += length;
        units += wide;
    }
    found
}

fn word_kind(word: &str) -> Option<&'static str> {
    let first = word.chars().next()?;
    match word {
        _ if first.is_ascii_digit() => Some("number"),
        _ if first.is_ascii_uppercase() || first == '_' => Some("variable"),
        "eliminate" | "place" | "contradiction" => Some("keyword"),
        "in" | "within" | "not" | "forall" => Some("built-in"),
        _ if KEYWORDS.contains(&word) => Some("keyword"),
        _ if vocabulary::find(word).is_some() => Some("built-in"),
        _ => None,
    }
}

/// The word around a byte: where it begins and ends.
fn word_at(text: &str, at: usize) -> (usize, usize) {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let start = text[..at]
        .rfind(|c| !is_word(c))
        .map_or(0, |before| before + text[before..].chars().next().map_or(1, char::len_utf8));
    let end = text[at..].find(|c| !is_word(c)).map_or(text.len(), |length| at + length);
    (start, end)
}

/// What could stand at a place: words that begin as the one there does.
pub fn completion(asked: &At) -> Answer {
    let text = &asked.text;
    let at = byte(text, asked.offset);
    let (start, _) = word_at(text, at);
    let begun = &text[start..at];
    let mut items: Vec<(String, String, String)> = Vec::new();
    let own = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    for word in own.filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase())) {
        items.push((word.to_string(), word.to_string(), String::new()));
    }
    items.extend(WORDS.iter().map(|w| (w.name.into(), w.usage.into(), w.summary.into())));
    items.extend(KEYWORDS.iter().map(|w| (w.to_string(), w.to_string(), String::new())));
    items.extend(helpers(text));
    items.retain(|(name, ..)| name.starts_with(begun) && name != begun);
    items.sort();
    items.dedup_by(|a, b| a.0 == b.0);
    items.truncate(if begun.is_empty() { 0 } else { 12 });
    let items: Vec<Json> = items
        .iter()
        .map(|(name, usage, summary)| json!({ "name": name, "usage": usage, "summary": summary }))
        .collect();
    Ok(json!({ "start": place(text, start), "end": asked.offset, "items": items }))
}

/// What the word at a place means, in the manual's words.
pub fn hover(asked: &At) -> Answer {
    let text = &asked.text;
    let (start, end) = word_at(text, byte(text, asked.offset));
    let word = &text[start..end];
    let built_in = vocabulary::find(word);
    let helper = || helpers(text).into_iter().find(|(name, ..)| name == word);
    let (usage, summary) = match built_in {
        Some(found) => (found.usage.to_string(), found.summary.to_string()),
        None => match helper().filter(|_| !word.is_empty()) {
            Some((_, usage, comment)) => (usage, comment),
            None => return Ok(json!({ "usage": null })),
        },
    };
    let (start, end) = (place(text, start), place(text, end));
    Ok(json!({ "start": start, "end": end, "usage": usage, "summary": summary }))
}

/// The text in its canonical layout.
pub fn format(asked: &Edited) -> Answer {
    let source = Source { name: MINE.to_string(), text: asked.text.clone() };
    match language::format(&source) {
        Ok(text) => Ok(json!({ "text": text })),
        Err(_) => Err("the text cannot be read yet".to_string()),
    }
}
