//! Small changes to the text of a rule: most leave it a rule, some make it a wrong one.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::choices::Choices;

/// Signs and words that can stand for each other.
const ALIKE: [&[&str]; 8] = [
    &["<=", "<", "=", ">=", "!=", ">"],
    &["within", "=", "!="],
    &["&", "\\", "+"],
    &["-", "+", "*"],
    &["row", "column", "box"],
    &["rows", "columns", "boxes", "lines", "houses"],
    &["peers", "common_peers"],
    &["in", "within"],
];

const NUMBERS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "9", "82", "1001", "1000000"];

/// Changes one thing.
pub fn change(text: &str, choices: &mut Choices) -> String {
    let bodies = bodies(text);
    let Some(body) = (!bodies.is_empty()).then(|| bodies[choices.below(bodies.len())].clone())
    else {
        return text.to_string();
    };
    match choices.below(8) {
        0 => without_condition(text, body, choices),
        1 | 2 => other_variable(text, body, choices),
        3 => other_sign(text, body, choices),
        4 => other_number(text, body, choices),
        5 => denied(text, body, choices),
        _ => in_a_helper(text, body, choices),
    }
}

/// Where the bodies of clauses are.
fn bodies(text: &str) -> Vec<Range<usize>> {
    let starts = text.match_indices(":-").map(|(at, sign)| at + sign.len());
    starts.filter_map(|start| Some(start..start + text[start..].find(".\n")?)).collect()
}

/// Where the conditions of a body are, those inside `forall` not counted.
fn conditions(text: &str, body: Range<usize>) -> Vec<Range<usize>> {
    let (mut depth, mut from, mut found) = (0, body.start, Vec::new());
    for (at, byte) in text.bytes().enumerate().take(body.end).skip(body.start) {
        match byte {
            b'(' | b'{' => depth += 1,
            b')' | b'}' => depth -= 1,
            b',' if depth == 0 => {
                found.push(from..at);
                from = at + 1;
            }
            _ => {}
        }
    }
    found.push(from..body.end);
    found
}

/// Words, numbers and signs of a part.
fn tokens(text: &str, part: Range<usize>) -> Vec<Range<usize>> {
    let class = |byte: u8| match byte {
        b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' => 1,
        b'<' | b'>' | b'=' | b'!' => 2,
        b' ' | b'\n' => 0,
        _ => 3,
    };
    let (bytes, mut found, mut at) = (text.as_bytes(), Vec::new(), part.start);
    while at < part.end {
        let kind = class(bytes[at]);
        let mut end = at + 1;
        while end < part.end && kind < 3 && class(bytes[end]) == kind {
            end += 1;
        }
        if kind > 0 {
            found.push(at..end);
        }
        at = end;
    }
    found
}

fn put(text: &str, at: Range<usize>, new: &str) -> String {
    format!("{}{new}{}", &text[..at.start], &text[at.end..])
}

fn pick(ranges: &[Range<usize>], choices: &mut Choices) -> Option<Range<usize>> {
    (!ranges.is_empty()).then(|| ranges[choices.below(ranges.len())].clone())
}

fn without_condition(text: &str, body: Range<usize>, choices: &mut Choices) -> String {
    let all = conditions(text, body.clone());
    let Some(gone) = pick(&all, choices).filter(|_| all.len() > 1) else {
        return text.to_string();
    };
    let kept = all.iter().filter(|c| **c != gone).map(|c| &text[c.clone()]);
    let kept: Vec<&str> = kept.collect();
    put(text, body, &kept.join(","))
}

fn variables(text: &str, part: Range<usize>) -> Vec<Range<usize>> {
    let mut found = tokens(text, part);
    found.retain(|token| text.as_bytes()[token.start].is_ascii_uppercase());
    found
}

fn other_variable(text: &str, body: Range<usize>, choices: &mut Choices) -> String {
    let all = variables(text, body);
    let (Some(one), Some(other)) = (pick(&all, choices), pick(&all, choices)) else {
        return text.to_string();
    };
    let other = text[other].to_string();
    put(text, one, &other)
}

fn other_sign(text: &str, body: Range<usize>, choices: &mut Choices) -> String {
    let mut all = tokens(text, body);
    all.retain(|token| ALIKE.iter().any(|alike| alike.contains(&&text[token.clone()])));
    let Some(one) = pick(&all, choices) else { return text.to_string() };
    let alike = ALIKE.iter().filter(|alike| alike.contains(&&text[one.clone()]));
    let alike: Vec<&str> = alike.flat_map(|alike| alike.iter().copied()).collect();
    let new = choices.pick(&alike);
    put(text, one, new)
}

fn other_number(text: &str, body: Range<usize>, choices: &mut Choices) -> String {
    let mut all = tokens(text, body);
    all.retain(|token| text.as_bytes()[token.start].is_ascii_digit());
    let Some(one) = pick(&all, choices) else { return text.to_string() };
    let old = text[one.clone()].to_string();
    let new = match choices.below(4) {
        0 => choices.pick(&NUMBERS).to_string(),
        1 => format!("{old} - 1"),
        2 => format!("{old} + 1"),
        _ => format!("1001 * {old} - 1000 * {old}"),
    };
    put(text, one, &new)
}

/// Puts `not` before a condition, or takes it away.
fn denied(text: &str, body: Range<usize>, choices: &mut Choices) -> String {
    let all = conditions(text, body);
    let Some(one) = pick(&all, choices) else { return text.to_string() };
    let condition = text[one.clone()].trim();
    let new = match condition.strip_prefix("not ") {
        Some(plain) => plain.to_string(),
        None => format!("not {condition}"),
    };
    put(text, one, &format!(" {new}"))
}

/// Says a condition by a helper, as it is or denied twice.
fn in_a_helper(text: &str, body: Range<usize>, choices: &mut Choices) -> String {
    let all = conditions(text, body);
    let Some(one) = pick(&all, choices) else { return text.to_string() };
    let condition = text[one.clone()].trim().to_string();
    let local: BTreeSet<&str> =
        condition.split("forall ").skip(1).filter_map(|rest| rest.split(' ').next()).collect();
    let mut names: Vec<&str> = Vec::new();
    for token in variables(text, one.clone()) {
        let name = &text[token];
        if !names.contains(&name) && !local.contains(name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        return text.to_string();
    }
    let name = format!("w{}", text.matches(":-").count());
    let call = format!("{name}({})", names.join(", "));
    let (body, used) = match (choices.below(4), condition.strip_prefix("not ")) {
        (0 | 1, _) => (condition.clone(), call.clone()),
        (2, Some(plain)) => (plain.to_string(), format!("not {call}")),
        (2, None) => (format!("not {condition}"), format!("not {call}")),
        _ => (condition.clone(), format!("not {call}")),
    };
    let changed = put(text, one, &format!(" {used}"));
    format!("{call} :- {body}.\n{changed}")
}
