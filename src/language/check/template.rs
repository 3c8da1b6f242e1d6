//! Titles and explanations: `{pair|triple|quad}`, `{N}`, `{C}`. W130.

use crate::language::ast;
use crate::language::diagnostic::{Diagnostic, Span};
use crate::language::rule::{Parameter, Segment, Template};

/// Reads a title or an explanation.
pub(super) fn read(
    language: Option<&ast::Word>,
    text: &ast::Word,
    parameter: Option<&Parameter>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Template {
    let mut segments = Vec::new();
    let mut rest = text.text.as_str();
    let mut place = text.span.start;
    while let Some(open) = rest.find('{') {
        if open > 0 {
            segments.push(Segment::Text(rest[..open].to_string()));
        }
        let Some(close) = rest[open..].find('}') else {
            let span =
                Span { start: place + open as u32, end: place + open as u32 + 1, ..text.span };
            diagnostics.push(
                Diagnostic::warning("W130", span, "this `{` is not closed")
                    .help("write `{X}` for the value of `X`"),
            );
            segments.push(Segment::Text(rest[open..].to_string()));
            rest = "";
            break;
        };
        let inside = &rest[open + 1..open + close];
        let span = Span {
            start: place + open as u32,
            end: place + (open + close) as u32 + 1,
            ..text.span
        };
        segments.push(segment(inside, parameter, span, diagnostics));
        rest = &rest[open + close + 1..];
        place += (open + close) as u32 + 1;
    }
    if !rest.is_empty() {
        segments.push(Segment::Text(rest.to_string()));
    }
    let language = language.map_or("en", |word| word.text.as_str()).to_string();
    Template { language, segments }
}

fn segment(
    inside: &str,
    parameter: Option<&Parameter>,
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Segment {
    if !inside.contains('|') {
        return match parameter {
            Some(parameter) if parameter.name == inside.trim() => Segment::Parameter,
            _ => Segment::Variable(inside.trim().to_string()),
        };
    }
    let choices: Vec<String> = inside.split('|').map(|s| s.to_string()).collect();
    let values = parameter.map_or(1, |p| (p.to - p.from + 1).max(0) as usize);
    if choices.len() != values {
        let message = match parameter {
            Some(p) => format!(
                "{} words to choose from, but {} has {values} values",
                choices.len(),
                p.name
            ),
            None => "words to choose from, but the rule has no parameter".to_string(),
        };
        diagnostics.push(
            Diagnostic::warning("W130", span, message)
                .help("one word for each value, the first for the smallest"),
        );
    }
    Segment::Choice(choices)
}

/// The text for one value of the parameter, where no variables are bound.
pub(super) fn plain(template: &Template, parameter: Option<(&Parameter, i64)>) -> String {
    let mut text = String::new();
    for segment in &template.segments {
        match segment {
            Segment::Text(words) => text.push_str(words),
            Segment::Variable(name) => text.push_str(name),
            Segment::Parameter => text.extend(parameter.map(|(_, value)| value.to_string())),
            Segment::Choice(words) => {
                let place = parameter.map_or(0, |(p, value)| (value - p.from).max(0) as usize);
                text.extend(words.get(place).or(words.last()).map(String::as_str));
            }
        }
    }
    text
}
