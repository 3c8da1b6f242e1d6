//! What the grammar and the manual say of themselves: words, and an entry for each.
//!
//! Both are read from the files that the parser is made from and that people read, so that a new
//! word is known here once it is known there.

use std::sync::OnceLock;

const GRAMMAR: &str = include_str!("../../grammar/rules.pest");
const MANUAL: &str = include_str!("../../rules/README.md");

/// The words that only the grammar knows: `kw_rule = @{ "rule" ~ !rest }`.
pub fn keywords() -> &'static [&'static str] {
    static FOUND: OnceLock<Vec<&'static str>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let lines = GRAMMAR.lines().filter(|line| line.starts_with("kw_"));
        lines.filter_map(|line| line.split('"').nth(1)).collect()
    })
}

/// The words that begin a member of a rule: those of the production `member_word`.
pub(super) fn member_words() -> &'static [&'static str] {
    static FOUND: OnceLock<Vec<&'static str>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let begin = GRAMMAR.find("\nmember_word").map_or(GRAMMAR.len(), |at| at + 1);
        let production = GRAMMAR[begin..].split('}').next().unwrap_or("");
        let is_named = |word: &&&str| {
            production
                .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .any(|part| part.strip_prefix("kw_") == Some(word))
        };
        keywords().iter().filter(is_named).copied().collect()
    })
}

/// A row of one of the manual's tables.
pub(super) struct Entry {
    /// How it is written.
    pub usage: String,
    /// What it means.
    pub meaning: String,
}

/// Every row of the manual's tables that explains something that is written in a rule file.
pub(super) fn entries() -> &'static [Entry] {
    static FOUND: OnceLock<Vec<Entry>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let mut found = Vec::new();
        let mut explains = false;
        for line in MANUAL.lines() {
            if let Some(rest) = line.strip_prefix("| ") {
                let cells: Vec<String> =
                    rest.replace("\\|", "\u{1}").split(" | ").map(clean).collect();
                match &cells[..] {
                    [usage, meaning] if explains && usage.starts_with('`') => found.push(Entry {
                        usage: usage.trim_matches('`').to_string(),
                        meaning: meaning.clone(),
                    }),
                    [_, heading] => explains |= heading == "meaning",
                    _ => {}
                }
            } else if !line.starts_with('|') {
                explains = false;
            }
        }
        found
    })
}

/// A cell of a table.
fn clean(cell: &str) -> String {
    cell.trim().trim_end_matches('|').trim_end().replace('\u{1}', "|")
}

/// The entries in which a word or mark stands first, or else at all.
pub(super) fn about(word: &str) -> Vec<&'static Entry> {
    let has = |entry: &&Entry, first: bool| {
        let mut tokens = crate::language::token::tokens(&entry.usage).into_iter();
        match first {
            true => tokens.next().is_some_and(|token| token.text == word),
            false => tokens.any(|token| token.text == word),
        }
    };
    let first: Vec<&Entry> = entries().iter().filter(|entry| has(entry, true)).collect();
    match first.is_empty() {
        true => entries().iter().filter(|entry| has(entry, false)).collect(),
        false => first,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::vocabulary;

    #[test]
    fn the_grammar_names_its_words() {
        let mut found: Vec<&str> = keywords().to_vec();
        let mut known: Vec<&str> = vocabulary::KEYWORDS.to_vec();
        found.sort_unstable();
        known.sort_unstable();
        assert_eq!(found, known);
        assert!(member_words().contains(&"level") && !member_words().contains(&"rule"));
    }

    #[test]
    fn the_manual_has_an_entry_for_every_member() {
        for word in member_words() {
            assert!(!about(word).is_empty(), "{word}");
        }
        for word in vocabulary::WORDS {
            assert!(entries().iter().any(|entry| entry.usage == word.usage), "{}", word.name);
        }
    }
}
