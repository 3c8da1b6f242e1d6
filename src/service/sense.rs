//! What a word refers to.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::language::vocabulary;
use crate::language::{Named, Scope};

use super::Service;
use super::outline::{Class, Item, Sort, holding};

/// Who is meant by a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Sense {
    /// A rule's name, where it is defined.
    Rule(String),
    /// A helper: its name, and whether it is the folder's own.
    Helper(String, bool),
    /// A variable: its name, and every place where it stands in this file.
    Variable(String, Vec<Range<usize>>),
    /// A rule's parameter, likewise.
    Parameter(String, Vec<Range<usize>>),
    /// A built-in word.
    Word(&'static str),
    /// A word or mark of the grammar.
    Grammar(String),
    /// A cell.
    Cell(String),
    /// A tag, a language, an assumption.
    Label(String),
}

/// A word with its place.
pub(super) struct Sensed {
    /// Its bytes.
    pub range: Range<usize>,
    /// Who is meant.
    pub sense: Sense,
}

impl Service {
    /// What stands at a byte of a file.
    pub(super) fn sense(&self, number: usize, offset: usize) -> Option<Sensed> {
        let outline = self.outline(number);
        let at = outline.at(offset)?;
        let lexeme = outline.lexemes[at];
        let word = self.word(number, at).to_string();
        let range = lexeme.start..lexeme.end;
        let sense = match lexeme.class {
            Class::Comment | Class::Number => return None,
            Class::Keyword | Class::Mark => Sense::Grammar(word),
            Class::Cell => Sense::Cell(word),
            Class::Name => self.named(number, at)?,
            Class::Variable => self.variable(number, at, &word),
            Class::Text => {
                let range = self
                    .quoted(number, at)
                    .into_iter()
                    .find(|range| range.start <= offset && offset <= range.end)?;
                let name = self.text_of(number)[range.clone()].to_string();
                return Some(Sensed { sense: self.variable(number, at, &name), range });
            }
        };
        Some(Sensed { range, sense })
    }

    /// What a name refers to.
    pub(super) fn named(&self, number: usize, at: usize) -> Option<Sense> {
        let (item, _) = self.outline(number).around(at)?;
        Some(self.sort_of_name(number, item, at))
    }

    /// What a name inside a rule or helper's clause refers to.
    pub(super) fn sort_of_name(&self, number: usize, item: &Item, at: usize) -> Sense {
        let word = self.word(number, at);
        if item.sort == Sort::Rule && item.name == Some(at) {
            return Sense::Rule(word.to_string());
        }
        let part = holding(&item.members, at).unwrap_or(item);
        if part.sort == Sort::Member && !self.calls(number, part, at) {
            return Sense::Label(word.to_string());
        }
        match vocabulary::find(word) {
            Some(word) => Sense::Word(word.name),
            None => Sense::Helper(word.to_string(), self.is_own(number, word)),
        }
    }

    /// Whether a name in a member can be a call: what stands before a text is a language.
    fn calls(&self, number: usize, part: &Item, at: usize) -> bool {
        let outline = self.outline(number);
        let has_text = outline.said(&part.lexemes).any(|i| outline.lexemes[i].class == Class::Text);
        let after_text = outline
            .said(&(part.lexemes.start..at))
            .any(|i| outline.lexemes[i].class == Class::Text);
        let opens = outline.said(&(at + 1..part.lexemes.end)).next();
        let is_called = opens.is_some_and(|i| self.word(number, i) == "(");
        is_called || (has_text && after_text)
    }

    /// Whether a call in a file means a helper of the folder.
    pub(super) fn is_own(&self, number: usize, name: &str) -> bool {
        !self.is_bundled(number) && self.own_helpers().contains(name)
    }

    /// The helpers of the folder.
    pub(super) fn own_helpers(&self) -> &BTreeSet<String> {
        self.own.get_or_init(|| {
            let files = self.bundled..self.outlines.len();
            let names = files.flat_map(|n| self.heads(n).map(move |item| self.head_name(n, item)));
            names.map(str::to_string).collect()
        })
    }

    /// The clauses of a file's helpers, of those that have a name.
    pub(super) fn heads(&self, number: usize) -> impl Iterator<Item = &Item> {
        let items = self.outline(number).items.iter();
        items.filter(|item| item.sort == Sort::Helper && item.name.is_some())
    }

    /// The name of the helper whose clause it is.
    pub(super) fn head_name(&self, number: usize, item: &Item) -> &str {
        item.name.map_or("", |at| self.word(number, at))
    }

    /// The names in a text's braces: `{C}`.
    pub(super) fn quoted(&self, number: usize, at: usize) -> Vec<Range<usize>> {
        let start = self.outline(number).lexemes[at].start;
        let text = self.word(number, at);
        let mut found = Vec::new();
        for (open, _) in text.match_indices('{') {
            let inside = &text[open + 1..];
            let Some(close) = inside.find('}') else { break };
            let name = inside[..close].trim();
            let lead = inside[..close].len() - inside[..close].trim_start().len();
            if name.starts_with(|c: char| c.is_ascii_uppercase()) && !name.contains(['|', '{']) {
                let begin = start + open + 1 + lead;
                found.push(begin..begin + name.len());
            }
        }
        found
    }

    /// The scope of a clause, if it can be read.
    pub(super) fn scope(&self, number: usize, bytes: &Range<usize>) -> Option<&Scope> {
        let scopes = &self.checked().scopes;
        scopes.iter().find(|scope| {
            usize::from(scope.span.source) == number && scope.span.start as usize == bytes.start
        })
    }

    /// A variable at a lexeme: where else it stands.
    fn variable(&self, number: usize, at: usize, name: &str) -> Sense {
        let outline = self.outline(number);
        let Some((item, member)) = outline.around(at) else {
            return Sense::Variable(name.to_string(), Vec::new());
        };
        let lexeme = outline.lexemes[at];
        if name == "_" {
            let here = lexeme.start..lexeme.end;
            return Sense::Variable(name.to_string(), Vec::from([here]));
        }
        if self.parameter(number, item).is_some_and(|i| self.word(number, i) == name) {
            let mut uses = self.by_name(number, &item.lexemes, name);
            uses.extend(self.in_texts(number, item, name));
            uses.sort_by_key(|range| range.start);
            return Sense::Parameter(name.to_string(), uses);
        }
        let part = member.unwrap_or(item);
        let bytes = outline.bytes(&part.lexemes);
        let is_here = |v: &&Named| {
            v.name == name && v.uses.iter().any(|span| span.start as usize == lexeme.start)
        };
        let known = self.scope(number, &bytes).and_then(|s| s.variables.iter().find(is_here));
        if let Some(local) = known.filter(|v| v.local) {
            let uses = local.uses.iter().map(|s| s.start as usize..s.end as usize).collect();
            return Sense::Variable(name.to_string(), uses);
        }
        let told = self.in_texts(number, item, name);
        let is_told = !told.is_empty() || part.sort == Sort::Member;
        let mut uses = Vec::new();
        if is_told && item.sort == Sort::Rule {
            // The explanation means the variable of this name in every clause.
            for member in &item.members {
                uses.extend(self.free(number, member, name));
            }
            uses.extend(told);
        } else {
            uses = self.free(number, part, name);
        }
        uses.sort_by_key(|range| range.start);
        uses.dedup();
        Sense::Variable(name.to_string(), uses)
    }

    /// Where a variable stands in a clause or member, without those that a `forall` hides.
    fn free(&self, number: usize, part: &Item, name: &str) -> Vec<Range<usize>> {
        let bytes = self.outline(number).bytes(&part.lexemes);
        match self.scope(number, &bytes) {
            Some(scope) => scope
                .variables
                .iter()
                .filter(|v| v.name == name && !v.local)
                .flat_map(|v| v.uses.iter().map(|s| s.start as usize..s.end as usize))
                .collect(),
            None => self.by_name(number, &part.lexemes, name),
        }
    }

    fn by_name(&self, number: usize, lexemes: &Range<usize>, name: &str) -> Vec<Range<usize>> {
        let outline = self.outline(number);
        let found = outline.said(lexemes).filter(|&i| {
            outline.lexemes[i].class == Class::Variable && self.word(number, i) == name
        });
        found.map(|i| outline.lexemes[i].start..outline.lexemes[i].end).collect()
    }

    /// Where the texts of a rule name a variable.
    fn in_texts(&self, number: usize, item: &Item, name: &str) -> Vec<Range<usize>> {
        let outline = self.outline(number);
        let texts =
            outline.said(&item.lexemes).filter(|&i| outline.lexemes[i].class == Class::Text);
        texts
            .flat_map(|i| self.quoted(number, i))
            .filter(|range| &self.text_of(number)[range.clone()] == name)
            .collect()
    }

    /// The lexeme of a rule's parameter.
    pub(super) fn parameter(&self, number: usize, item: &Item) -> Option<usize> {
        let outline = self.outline(number);
        let mut header = outline.said(&item.header);
        header.find(|&i| outline.lexemes[i].class == Class::Variable)
    }

    /// The variables that stand in a clause or a rule, by name, in order.
    pub(super) fn variables(&self, number: usize, lexemes: &Range<usize>) -> Vec<&str> {
        let outline = self.outline(number);
        let mut names: Vec<&str> = Vec::new();
        for i in outline.said(lexemes).filter(|&i| outline.lexemes[i].class == Class::Variable) {
            let name = self.word(number, i);
            if name != "_" && !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}
