//! What could stand here, with what it means.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::language::vocabulary::{self, Meaning};

use super::outline::{Class, Item, Sort};
use super::position::floor;
use super::sense::Sense;
use super::{Service, grammar, hover};

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

impl Service {
    /// What could stand at a byte, and the bytes it would replace.
    pub fn complete(&self, name: &str, offset: usize) -> (Range<usize>, Vec<Offer>) {
        let Some(number) = self.number(name) else { return (offset..offset, Vec::new()) };
        let outline = self.outline(number);
        let offset = floor(self.text_of(number), offset);
        let word = outline.lexemes.partition_point(|lexeme| lexeme.start < offset);
        let word = word.checked_sub(1).filter(|&i| outline.lexemes[i].end >= offset);
        let is_word = |&i: &usize| !matches!(outline.lexemes[i].class, Class::Mark | Class::Number);
        let mut range = offset..offset;
        let mut offers = match word.filter(is_word) {
            Some(at) if outline.lexemes[at].class == Class::Comment => Vec::new(),
            Some(at) if outline.lexemes[at].class == Class::Text => {
                if outline.lexemes[at].end == offset {
                    return (range, Vec::new());
                }
                let text = &self.text_of(number)[outline.lexemes[at].start..offset];
                let Some(open) = text.rfind('{').filter(|&o| !text[o..].contains('}')) else {
                    return (range, Vec::new());
                };
                range.start = outline.lexemes[at].start + open + 1;
                self.variables_around(number, at, true)
            }
            Some(at) => {
                range.start = outline.lexemes[at].start;
                self.offers(number, at, at)
            }
            None => {
                let next = outline.lexemes.partition_point(|lexeme| lexeme.start < offset);
                self.offers(number, next.saturating_sub(1), next)
            }
        };
        let prefix = self.text_of(number)[range.clone()].to_lowercase();
        offers.retain(|offer| offer.label.to_lowercase().starts_with(&prefix));
        // What is being written is known by its own first letters.
        if let Some(at) = word.filter(is_word) {
            let own = self.word(number, at);
            let is_name = |o: &Offer| matches!(o.kind, OfferKind::Helper | OfferKind::Rule);
            offers.retain(|offer| !(is_name(offer) && offer.label == own));
        }
        (range, offers)
    }

    /// What could stand at a lexeme's place; `inside` is a lexeme of the part that it belongs to.
    fn offers(&self, number: usize, inside: usize, at: usize) -> Vec<Offer> {
        let outline = self.outline(number);
        let before = outline.said(&(0..at)).next_back();
        let last = before.map_or("", |i| self.word(number, i));
        let around = outline.around(inside).or_else(|| outline.around(before?));
        // What stands behind a rule's end is outside of it.
        let (item, member) = match around {
            Some((item, _)) if item.sort == Sort::Rule && self.is_closed(number, item, at) => {
                (None, None)
            }
            Some((item, member)) => (Some(item), member),
            None => (None, None),
        };
        let in_rule = item.is_some_and(|item| item.sort == Sort::Rule);
        let in_header = item.is_some_and(|i| in_rule && at < i.header.end.max(i.header.start + 1));
        let first = member.or(item.filter(|_| !in_rule)).map(|part| part.lexemes.start);
        let starts = matches!(last, "" | "." | "}" | "{") && first.is_none_or(|f| f >= at)
            || (in_rule && matches!(last, "{" | ".") && !in_header)
            || last == ".";
        match last {
            "rule" => self.rule_names(),
            _ if in_header && last != "{" => Vec::new(),
            _ if starts && in_rule => [members(), heads()].concat(),
            _ if starts || item.is_none() => {
                let mut offers = vec![whole_rule()];
                let own = self.own_helpers();
                offers.extend(self.helpers(number).into_iter().filter(|o| own.contains(&o.label)));
                offers
            }
            _ => self.inside(number, item, member, at, last),
        }
    }

    /// Whether a rule's `}` stands before a lexeme's place.
    fn is_closed(&self, number: usize, item: &Item, at: usize) -> bool {
        let last = item.lexemes.end - 1;
        at >= item.lexemes.end && self.word(number, last) == "}" && last > item.header.end
    }

    /// What could stand inside a clause or a member.
    fn inside(
        &self,
        number: usize,
        item: Option<&Item>,
        member: Option<&Item>,
        at: usize,
        last: &str,
    ) -> Vec<Offer> {
        let outline = self.outline(number);
        let part = member.or(item);
        let Some(part) = part else { return Vec::new() };
        let word = |i: usize| self.word(number, i);
        if part.sort == Sort::Member {
            let keyword = word(part.lexemes.start);
            let has_text = outline
                .said(&(part.lexemes.start..at))
                .any(|i| outline.lexemes[i].class == Class::Text);
            let mut offers = self.labels(keyword);
            if has_text {
                offers = continuing(keyword);
                if last != "\"" && grammar::keywords().contains(&last) || last == "," {
                    offers = [self.helpers(number), heads()].concat();
                }
                offers.extend(self.variables_around(number, part.lexemes.start, true));
            }
            return offers;
        }
        let body = outline.said(&(part.lexemes.start..at)).any(|i| word(i) == ":-");
        let mut offers = self.variables_around(number, part.lexemes.start, false);
        if !body && part.sort == Sort::Clause {
            let depth = outline.said(&(part.lexemes.start..at)).fold(0i32, |depth, i| {
                depth + i32::from(word(i) == "(") - i32::from(word(i) == ")")
            });
            offers.extend(if depth == 0 { heads() } else { terms() });
            return offers;
        }
        if !matches!(
            last,
            "in" | "within" | "=" | "<" | "<=" | ">" | ">=" | "!=" | "+" | "\\" | "&" | "|"
        ) {
            offers.extend(self.helpers(number));
            offers.extend(words(|meaning| matches!(meaning, Meaning::Relation(..))));
        }
        offers.extend(terms());
        offers.extend(clause_keywords());
        offers
    }

    fn variables_around(&self, number: usize, at: usize, of_rule: bool) -> Vec<Offer> {
        let outline = self.outline(number);
        let Some((item, member)) = outline.around(at) else { return Vec::new() };
        let part = member.filter(|_| !of_rule).unwrap_or(item);
        let mut names = self.variables(number, &part.lexemes);
        if let Some(parameter) = self.parameter(number, item) {
            let parameter = self.word(number, parameter);
            if !names.contains(&parameter) {
                names.push(parameter);
            }
        }
        let offer = |name: &str| {
            let kind = self.kind_named(number, &outline.bytes(&part.lexemes), name);
            let usage = kind.map_or("a variable", |kind| kind);
            plain(name, OfferKind::Variable, usage, "")
        };
        names.into_iter().map(offer).collect()
    }

    /// The kind of a variable by its name, in the clauses that begin within some bytes.
    fn kind_named(&self, number: usize, bytes: &Range<usize>, name: &str) -> Option<&'static str> {
        let scopes = self.checked().scopes.iter();
        let mut here = scopes.filter(|scope| {
            usize::from(scope.span.source) == number && bytes.contains(&(scope.span.start as usize))
        });
        let kind = here
            .find_map(|scope| scope.variables.iter().find(|v| v.name == name).and_then(|v| v.kind));
        kind.map(crate::language::kind_in_words)
    }

    /// The helpers that can be called, the folder's own first.
    fn helpers(&self, number: usize) -> Vec<Offer> {
        let mut seen = BTreeSet::new();
        let mut offers = Vec::new();
        for own in [true, false] {
            if own && self.is_bundled(number) {
                continue;
            }
            let files = if own { self.bundled..self.outlines.len() } else { 0..self.bundled };
            let names = files.flat_map(|file| self.heads(file).map(move |at| self.word(file, at)));
            for name in names {
                if !seen.insert(name) || vocabulary::find(name).is_some() {
                    continue;
                }
                if let Some((usage, comment, _)) = self.helper(name, own) {
                    let insert = snippet(&usage);
                    let label = name.to_string();
                    let kind = OfferKind::Helper;
                    offers.push(Offer { label, kind, usage, meaning: comment, insert });
                }
            }
        }
        offers
    }

    /// The names of all rules: one of them again takes the bundled one's place.
    fn rule_names(&self) -> Vec<Offer> {
        let mut offers = Vec::new();
        for number in 0..self.outlines.len() {
            let rules = self.outline(number).items.iter().filter(|item| item.sort == Sort::Rule);
            for item in rules {
                let Some(at) = item.name else { continue };
                let meaning = self.comment_above(number, item.lexemes.start);
                let usage = format!("as in {}", self.name_of(number));
                offers.push(plain(self.word(number, at), OfferKind::Rule, &usage, &meaning));
            }
        }
        offers
    }

    /// What has been written, here or in the manual, behind a member's keyword.
    fn labels(&self, keyword: &str) -> Vec<Offer> {
        let mut found: BTreeSet<&str> = BTreeSet::new();
        for entry in grammar::about(keyword) {
            let tokens = crate::language::token::tokens(&entry.usage);
            let names = tokens.iter().skip(1).map(|token| token.text);
            found.extend(names.take_while(|text| !text.starts_with('"')).filter(|t| is_name(t)));
        }
        for number in 0..self.outlines.len() {
            let outline = self.outline(number);
            let members = outline.items.iter().flat_map(|item| &item.members);
            for member in members.filter(|m| m.sort == Sort::Member) {
                if self.word(number, member.lexemes.start) != keyword {
                    continue;
                }
                let names = outline.said(&member.lexemes).filter(|&i| {
                    outline.lexemes[i].class == Class::Name
                        && matches!(self.named(number, i), Some(Sense::Label(_)))
                });
                found.extend(names.map(|i| self.word(number, i)));
            }
        }
        found.into_iter().map(|name| plain(name, OfferKind::Label, "", "")).collect()
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase()) && !grammar::keywords().contains(&text)
}

fn plain(label: &str, kind: OfferKind, usage: &str, meaning: &str) -> Offer {
    Offer {
        label: label.to_string(),
        kind,
        usage: usage.to_string(),
        meaning: meaning.to_string(),
        insert: label.to_string(),
    }
}

/// `name(A, B)` with its arguments to be filled in.
fn snippet(usage: &str) -> String {
    let Some((name, rest)) = usage.split_once('(') else { return usage.to_string() };
    let inside = rest.trim_end().trim_end_matches(')');
    let parts = inside.split(", ").enumerate();
    let parts: Vec<String> = parts
        .map(|(i, part)| format!("${{{}:{}}}", i + 1, part.replace(['$', '{', '}'], "")))
        .collect();
    format!("{name}({})", parts.join(", "))
}

/// The built-in words of some meanings.
fn words(wanted: impl Fn(&Meaning) -> bool) -> Vec<Offer> {
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

fn heads() -> Vec<Offer> {
    words(|meaning| matches!(meaning, Meaning::Head(_)))
}

fn terms() -> Vec<Offer> {
    words(|meaning| !matches!(meaning, Meaning::Head(_) | Meaning::Relation(..)))
}

/// The words of the grammar that stand in clauses, with the manual's entries.
fn clause_keywords() -> Vec<Offer> {
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
fn members() -> Vec<Offer> {
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
fn continuing(keyword: &str) -> Vec<Offer> {
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
fn whole_rule() -> Offer {
    let insert = "rule ${1:name} \"${2:Title}\" {\n    level ${3:50}.\n    \
                  ${4:place(C, D)} :- ${5:conditions}.\n    explain \"${6:reason}\".\n\\}";
    Offer {
        insert: insert.to_string(),
        ..plain("rule", OfferKind::Keyword, "rule name \"Title\" { … }", "a technique")
    }
}
