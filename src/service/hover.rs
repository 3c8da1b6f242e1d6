//! What stands here: entries of the manual, kinds, rules with their verdicts and plans.

use std::ops::Range;

use crate::board::Layout;
use crate::engine::Engine;
use crate::language::vocabulary::{self, Meaning};
use crate::language::{Kind, RuleSet, kind_in_words, one_line};
use crate::proof::{Verdict, known, said};

use super::outline::{Class, Item, Sort};
use super::sense::Sense;
use super::{Service, grammar};

/// How something is called, and which argument is being written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// `spots(D, H)`
    pub label: String,
    /// The bytes of the label that are arguments.
    pub arguments: Vec<Range<usize>>,
    /// What it means.
    pub meaning: String,
    /// The argument at the cursor, from 0.
    pub active: usize,
}

/// The kind of a variable, to be shown behind it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// The byte behind which it is shown.
    pub at: usize,
    /// The kind: `cell`.
    pub kind: String,
}

impl Service {
    /// What stands at a byte, in Markdown, and the bytes it is said of.
    pub fn hover(&self, name: &str, offset: usize) -> Option<(Range<usize>, String)> {
        let number = self.number(name)?;
        let sensed = self.sense(number, offset)?;
        let told = match &sensed.sense {
            Sense::Word(word) => word_entry(word)?,
            Sense::Grammar(word) => {
                let entries = grammar::about(word);
                let entry = |e: &&grammar::Entry| format!("`{}`: {}", e.usage, e.meaning);
                let entries: Vec<String> = entries.iter().map(entry).collect();
                Some(entries.join("\n\n")).filter(|told| !told.is_empty())?
            }
            Sense::Cell(cell) => {
                let (row, column) = cell.trim_start_matches('r').split_once('c')?;
                format!("`{cell}`: the cell in row {row}, column {column}")
            }
            Sense::Variable(variable, uses) => match self.kind_at(number, variable, uses) {
                Some(kind) => format!("`{variable}`: {}", kind_in_words(kind)),
                None => format!("`{variable}`: a variable"),
            },
            Sense::Parameter(parameter, _) => {
                let outline = self.outline(number);
                let (item, _) = outline.around(outline.at(offset)?)?;
                let bytes = outline.bytes(&item.header);
                let header = &self.text_of(number)[bytes];
                let range = header.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
                let range = range.map_or(parameter.as_str(), |(range, _)| range);
                format!("`{range}`: the rule's parameter, a number")
            }
            Sense::Helper(helper, own) => self.helper_entry(helper, *own)?,
            Sense::Rule(rule) => self.rule_entry(number, rule),
            Sense::Label(_) => return None,
        };
        Some((sensed.range, told))
    }

    /// The kind of a variable that stands in these places.
    fn kind_at(&self, number: usize, name: &str, uses: &[Range<usize>]) -> Option<Kind> {
        let scopes = self.checked().scopes.iter();
        let mut here = scopes.filter(|scope| usize::from(scope.span.source) == number);
        here.find_map(|scope| {
            let is_it = |start: usize| uses.iter().any(|range| range.start == start);
            let found = scope
                .variables
                .iter()
                .find(|v| v.name == name && v.uses.iter().any(|span| is_it(span.start as usize)));
            found.and_then(|v| v.kind)
        })
    }

    /// A helper: its first head, the kinds of its arguments, its comment, its file.
    fn helper_entry(&self, helper: &str, own: bool) -> Option<String> {
        let (label, comment, file) = self.helper(helper, own)?;
        let mut told = format!("```dokulog\n{label}\n```\n");
        let kinds = self.kinds_of(helper, own);
        if !kinds.is_empty() {
            told += &format!("a helper of {}\n", kinds.join(", "));
        }
        if !comment.is_empty() {
            told += &format!("\n{comment}\n");
        }
        Some(told + &format!("\n*{file}*"))
    }

    /// A helper's first head as written, the comment above it, and its file.
    pub(super) fn helper(&self, name: &str, own: bool) -> Option<(String, String, String)> {
        let files = if own { self.bundled..self.outlines.len() } else { 0..self.bundled };
        let mut heads = files.flat_map(|number| self.heads(number).map(move |item| (number, item)));
        let is_it = |(number, item): &(usize, &Item)| self.head_name(*number, item) == name;
        heads.find(is_it).map(|(number, item)| self.head(number, item))
    }

    /// A helper's head as written, the comment above it, and its file.
    pub(super) fn head(&self, number: usize, item: &Item) -> (String, String, String) {
        let text = &self.text_of(number)[self.outline(number).bytes(&item.lexemes)];
        let head = text.split(":-").next().unwrap_or(text).trim().trim_end_matches('.');
        let comment = self.comment_above(number, item.lexemes.start);
        (one_line(head), comment, self.name_of(number).to_string())
    }

    /// The comment lines right above a lexeme, without their `%`.
    pub(super) fn comment_above(&self, number: usize, lexeme: usize) -> String {
        let outline = self.outline(number);
        let lines = |at: usize| outline.lines.position(self.text_of(number), at).line;
        let mut below = lines(outline.lexemes[lexeme].start);
        let mut comments = Vec::new();
        for at in (0..lexeme).rev() {
            let comment = &outline.lexemes[at];
            let line = lines(comment.start);
            if comment.class != Class::Comment || !comment.fresh || line + 1 != below {
                break;
            }
            below = line;
            comments.push(self.word(number, at).trim_start_matches('%').trim());
        }
        comments.reverse();
        comments.join("\n")
    }

    /// The kinds of a helper's arguments, in words, if they are known.
    fn kinds_of(&self, helper: &str, own: bool) -> Vec<&'static str> {
        let Some(rules) = &self.checked().rules else { return Vec::new() };
        let from = |span: crate::language::Span| usize::from(span.source) >= self.bundled;
        let predicate = rules.predicates().iter().find(|p| {
            p.name == helper && p.clauses.first().is_some_and(|clause| from(clause.span) == own)
        });
        predicate.map_or(Vec::new(), |p| p.kinds.iter().map(|&k| kind_in_words(k)).collect())
    }

    /// A rule: titles, levels, verdicts, plans.
    fn rule_entry(&self, number: usize, rule: &str) -> String {
        let outline = self.outline(number);
        let is_it = |item: &&super::outline::Item| {
            item.sort == Sort::Rule && item.name.is_some_and(|at| self.word(number, at) == rule)
        };
        let item = outline.items.iter().find(is_it);
        let comment = item.map(|item| self.comment_above(number, item.lexemes.start));
        let comment = comment.filter(|comment| !comment.is_empty());
        let Some(rules) = &self.checked().rules else {
            let told = format!("rule `{rule}`\n\nlevel, verdict and plan are known without errors");
            return comment.map_or(told.clone(), |comment| format!("{told}\n\n{comment}"));
        };
        let of_file = |r: &crate::language::Rule| usize::from(r.span.source) == number;
        let mine = rules.keep(|r, _| r.name == rule && of_file(r));
        let mut told = String::new();
        if mine.instances().is_empty() {
            told = format!("rule `{rule}`: a rule of the folder is used in its place\n");
        }
        let layout = Layout::classic(9).expect("9 is a classic size");
        let mut worker = Engine::assuming_unique(&mine, &layout).worker();
        for (place, instance) in mine.instances().iter().enumerate() {
            told += &format!(
                "**{}** `{}`, level {}: {}\n\n",
                instance.title,
                instance.name,
                instance.level,
                self.verdict(&mine, place).map_or("not yet proved", Verdict::in_words)
            );
            told += &format!("```text\n{}\n```\n", worker.describe(place).join("\n  "));
        }
        comment.map_or(told.clone(), |comment| format!("{told}\n{comment}"))
    }

    /// The verdict on an instance, as far as it is known without a proof.
    pub fn verdict(&self, rules: &RuleSet, instance: usize) -> Option<Verdict> {
        let instance = &rules.instances()[instance];
        let learned = || self.verdicts.get(&said(rules, instance, usize::MAX)?).copied();
        known(rules, instance).or_else(learned)
    }

    /// How what is being called at a byte is called.
    pub fn signature(&self, name: &str, offset: usize) -> Option<Signature> {
        let number = self.number(name)?;
        let outline = self.outline(number);
        let before = outline.lexemes.partition_point(|lexeme| lexeme.start < offset);
        let inside = before.checked_sub(1).map(|i| outline.lexemes[i]);
        if inside
            .is_some_and(|l| matches!(l.class, Class::Text | Class::Comment) && l.end >= offset)
        {
            return None;
        }
        let (mut depth, mut active) = (0usize, 0);
        for at in outline.said(&(0..before)).rev() {
            match self.word(number, at) {
                ")" | "}" => depth += 1,
                "(" if depth == 0 => {
                    let called = at.checked_sub(1)?;
                    let is_name = outline.lexemes[called].class == Class::Name;
                    return is_name.then(|| self.called(number, called, active))?;
                }
                "{" if depth == 0 => active = 0,
                "(" | "{" => depth -= 1,
                "," if depth == 0 => active += 1,
                "." | ":-" => return None,
                _ => {}
            }
        }
        None
    }

    fn called(&self, number: usize, at: usize, active: usize) -> Option<Signature> {
        let word = self.word(number, at);
        let (label, meaning) = match vocabulary::find(word) {
            Some(word) => (word.usage.to_string(), word.summary.to_string()),
            None => {
                let (head, comment, _) = self.helper(word, self.is_own(number, word))?;
                (head, comment)
            }
        };
        let arguments = arguments(&label);
        Some(Signature { label, arguments, meaning, active })
    }

    /// The kinds of the variables of a file, each behind its first place in a clause.
    pub fn hints(&self, name: &str, range: Range<usize>) -> Vec<Hint> {
        let Some(number) = self.number(name) else { return Vec::new() };
        let mut hints = Vec::new();
        let scopes = self.checked().scopes.iter();
        for scope in scopes.filter(|scope| usize::from(scope.span.source) == number) {
            for v in scope.variables.iter().filter(|v| !v.name.starts_with('_')) {
                let (Some(kind), Some(first)) = (v.kind, v.uses.first()) else { continue };
                let at = first.end as usize;
                if range.contains(&at) {
                    hints.push(Hint { at, kind: format!("{kind:?}").to_lowercase() });
                }
            }
        }
        hints.sort_by_key(|hint| hint.at);
        hints
    }
}

/// A built-in word, as the manual has it, with the kinds it takes.
pub(super) fn word_entry(name: &str) -> Option<String> {
    let word = vocabulary::find(name)?;
    let (what, kinds): (&str, &[Kind]) = match word.meaning {
        Meaning::Constant(_) => ("a set", &[]),
        Meaning::Function(_, kinds) => ("a function of", kinds),
        Meaning::Relation(_, kinds) => ("a relation of", kinds),
        Meaning::Head(kinds) => ("a conclusion about", kinds),
        Meaning::Choose => ("a condition", &[]),
    };
    let kinds: Vec<&str> = kinds.iter().map(|&kind| kind_in_words(kind)).collect();
    let what = match kinds.is_empty() {
        true => what.trim_end_matches(" of").trim_end_matches(" about").to_string(),
        false => format!("{what} {}", kinds.join(" and ")),
    };
    Some(format!("```dokulog\n{}\n```\n{}\n\n{what}", word.usage, word.summary))
}

/// The arguments in `name(A, {B, C})`, as bytes of it.
fn arguments(label: &str) -> Vec<Range<usize>> {
    let Some(open) = label.find('(') else { return Vec::new() };
    let mut found = Vec::new();
    let (mut depth, mut start) = (0usize, open + 1);
    for (at, sign) in label.char_indices().skip_while(|&(at, _)| at <= open) {
        match sign {
            '(' | '{' => depth += 1,
            ',' | ')' if depth == 0 => {
                let text = &label[start..at];
                let lead = text.len() - text.trim_start().len();
                found.push(start + lead..at);
                start = at + 1;
            }
            ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    found
}
