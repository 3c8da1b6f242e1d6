//! The canonical layout, whole or in part; what can be folded and listed.

use std::ops::Range;

use crate::language::{Source, format, lay_out};

use super::outline::{Class, Item, Sort};
use super::position::floor;
use super::{Edit, Service};

/// Lines that can be folded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Fold {
    /// First line, from 0; it stays.
    pub first: u32,
    /// Last line.
    pub last: u32,
    /// Whether it is a comment.
    pub comment: bool,
}

/// A rule or a helper, to be listed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// A rule's title, a helper's head.
    pub detail: String,
    /// Whether it is a rule.
    pub is_rule: bool,
    /// All of it.
    pub range: Range<usize>,
    /// Its name.
    pub selection: Range<usize>,
}

impl Service {
    /// The edits that lay a file out anew; what cannot be read stays as it is. `range` keeps to the
    /// rules and clauses that it touches.
    pub fn format(&self, name: &str, range: Option<Range<usize>>) -> Vec<Edit> {
        let Some(number) = self.number(name) else { return Vec::new() };
        let text = self.text_of(number);
        let source = |text: &str| Source { name: name.to_string(), text: text.to_string() };
        if range.is_none() && self.folder.is_read(number) {
            return change(name, text, 0..text.len(), &lay_out(text)).into_iter().collect();
        }
        let outline = self.outline(number);
        let mut edits = Vec::new();
        for item in &outline.items {
            let mut bytes = outline.bytes(&item.lexemes);
            let touched =
                range.as_ref().is_none_or(|r| r.start <= bytes.end && bytes.start <= r.end);
            let alone = outline.lexemes[item.lexemes.start].fresh
                && outline.lexemes.get(item.lexemes.end).is_none_or(|next| next.fresh);
            if !touched || !alone {
                continue;
            }
            // The spaces before it on its line go too.
            bytes.start = text[..bytes.start].rfind('\n').map_or(0, |end| end + 1);
            if let Ok(laid) = format(&source(&text[bytes.clone()])) {
                edits.extend(change(name, text, bytes, laid.trim_end()));
            }
        }
        edits
    }

    /// The rules and helpers of a file, a helper once.
    pub fn symbols(&self, name: &str) -> Vec<Symbol> {
        self.number(name).map_or(Vec::new(), |number| self.symbols_of(number))
    }

    /// The rules and helpers of the folder whose name contains a text, and of the bundled files if
    /// the text is not empty, each with its file.
    pub fn find_symbols(&self, query: &str) -> Vec<(&str, Symbol)> {
        let first = if query.is_empty() { self.bundled } else { 0 };
        let query = query.to_lowercase();
        let of_file = |number| {
            let file = self.name_of(number);
            self.symbols_of(number).into_iter().map(move |symbol| (file, symbol))
        };
        let found = |(_, s): &(&str, Symbol)| {
            s.name.to_lowercase().contains(&query) || s.detail.to_lowercase().contains(&query)
        };
        (first..self.outlines.len()).flat_map(of_file).filter(found).collect()
    }

    fn symbols_of(&self, number: usize) -> Vec<Symbol> {
        let outline = self.outline(number);
        let mut found: Vec<Symbol> = Vec::new();
        for item in &outline.items {
            let Some(at) = item.name else { continue };
            let (name, range) = (self.word(number, at).to_string(), outline.bytes(&item.lexemes));
            let is_rule = item.sort == Sort::Rule;
            let same = |s: &&mut Symbol| !s.is_rule && !is_rule && s.name == name;
            if let Some(earlier) = found.last_mut().filter(same) {
                earlier.range.end = range.end;
                continue;
            }
            let detail = match is_rule {
                true => self.title(number, item),
                false => {
                    let own = !self.is_bundled(number);
                    self.helper(&name, own).map_or(String::new(), |(head, _, _)| head)
                }
            };
            let selection = outline.lexemes[at].start..outline.lexemes[at].end;
            found.push(Symbol { name, detail, is_rule, range, selection });
        }
        found
    }

    /// A rule's title as written in its header.
    fn title(&self, number: usize, item: &Item) -> String {
        let outline = self.outline(number);
        let mut header = outline.said(&item.header);
        let text = header.find(|&i| outline.lexemes[i].class == Class::Text);
        text.map_or(String::new(), |i| self.word(number, i).trim_matches('"').to_string())
    }

    /// How many examples a rule of a file has.
    pub fn examples(&self, name: &str, rule: &str) -> usize {
        let Some(number) = self.number(name) else { return 0 };
        let is_it = |item: &&Item| {
            item.sort == Sort::Rule && item.name.is_some_and(|at| self.word(number, at) == rule)
        };
        let members = self.outline(number).items.iter().filter(is_it).flat_map(|i| &i.members);
        let is_example =
            |m: &&Item| m.sort == Sort::Member && self.word(number, m.lexemes.start) == "example";
        members.filter(is_example).count()
    }

    /// What can be folded in a file: rules, long clauses, comments of several lines.
    pub fn folds(&self, name: &str) -> Vec<Fold> {
        let Some(number) = self.number(name) else { return Vec::new() };
        let outline = self.outline(number);
        let line = |at: usize| outline.lines.position(self.text_of(number), at).line;
        let mut folds = Vec::new();
        let mut add = |range: Range<usize>, comment: bool| {
            let (first, last) = (line(range.start), line(range.end));
            if first < last {
                folds.push(Fold { first, last, comment });
            }
        };
        for item in &outline.items {
            add(outline.bytes(&item.lexemes), false);
            item.members.iter().for_each(|member| add(outline.bytes(&member.lexemes), false));
        }
        let mut run: Option<Range<usize>> = None;
        for lexeme in &outline.lexemes {
            let is_line = lexeme.class == Class::Comment && lexeme.fresh;
            let goes_on = run.as_ref().is_some_and(|r| line(r.end) + 1 == line(lexeme.start));
            match (&mut run, is_line) {
                (Some(run), true) if goes_on => run.end = lexeme.end,
                (open, _) => {
                    open.take().into_iter().for_each(|run| add(run, true));
                    *open = is_line.then_some(lexeme.start..lexeme.end);
                }
            }
        }
        run.into_iter().for_each(|run| add(run, true));
        folds.sort();
        folds
    }
}

/// The edit from one text to another, without the lines that are the same at both ends.
fn change(file: &str, text: &str, range: Range<usize>, new: &str) -> Option<Edit> {
    let old = &text[range.clone()];
    if old == new {
        return None;
    }
    let same = |a: &str, b: &str| a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let ahead = same(old, new);
    let ahead = old[..floor(old, ahead)].rfind('\n').map_or(0, |at| at + 1);
    let (rest, other) = (&old[ahead..], &new[ahead..]);
    let behind = rest.bytes().rev().zip(other.bytes().rev()).take_while(|(a, b)| a == b).count();
    // Whole lines only, so the line end before them stays out of it.
    let tail = &rest[rest.len() - floor_back(rest, behind)..];
    let behind = tail.find('\n').map_or(0, |at| tail.len() - at - 1);
    let end = range.start + old.len() - behind;
    let text = other[..other.len() - behind].to_string();
    Some(Edit { file: file.to_string(), range: range.start + ahead..end, text })
}

/// The largest number of bytes at the end, not above this, that begin with a whole sign.
fn floor_back(text: &str, mut count: usize) -> usize {
    while !text.is_char_boundary(text.len() - count) {
        count -= 1;
    }
    count
}
