//! What to say when the text cannot be read: our own words, the caret where the mistake is.

use pest::error::{Error, ErrorVariant, InputLocation};

use super::diagnostic::{Diagnostic, Span};
use super::parse::Production;

fn error(
    source: u16,
    range: (usize, usize),
    message: impl Into<String>,
    label: impl Into<String>,
    help: Option<String>,
) -> Diagnostic {
    let span = Span { source, start: range.0 as u32, end: range.1 as u32 };
    Diagnostic { help, ..Diagnostic::error("E001", span, message).label(label) }
}

/// A slip that people coming from elsewhere make, and what to write instead.
const SLIPS: [(&str, &str); 19] = [
    ("=<", "write `<=` for \"at most\""),
    ("=>", "write `>=` for \"at least\", or `:-` for \"if\""),
    ("==", "write `=`"),
    ("\\==", "write `!=` for \"differs from\""),
    ("\\=", "write `!=` for \"differs from\""),
    ("=\\=", "write `!=` for \"differs from\""),
    ("<>", "write `!=` for \"differs from\""),
    ("/=", "write `!=` for \"differs from\""),
    (":=", "write `:-` for \"if\""),
    ("<-", "write `:-` for \"if\""),
    ("->", "write `:-` for \"if\", with the conclusion first"),
    ("&&", "write `,` for \"and\""),
    ("||", "write a second clause for \"or\""),
    (";", "write `.` at the end, or a second clause for \"or\""),
    ("!", "write `not …`, or `!=` for \"differs from\""),
    ("//", "write `%` before a comment"),
    ("#", "write `%` before a comment"),
    ("'", "write strings in double quotes: \"…\""),
    ("[", "write sets in braces: `{A, B}`"),
];

/// Words between two parts of a body that belong to other languages.
const WORDS: [(&str, &str); 8] = [
    ("and", "write `,` for \"and\""),
    ("where", "write `,` for \"and\""),
    ("if", "write `,` for \"and\"; the conclusion stands first, before `:-`"),
    ("then", "write `,` for \"and\"; the conclusion stands first, before `:-`"),
    ("or", "write a second clause for \"or\""),
    ("is", "write `=` for \"equals\", or `in` for \"is a member of\""),
    ("not", NEGATED),
    ("notin", NEGATED),
];
const COMPARISONS: [&str; 8] = ["in", "within", "=", "!=", "<", "<=", ">", ">="];
const NEGATED: &str = "write `not` before the whole condition: `not C in S`";

const QUANTIFIED: &str = "write `forall X in S : (…)`, or `exists X in S : (…)`";
/// The slips that are mended by writing this instead, whatever stands around them.
const INSTEAD: [(&str, &str); 13] = [
    ("=<", "<="),
    ("==", "="),
    ("\\==", "!="),
    ("\\=", "!="),
    ("=\\=", "!="),
    ("<>", "!="),
    ("/=", "!="),
    (":=", ":-"),
    ("<-", ":-"),
    ("&&", ","),
    (";", "."),
    ("//", "%"),
    ("#", "%"),
];

/// The slip that covers or begins at a position, longest first.
fn slip(text: &str, start: usize, at: usize) -> Option<(usize, &'static str, &'static str)> {
    let mut best: Option<(usize, &str, &str)> = None;
    for (wrong, remedy) in SLIPS {
        for back in 0..wrong.len() {
            let Some(begin) = at.checked_sub(back).filter(|&b| b >= start) else { continue };
            let longer = best.is_none_or(|(_, found, _)| wrong.len() > found.len());
            if longer && text.get(begin..).is_some_and(|rest| rest.starts_with(wrong)) {
                best = Some((begin, wrong, remedy));
            }
        }
    }
    best
}

/// The token at a position: a word, a string, or one character.
fn token(text: &str, at: usize) -> (usize, usize) {
    let rest = &text[at..];
    let Some(first) = rest.chars().next() else { return (at, at) };
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let length = if word(first) {
        rest.find(|c| !word(c)).unwrap_or(rest.len())
    } else if first == '"' {
        let line = rest.find('\n').unwrap_or(rest.len());
        rest[1..line].find('"').map_or(line, |end| end + 2)
    } else if [":-", "..", "<=", ">=", "!="].iter().any(|sign| rest.starts_with(sign)) {
        2
    } else {
        first.len_utf8()
    };
    (at, at + length)
}

/// Where the last token before a position ends, comments skipped.
fn end_before(text: &str, at: usize) -> usize {
    let mut end = text[..at].trim_end().len();
    loop {
        let line = text[..end].rfind('\n').map_or(0, |i| i + 1);
        match comment_start(&text[line..end]) {
            Some(comment) => end = text[..line + comment].trim_end().len(),
            None => return end,
        }
    }
}

/// Where a line's comment starts, if it has one. A quotation mark that nothing closes begins no
/// text.
fn comment_start(line: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += line[at..].find(['"', '%'])?;
        if line[at..].starts_with('%') {
            return Some(at);
        }
        at += 1;
        at += line[at..].find('"').map_or(0, |end| end + 1);
    }
}

/// What is missing between two tokens, reported at the end of the first.
pub(super) fn missing(text: &str, source: u16, at: usize, mark: &str) -> Diagnostic {
    let end = end_before(text, at);
    let what = match mark {
        "." => "a `.` is missing at the end",
        "," => "a `,` is missing between two conditions",
        "{" => "a `{` is missing after the rule's name and title",
        "}" => "a `}` is missing at the end of the rule",
        _ => "a mark is missing",
    };
    let found = error(source, (end, end), what, format!("`{mark}` expected here"), None);
    let mended = match mark {
        "{" => " {",
        "}" => "\n}",
        mark => mark,
    };
    let span = found.span;
    found.remedy(span, mended)
}

/// Text that belongs nowhere, such as a `}` too many.
pub(super) fn stray(text: &str, source: u16, at: usize) -> Diagnostic {
    let range = token(text, at);
    let message = format!("`{}` stands alone", &text[range.0..range.1]);
    let found = error(source, range, message, "", Some("remove it".to_string()));
    let span = found.span;
    found.remedy(span, "")
}

/// A term where a condition is wanted.
pub(super) fn no_condition(span: Span, text: &str) -> Diagnostic {
    let term = &text[span.start as usize..span.end as usize];
    error(
        span.source,
        (span.start as usize, span.end as usize),
        format!("`{}` is a term, not a condition", one_line(term)),
        "nothing is said about it",
        Some("compare it (`=`, `<=`, `in`, `within`) or call a helper".to_string()),
    )
}

/// A term before `in trace`.
pub(super) fn no_fact(span: Span) -> Diagnostic {
    Diagnostic::error("E001", span, "a helper's call is wanted before `in trace`")
        .help("write `weak(A, X, B, Y) in trace chain(A, X, B, Y)`")
}

/// A cell that no grid has.
pub(super) fn no_cell(span: Span, name: &str) -> Diagnostic {
    error(
        span.source,
        (span.start as usize, span.end as usize),
        format!("there is no cell `{name}`"),
        "",
        Some("rows and columns are counted from 1 to 25, as in `r2c4`".to_string()),
    )
}

/// A stretch of text on one line, one blank between its words.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The message for what pest could not read between `start` and `end`.
pub(super) fn message(
    failure: &Error<Production>,
    text: &str,
    source: u16,
    start: usize,
    end: usize,
) -> Diagnostic {
    let at = start
        + match failure.location {
            InputLocation::Pos(at) => at,
            InputLocation::Span((at, _)) => at,
        };
    let at = at.min(end);
    let expected: &[Production] = match &failure.variant {
        ErrorVariant::ParsingError { positives, .. } => positives,
        ErrorVariant::CustomError { .. } => &[],
    };
    if let Some((begin, wrong, remedy)) = slip(text, start, at) {
        let message = format!("`{wrong}` is not a sign of this language");
        let range = (begin, begin + wrong.len());
        let found = error(source, range, message, "", Some(remedy.to_string()));
        let instead = INSTEAD.iter().find(|(slip, _)| *slip == wrong);
        let remedy = instead.map(|&(_, right)| Box::new((found.span, right.to_string())));
        return Diagnostic { remedy, ..found };
    }
    let range = token(text, at);
    let found = &text[range.0..range.1];
    if found.starts_with('"') && !found[1..].contains('"') {
        let help = Some("end the text with `\"` on the same line".to_string());
        return error(source, range, "this text has no end", "", help);
    }
    if found == "}" && at == start {
        let help = Some("remove it, or the `}` before it".to_string());
        let found = error(source, range, "this `}` closes nothing", "", help);
        let span = found.span;
        return found.remedy(span, "");
    }
    if COMPARISONS.contains(&found) && expected.contains(&Production::if_sign) {
        let help = Some("write `place(C, D) :- conditions.`: the conclusion first".to_string());
        return error(source, range, "a clause begins with its conclusion", "", help);
    }
    let can_end = expected.contains(&Production::full_stop);
    let before = end_before(text, at);
    if let Some(mark) = left_out(expected, text, (start, end), (before, at)) {
        let between = (mark == ",").then(|| between(found, source, range)).flatten();
        return between.unwrap_or_else(|| missing(text, source, at, mark));
    }
    let wanted = wanted(expected);
    if range.0 == range.1 || found == "." {
        let message = "the clause ends too early";
        let help = expected.contains(&Production::colon).then(|| QUANTIFIED.to_string());
        return error(source, range, message, format!("{wanted} expected here"), help);
    }
    let lower = is_capital(found, expected);
    let help = help(found, expected);
    if let Some(mistake) = nearly_a_member(text, source, start, before) {
        return mistake;
    }
    if can_end && found.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
        let message = format!("a `,` or `.` is missing before `{found}`");
        return error(source, (before, before), message, "`,` or `.` expected here", None);
    }
    let message = format!("`{found}` does not fit here");
    let mistake = error(source, range, message, format!("{wanted} expected"), help);
    let remedy = lower.then(|| Box::new((mistake.span, found.to_lowercase())));
    Diagnostic { remedy, ..mistake }
}

/// Whether a name begins with a capital where it must not.
fn is_capital(found: &str, expected: &[Production]) -> bool {
    found.starts_with(|c: char| c.is_ascii_uppercase())
        && expected.contains(&Production::name)
        && !expected.contains(&Production::variable)
}

/// What may help where something does not fit.
fn help(found: &str, expected: &[Production]) -> Option<String> {
    if is_capital(found, expected) {
        let small = found.to_lowercase();
        Some(format!("names of rules and helpers begin with a small letter: `{small}`"))
    } else if expected.contains(&Production::colon) {
        Some(QUANTIFIED.to_string())
    } else if expected.contains(&Production::close_paren) {
        Some("is a `)` missing before it?".to_string())
    } else if expected.contains(&Production::bar) && !expected.contains(&Production::set) {
        Some("is a `|` missing before it?".to_string())
    } else {
        None
    }
}

/// What stands between two conditions where a `,` should: a word of another language, or a second
/// comparison.
fn between(found: &str, source: u16, range: (usize, usize)) -> Option<Diagnostic> {
    let (message, remedy) = match WORDS.iter().find(|(word, _)| *word == found) {
        Some((_, remedy)) => (format!("`{found}` does not fit here"), *remedy),
        None if COMPARISONS.contains(&found) => {
            ("a condition compares two things".to_string(), "write `,` between two conditions")
        }
        None => return None,
    };
    Some(error(source, range, message, "", Some(remedy.to_string())))
}

/// The mark that is missing between the token that ends at `before` and the one at `at`: another
/// clause would begin with its conclusion and have its own `:-`, so a body goes on.
fn left_out(
    expected: &[Production],
    text: &str,
    (start, end): (usize, usize),
    (before, at): (usize, usize),
) -> Option<&'static str> {
    if !expected.contains(&Production::full_stop) {
        return None;
    }
    let begins = text[at..end].starts_with(|c: char| c.is_alphanumeric() || "_|{(".contains(c));
    // A goal may end without a full stop.
    let is_goal = expected.contains(&Production::EOI);
    let in_body = (is_goal || text[start..at].contains(":-")) && !text[at..end].contains(":-");
    if expected.contains(&Production::comma) && begins && in_body {
        return Some(",");
    }
    let ends = at >= end.min(text.trim_end().len()) || text[before..at].contains('\n');
    ends.then_some(".")
}

/// What a rule says of itself, but for its clauses.
const MEMBERS: [&str; 9] =
    ["level", "assumes", "tags", "scores", "title", "explain", "example", "mark", "link"];

/// A word that is nearly one of them: `assume`, `levels`.
fn nearly_a_member(text: &str, source: u16, start: usize, end: usize) -> Option<Diagnostic> {
    let word = text.get(start..end).filter(|word| word.len() >= 3)?;
    let is_near = |member: &&str| member.starts_with(word) || word.starts_with(member);
    let member = MEMBERS.into_iter().find(|member| word != *member && is_near(member))?;
    let help = Some(format!("did you mean `{member}`?"));
    let mistake = error(source, (start, end), format!("a rule has no `{word}`"), "", help);
    let span = mistake.span;
    Some(mistake.remedy(span, member))
}

/// What was expected, in words; what can only follow is left out.
fn wanted(expected: &[Production]) -> String {
    let mut words: Vec<&str> = Vec::new();
    for &production in expected {
        let word = word(production);
        if !word.is_empty() && !words.contains(&word) {
            words.push(word);
        }
    }
    if words.contains(&"a term") {
        words.retain(|w| !["a name", "a variable", "a number", "`{`", "`|`"].contains(w));
    }
    // A range is rare among arguments, and `in` is a comparison.
    if words.contains(&"`,`") {
        words.retain(|w| *w != "`..`");
    }
    if words.contains(&"a comparison") {
        words.retain(|w| *w != "`in`");
    }
    match words.split_last() {
        None => "something else".to_string(),
        Some((last, [])) => last.to_string(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}

/// How a production is called in a message; empty for what goes without saying.
fn word(production: Production) -> &'static str {
    use Production as P;
    match production {
        P::name => "a name",
        P::variable => "a variable",
        P::number => "a number",
        P::string => "a text in quotes",
        P::expression | P::product | P::term | P::comparison | P::body | P::size | P::set => {
            "a term"
        }
        P::group | P::atom | P::heads | P::negation | P::forall | P::cell | P::argument => "a term",
        P::full_stop => "`.`",
        P::range => "`..`",
        P::comma => "`,`",
        P::colon => "`:`",
        P::if_sign => "`:-`",
        P::open_paren | P::arguments | P::parameter => "`(`",
        P::close_paren => "`)`",
        P::open_brace => "`{`",
        P::close_brace => "`}`",
        P::bar => "`|`",
        P::kw_in => "`in`",
        P::kw_gives => "`gives`",
        P::kw_trace => "`trace`",
        P::kw_rule => "`rule`",
        P::operator => "a comparison",
        _ => "",
    }
}
