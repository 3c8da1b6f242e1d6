//! What could stand here, with what it means.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::language::vocabulary::{self, Meaning};

use super::offer::{
    Offer, OfferKind, clause_keywords, continuing, heads, is_name, members, plain, snippet, terms,
    whole_rule, words,
};
use super::outline::{Class, Item, Sort};
use super::position::floor;
use super::sense::Sense;
use super::{Service, grammar};

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
            for (file, item) in files.flat_map(|file| self.heads(file).map(move |i| (file, i))) {
                let name = self.head_name(file, item);
                if !seen.insert(name) || vocabulary::find(name).is_some() {
                    continue;
                }
                let (usage, meaning, _) = self.head(file, item);
                let (label, insert) = (name.to_string(), snippet(&usage));
                offers.push(Offer { label, kind: OfferKind::Helper, usage, meaning, insert });
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
