//! What can be offered: built-in words, keywords and members, with the manual's entries.

use crate::language::vocabulary::{self, Meaning};

use super::{grammar, hover};

/// What an offer is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum OfferKind {
    /// A variable of the clause.
    Variable,
    /// `place` and its like.
    Conclusion,
    /// A helper.
    Helper,
    /// A built-in relation.
    Relation,
    /// A built-in function.
    Function,
    /// A set.
    Set,
    /// A word of the grammar.
    Keyword,
    /// A member of a rule, whole.
    Member,
    /// A rule's name.
    Rule,
    /// A tag or an assumption.
    Label,
}

/// Something that could stand at the cursor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// The word.
    pub label: String,
    /// What it is.
    pub kind: OfferKind,
    /// How it is written, in a line.
    pub usage: String,
    /// What it means, in Markdown.
    pub meaning: String,
    /// What to insert, with `${1:…}` for what is to be filled in.
    pub insert: String,
}

pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase()) && !grammar::keywords().contains(&text)
}

pub(super) fn plain(label: &str, kind: OfferKind, usage: &str, meaning: &str) -> Offer {
    Offer {
        label: label.to_string(),
        kind,
        usage: usage.to_string(),
        meaning: meaning.to_string(),
        insert: label.to_string(),
    }
}

/// `name(A, B)` with its arguments to be filled in.
pub(super) fn snippet(usage: &str) -> String {
    let Some((name, rest)) = usage.split_once('(') else { return usage.to_string() };
    let inside = rest.trim_end().trim_end_matches(')');
    let parts = inside.split(", ").enumerate();
    let parts: Vec<String> = parts
        .map(|(i, part)| format!("${{{}:{}}}", i + 1, part.replace(['$', '{', '}'], "")))
        .collect();
    format!("{name}({})", parts.join(", "))
}

/// The built-in words of some meanings.
pub(super) fn words(wanted: impl Fn(&Meaning) -> bool) -> Vec<Offer> {
    let offer = |word: &vocabulary::Word| {
        let kind = match word.meaning {
            Meaning::Constant(_) => OfferKind::Set,
            Meaning::Function(..) | Meaning::Choose => OfferKind::Function,
            Meaning::Relation(..) => OfferKind::Relation,
            Meaning::Head(_) => OfferKind::Conclusion,
        };
        let call = word.usage.find(word.name).map_or(word.usage, |at| &word.usage[at..]);
        Offer {
            label: word.name.to_string(),
            kind,
            usage: word.usage.to_string(),
            meaning: hover::word_entry(word.name).unwrap_or_default(),
            insert: snippet(call),
        }
    };
    vocabulary::WORDS.iter().filter(|word| wanted(&word.meaning)).map(offer).collect()
}

pub(super) fn heads() -> Vec<Offer> {
    words(|meaning| matches!(meaning, Meaning::Head(_)))
}

pub(super) fn terms() -> Vec<Offer> {
    words(|meaning| !matches!(meaning, Meaning::Head(_) | Meaning::Relation(..)))
}

/// The words of the grammar that stand in clauses, with the manual's entries.
pub(super) fn clause_keywords() -> Vec<Offer> {
    let of_clauses = |word: &&&str| {
        !grammar::member_words().contains(word)
            && grammar::about(word).iter().any(|entry| !is_member(&entry.usage))
    };
    let offer = |word: &&str| {
        let entries = grammar::about(word);
        let first = entries.iter().find(|entry| !is_member(&entry.usage));
        let (usage, meaning) = first.map_or(("", ""), |e| (e.usage.as_str(), e.meaning.as_str()));
        plain(word, OfferKind::Keyword, usage, meaning)
    };
    grammar::keywords().iter().filter(of_clauses).map(offer).collect()
}

fn is_member(usage: &str) -> bool {
    let first = usage.split(' ').next().unwrap_or("");
    grammar::member_words().contains(&first)
}

/// Every member of a rule, as the manual writes it.
pub(super) fn members() -> Vec<Offer> {
    let entries = grammar::member_words().iter().flat_map(|word| {
        let entries = grammar::about(word);
        entries.into_iter().filter(|e| is_member(&e.usage)).map(move |entry| (word, entry))
    });
    entries
        .map(|(word, entry)| Offer {
            label: entry.usage.trim_end_matches('.').to_string(),
            kind: OfferKind::Member,
            usage: word.to_string(),
            meaning: entry.meaning.clone(),
            insert: entry.usage.replace('$', "").replace('}', "\\}").replace('…', "${1}"),
        })
        .collect()
}

/// The words of the grammar that the manual writes behind a member's text.
pub(super) fn continuing(keyword: &str) -> Vec<Offer> {
    let mut found: Vec<Offer> = Vec::new();
    for entry in grammar::about(keyword) {
        for token in crate::language::token::tokens(&entry.usage).iter().skip(1) {
            let is_new = found.iter().all(|offer| offer.label != token.text);
            if grammar::keywords().contains(&token.text) && is_new {
                found.push(plain(token.text, OfferKind::Keyword, &entry.usage, &entry.meaning));
            }
        }
    }
    found
}

/// A rule from its first word to its last.
pub(super) fn whole_rule() -> Offer {
    let insert = "rule ${1:name} \"${2:Title}\" {\n    level ${3:50}.\n    \
                  ${4:place(C, D)} :- ${5:conditions}.\n    explain \"${6:reason}\".\n\\}";
    Offer {
        insert: insert.to_string(),
        ..plain("rule", OfferKind::Keyword, "rule name \"Title\" { … }", "a technique")
    }
}
