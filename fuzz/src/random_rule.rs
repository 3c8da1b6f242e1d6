//! Rules put together from pieces. Most are refused by the checker, and that is fine.

use std::collections::BTreeSet;

use dokulog::language::{self, Origin, RuleSet, Source};

use super::choices::Choices;

const HEADS: [&str; 12] = [
    "place(C, D)",
    "eliminate(C, D)",
    "eliminate(A, D)",
    "eliminate(A, {D, E})",
    "eliminate(H \\ {C}, D)",
    "eliminate(H \\ B, D)",
    "eliminate(B \\ H, D)",
    "eliminate(H \\ S, T)",
    "eliminate(S, digits \\ T)",
    "eliminate(peers(C), D)",
    "eliminate(common_peers({A, C}), D)",
    "eliminate(A, D), eliminate(C, E)",
];

const CONDITIONS: [&str; 48] = [
    "C in unsolved",
    "A in unsolved & H",
    "C in unsolved & H",
    "C in H \\ B",
    "H in houses",
    "H in lines",
    "H in rows",
    "B in boxes",
    "candidates(C) within {D}",
    "candidates(C) within {D, E}",
    "candidates({A, C}) within {D, E}",
    "spots(D, H) within {C}",
    "spots(D, H) within {A, C}",
    "spots(D, H) within B",
    "spots(D, B) within H",
    "spots(D, H \\ B) within {C}",
    "|spots(D, H)| <= 2",
    "|candidates(A)| = 2",
    "|candidates(C)| <= 2",
    "S in choose(2, unsolved & H)",
    "S in choose(2, H)",
    "T = candidates(S)",
    "T in choose(2, missing(H))",
    "S = spots(T, H)",
    "|T| <= 2",
    "|S| <= 2",
    "sees(A, C)",
    "not sees(A, C)",
    "A != C",
    "A < C",
    "D != E",
    "D < E",
    "live(A, D)",
    "live(C, E)",
    "not given(A)",
    "pair(C, D, E)",
    "not pair(A, D, E)",
    "chain(D, A, C)",
    "A in peers(C)",
    "D in candidates(C)",
    "not live(A, D)",
    "|candidates({A, C})| <= 2",
    "spots({D, E}, H) within {A, C}",
    "forall X in spots(D, H) : (sees(X, A))",
    "forall X in H \\ {C} : (not live(X, D))",
    "B = box(C)",
    "H = row(A)",
    "C = r1c2",
];

/// The name of every rule put together here.
pub const NAME: &str = "any";

const HELPERS: &str = "\
pair(C, X, Y) :- C in unsolved, candidates(C) within {X, Y}, X != Y.
link(D, A, B) :- H in houses, A in H, B in H, A != B, spots(D, H) within {A, B}.
chain(D, A, B) :- link(D, A, B).
chain(D, A, B) :- chain(D, A, C), sees(C, E), link(D, E, B).
";

/// Texts tried until the checker takes one.
const ATTEMPTS: usize = 8;

/// The text of a rule and of the helpers it may use.
fn text(choices: &mut Choices) -> String {
    let mut body: Vec<&str> = Vec::new();
    for _ in 0..2 + choices.below(5) {
        let condition = choices.pick(&CONDITIONS);
        if !body.contains(&condition) {
            body.push(condition);
        }
    }
    let head = choices.pick(&HEADS);
    let level = 5 + choices.below(60);
    let body = body.join(", ");
    format!("{HELPERS}\nrule {NAME} \"Any\" {{\n    level {level}.\n    {head} :- {body}.\n}}\n")
}

/// Whether a text has more variables than naive loops can take.
fn is_large(text: &str) -> bool {
    let rule = text.strip_prefix(HELPERS).unwrap_or(text);
    let words = rule.split(|c: char| !c.is_alphanumeric());
    let names = words.filter(|word| word.len() == 1 && word.chars().all(char::is_uppercase));
    names.collect::<BTreeSet<&str>>().len() > 5
}

/// A rule and its helpers beside some other files, and its text; nothing if the checker takes
/// none of the texts tried.
pub fn load(others: &[(Origin, Source)], choices: &mut Choices) -> Option<(RuleSet, String)> {
    let mut texts = (0..ATTEMPTS).map(|_| text(choices)).filter(|text| !is_large(text));
    texts.find_map(|text| {
        let source = Source { name: "any.rules".to_string(), text: text.clone() };
        let sources = others.iter().cloned().chain([(Origin::User, source)]).collect();
        language::load(sources).0.map(|rules| (rules, text))
    })
}
