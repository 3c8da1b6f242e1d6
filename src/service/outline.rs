//! The shape of a rule file, whatever is wrong with it: words and marks, rules, members, clauses.

use std::ops::Range;

use crate::language::token::{TokenKind, tokens};

use super::grammar;
use super::position::Lines;

/// Words of the grammar that are names before a bracket.
const CALLED: [&str; 4] = ["mark", "as", "link", "to"];

/// What a word or mark is, by its looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// A word of the grammar.
    Keyword,
    /// A name of a rule, a helper, a built-in word, a tag.
    Name,
    /// A variable.
    Variable,
    /// A number.
    Number,
    /// A cell: `r2c4`.
    Cell,
    /// A text in quotes.
    Text,
    /// A comment.
    Comment,
    /// Anything else.
    Mark,
}

/// A word or mark of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexeme {
    /// What it is.
    pub class: Class,
    /// Its first byte.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// Whether it begins a line.
    pub fresh: bool,
}

/// What a part of a file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    /// A rule, from `rule` to `}`.
    Rule,
    /// A clause outside the rules.
    Helper,
    /// A clause of a rule.
    Clause,
    /// A member of a rule that begins with a keyword.
    Member,
}

/// A part of a file.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// What it is.
    pub sort: Sort,
    /// Its lexemes.
    pub lexemes: Range<usize>,
    /// A rule's header: its lexemes up to the `{`.
    pub header: Range<usize>,
    /// The lexeme with its name: a rule's, a helper's, a clause's first head, a member's keyword.
    pub name: Option<usize>,
    /// A rule's members and clauses.
    pub members: Vec<Item>,
}

/// A file's words, marks and parts.
pub(super) struct Outline {
    /// Where its lines begin.
    pub lines: Lines,
    /// All words and marks, comments too.
    pub lexemes: Vec<Lexeme>,
    /// Its rules and helpers' clauses, in order.
    pub items: Vec<Item>,
}

impl Outline {
    /// Reads a text.
    pub(super) fn new(text: &str) -> Outline {
        let tokens = tokens(text);
        let lexemes: Vec<Lexeme> = tokens
            .iter()
            .enumerate()
            .map(|(i, token)| Lexeme {
                class: match tokens.get(i + 1) {
                    // A word of pictures may be a helper's name, too.
                    Some(next) if next.text == "(" && CALLED.contains(&token.text) => Class::Name,
                    _ => class(token.kind, token.text),
                },
                start: token.start,
                end: token.start + token.text.len(),
                fresh: token.newlines > 0 || token.start == 0,
            })
            .collect();
        let items = Splitter { text, lexemes: &lexemes }.file();
        Outline { lines: Lines::new(text), lexemes, items }
    }

    /// The bytes of some lexemes.
    pub(super) fn bytes(&self, lexemes: &Range<usize>) -> Range<usize> {
        match (self.lexemes.get(lexemes.start), lexemes.end.checked_sub(1)) {
            (Some(first), Some(last)) if last >= lexemes.start => {
                first.start..self.lexemes[last].end
            }
            (Some(first), _) => first.start..first.start,
            _ => 0..0,
        }
    }

    /// The lexeme at a byte: the one that begins there, or the word that ends there.
    pub(super) fn at(&self, offset: usize) -> Option<usize> {
        let after = self.lexemes.partition_point(|lexeme| lexeme.start <= offset);
        let touches = |&i: &usize| self.lexemes[i].end >= offset;
        let found = after.checked_sub(1).filter(touches)?;
        let ends_here = self.lexemes[found].start == offset && found > 0;
        let is_mark = self.lexemes[found].class == Class::Mark;
        let before = found.wrapping_sub(1);
        let word_ends =
            |i: usize| self.lexemes[i].end == offset && self.lexemes[i].class != Class::Mark;
        if ends_here && is_mark && word_ends(before) { Some(before) } else { Some(found) }
    }

    /// The rule or helper's clause around a lexeme, and the member or clause inside it.
    pub(super) fn around(&self, lexeme: usize) -> Option<(&Item, Option<&Item>)> {
        let item = holding(&self.items, lexeme)?;
        Some((item, holding(&item.members, lexeme)))
    }

    /// The lexemes of a range that are no comments.
    pub(super) fn said(&self, range: &Range<usize>) -> impl DoubleEndedIterator<Item = usize> {
        let lexemes = &self.lexemes;
        range.clone().filter(move |&i| lexemes[i].class != Class::Comment)
    }
}

/// The part that a lexeme belongs to.
pub(super) fn holding(items: &[Item], lexeme: usize) -> Option<&Item> {
    let behind = items.partition_point(|item| item.lexemes.end <= lexeme);
    items.get(behind).filter(|item| item.lexemes.contains(&lexeme))
}

fn class(kind: TokenKind, text: &str) -> Class {
    match kind {
        TokenKind::Text => Class::Text,
        TokenKind::Comment => Class::Comment,
        TokenKind::Mark => Class::Mark,
        TokenKind::Word if grammar::keywords().contains(&text) => Class::Keyword,
        TokenKind::Word if text.starts_with(|c: char| c.is_ascii_digit()) => Class::Number,
        TokenKind::Word if text.starts_with(|c: char| c.is_ascii_lowercase()) => {
            if is_cell(text) {
                Class::Cell
            } else {
                Class::Name
            }
        }
        TokenKind::Word => Class::Variable,
    }
}

/// Whether a word is a cell, `r2c4`.
pub(super) fn is_cell(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    text.strip_prefix('r')
        .and_then(|rest| rest.split_once('c'))
        .is_some_and(|(row, column)| digits(row) && digits(column))
}

/// Cuts a file into its parts, by the words and marks that begin and end them.
struct Splitter<'a> {
    text: &'a str,
    lexemes: &'a [Lexeme],
}

impl Splitter<'_> {
    fn word(&self, at: usize) -> &str {
        self.lexemes.get(at).map_or("", |lexeme| &self.text[lexeme.start..lexeme.end])
    }

    fn is(&self, at: usize, class: Class) -> bool {
        self.lexemes.get(at).is_some_and(|lexeme| lexeme.class == class)
    }

    fn skip_comments(&self, mut at: usize) -> usize {
        while self.is(at, Class::Comment) {
            at += 1;
        }
        at
    }

    fn file(&self) -> Vec<Item> {
        let mut items = Vec::new();
        let mut at = self.skip_comments(0);
        while at < self.lexemes.len() {
            let item = match self.word(at) {
                "rule" => self.rule(at),
                _ => self.part(at, Sort::Helper),
            };
            at = self.skip_comments(item.lexemes.end);
            items.push(item);
        }
        items
    }

    fn begins_member(&self, at: usize) -> bool {
        self.is(at, Class::Keyword) && grammar::member_words().contains(&self.word(at))
    }

    fn rule(&self, from: usize) -> Item {
        let ends = |at: usize| {
            at >= self.lexemes.len()
                || matches!(self.word(at), "{" | "}" | "." | ":-" | "rule")
                || self.begins_member(at)
        };
        let mut at = from + 1;
        while !ends(at) {
            at += 1;
        }
        let header = from..at;
        let name = Some(self.skip_comments(from + 1))
            .filter(|&i| header.contains(&i) && self.is(i, Class::Name));
        if self.word(at) == "{" {
            at += 1;
        }
        let mut members = Vec::new();
        loop {
            at = self.skip_comments(at);
            match self.word(at) {
                "" | "rule" => break,
                "}" => {
                    at += 1;
                    break;
                }
                _ => {
                    let sort = if self.begins_member(at) { Sort::Member } else { Sort::Clause };
                    let member = self.part(at, sort);
                    at = member.lexemes.end;
                    members.push(member);
                }
            }
        }
        Item { sort: Sort::Rule, lexemes: from..at.max(from + 1), header, name, members }
    }

    /// A clause or a member: up to its full stop, or to what can only begin another.
    fn part(&self, from: usize, sort: Sort) -> Item {
        let mut at = from;
        // No member has a `:-`: with one, its full stop is missing.
        let (mut depth, mut said_if) = (0usize, sort == Sort::Member);
        while at < self.lexemes.len() {
            match self.word(at) {
                "." => {
                    at += 1;
                    break;
                }
                "{" => depth += 1,
                "}" if depth == 0 && sort != Sort::Helper => break,
                "}" => depth = depth.saturating_sub(1),
                "rule" if at > from => break,
                ":-" if said_if => {
                    at = self.head_before(at, from);
                    break;
                }
                ":-" => said_if = true,
                _ if at > from
                    && self.lexemes[at].fresh
                    && sort != Sort::Helper
                    && self.begins_member(at) =>
                {
                    break;
                }
                _ => {}
            }
            at += 1;
        }
        let end = at.max(from + 1);
        let name = match sort {
            Sort::Member => Some(from),
            _ => Some(from).filter(|&i| self.is(i, Class::Name)),
        };
        Item { sort, lexemes: from..end, header: from..from, name, members: Vec::new() }
    }

    /// Where the head right before a `:-` begins: `name`, or `name(…)`.
    fn head_before(&self, sign: usize, from: usize) -> usize {
        let mut at = sign - 1;
        if self.word(at) == ")" {
            let mut depth = 0usize;
            while at > from {
                match self.word(at) {
                    ")" => depth += 1,
                    "(" => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
                at -= 1;
            }
            at = at.saturating_sub(1);
        }
        if at > from && self.is(at, Class::Name) { at } else { sign }
    }
}
