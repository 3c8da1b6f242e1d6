//! The rule text as it is written, by the same service that editors ask: what is wrong, what the
//! words are, what could come next. Here are only the page's words for its answers.

use serde_json::{Value as Json, json};

use super::Answer;
use super::library::MINE;
use super::request::{At, Edited};
use crate::language::{CODES, Diagnostic, Origin, Severity, one_line};
use crate::service::{Colour, Offer, OfferKind, Service};

/// Offers shown of many.
const SHOWN: usize = 12;

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
pub(super) fn diagnostics(service: &mut Service, asked: &Edited) -> Answer {
    let text = &asked.text;
    if text.trim().is_empty() {
        return Ok(json!({ "diagnostics": [], "rules": [], "ok": true }));
    }
    service.put(MINE, text.clone());
    let found = service.diagnostics(MINE).iter().enumerate();
    let shown: Vec<Json> = found.map(|(i, d)| one(service, text, i, d)).collect();
    let rules = service.checked().rules.as_ref();
    let own = rules.iter().flat_map(|rules| {
        let own = rules.rules().iter().filter(|rule| rule.origin == Origin::User);
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

fn one(service: &Service, text: &str, number: usize, diagnostic: &Diagnostic) -> Json {
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
        "remedy": remedy(service, text, number, start..end),
    })
}

/// What one click would do, where one change mends it.
fn remedy(
    service: &Service,
    text: &str,
    number: usize,
    bytes: std::ops::Range<usize>,
) -> Option<Json> {
    let mut remedies = service.remedies(MINE, bytes).into_iter();
    let remedy = remedies.find(|remedy| remedy.mistake == number)?;
    let [edit] = &remedy.edits[..] else { return None };
    let label = if edit.text.trim().is_empty() { &remedy.title } else { edit.text.trim() };
    let (start, end) = (place(text, edit.range.start), place(text, edit.range.end));
    Some(json!({ "label": label, "start": start, "end": end, "text": edit.text }))
}

/// The words of the text: start, end, and what each is.
pub(super) fn tokens(service: &mut Service, asked: &Edited) -> Answer {
    let text = &asked.text;
    service.put(MINE, text.clone());
    let mut found: Vec<(usize, usize, &str)> = Vec::new();
    // The places of a text are counted on from the last one.
    let (mut at, mut units) = (0, 0);
    for word in service.colours(MINE) {
        let Some(kind) = kind(word.colour) else { continue };
        units += text[at..word.range.start].encode_utf16().count();
        let wide = text[word.range.clone()].encode_utf16().count();
        found.push((units, units + wide, kind));
        at = word.range.end;
        units += wide;
    }
    Ok(json!({ "tokens": found }))
}

fn kind(colour: Colour) -> Option<&'static str> {
    match colour {
        Colour::Keyword | Colour::Conclusion => Some("keyword"),
        Colour::Function | Colour::Set => Some("built-in"),
        Colour::Variable | Colour::Parameter => Some("variable"),
        Colour::Number | Colour::Cell => Some("number"),
        Colour::Text => Some("text"),
        Colour::Comment => Some("comment"),
        Colour::Rule | Colour::Helper | Colour::Label | Colour::Mark => None,
    }
}

/// What could stand at a place: words that begin as the one there does.
pub(super) fn completion(service: &mut Service, asked: &At) -> Answer {
    let text = &asked.text;
    service.put(MINE, text.clone());
    let (range, mut offers) = service.complete(MINE, byte(text, asked.offset));
    let begun = &text[range.clone()];
    offers.retain(|offer| offer.label != begun);
    offers.truncate(if begun.is_empty() { 0 } else { SHOWN });
    let items: Vec<Json> = offers.iter().map(item).collect();
    Ok(json!({ "start": place(text, range.start), "end": asked.offset, "items": items }))
}

fn item(offer: &Offer) -> Json {
    let Offer { label, kind, usage, meaning, .. } = offer;
    let (name, usage, summary) = match kind {
        OfferKind::Variable => (label, label, usage.clone()),
        OfferKind::Member => (usage, label, read(meaning).1),
        _ if usage.is_empty() => (label, label, read(meaning).1),
        _ => (label, usage, read(meaning).1),
    };
    json!({ "name": name, "usage": usage, "summary": summary })
}

/// What the word at a place means.
pub(super) fn hover(service: &mut Service, asked: &At) -> Answer {
    let text = &asked.text;
    service.put(MINE, text.clone());
    let Some((range, told)) = service.hover(MINE, byte(text, asked.offset)) else {
        return Ok(json!({ "usage": null }));
    };
    let (usage, summary) = read(&told);
    let (start, end) = (place(text, range.start), place(text, range.end));
    Ok(json!({ "start": start, "end": end, "usage": usage, "summary": summary }))
}

/// What is said in Markdown, as how the thing is written and what it is: the code that comes
/// first, and the rest without marks.
fn read(told: &str) -> (String, String) {
    let told = told.trim();
    let (usage, rest) = match told.strip_prefix("```dokulog\n") {
        Some(rest) => rest.split_once("\n```").unwrap_or((rest, "")),
        None => match told.strip_prefix('`').and_then(|rest| rest.split_once('`')) {
            Some((usage, rest)) => (usage, rest.strip_prefix(':').unwrap_or(rest)),
            None => ("", told),
        },
    };
    let plain = rest.replace("```text", "").replace("**", "").replace(['`', '*'], "");
    let parts: Vec<String> = plain.split("\n\n").map(one_line).filter(|p| !p.is_empty()).collect();
    (usage.to_string(), parts.join(" · "))
}

/// The text in its canonical layout.
pub(super) fn format(asked: &Edited) -> Answer {
    let source = crate::language::Source { name: MINE.to_string(), text: asked.text.clone() };
    match crate::language::format(&source) {
        Ok(text) => Ok(json!({ "text": text })),
        Err(_) => Err("the text cannot be read yet".to_string()),
    }
}
