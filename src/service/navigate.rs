//! Where something is said, where it is used, and all of it under another name.

use std::ops::Range;

use crate::language::vocabulary;

use super::outline::{Class, Sort, is_cell};
use super::sense::Sense;
use super::{Edit, Service, grammar};

/// A part of a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The file.
    pub file: String,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Service {
    fn place(&self, number: usize, range: Range<usize>) -> Place {
        Place { file: self.name_of(number).to_string(), start: range.start, end: range.end }
    }

    /// Where what stands at a byte is defined: a helper's clauses, a variable's first place.
    pub fn definitions(&self, name: &str, offset: usize) -> Vec<Place> {
        let Some(number) = self.number(name) else { return Vec::new() };
        self.places(number, offset, true)
    }

    /// Everywhere where what stands at a byte is named, its definition among them or not.
    pub fn references(&self, name: &str, offset: usize, definition: bool) -> Vec<Place> {
        let Some(number) = self.number(name) else { return Vec::new() };
        let mut found = self.places(number, offset, false);
        if !definition {
            let defined = self.definitions(name, offset);
            found.retain(|place| !defined.contains(place));
        }
        found
    }

    /// Everywhere in the same file where what stands at a byte is named.
    pub fn highlights(&self, name: &str, offset: usize) -> Vec<Range<usize>> {
        let Some(number) = self.number(name) else { return Vec::new() };
        let here = |place: &Place| place.file == name;
        let places = match self.sense(number, offset) {
            Some(sensed) => match &sensed.sense {
                Sense::Word(_) | Sense::Cell(_) | Sense::Label(_) => {
                    let word = self.text_of(number)[sensed.range].to_string();
                    self.words(number, &word)
                }
                _ => self.places(number, offset, false),
            },
            None => Vec::new(),
        };
        places.into_iter().filter(here).map(|place| place.start..place.end).collect()
    }

    fn words(&self, number: usize, word: &str) -> Vec<Place> {
        let outline = self.outline(number);
        let same = (0..outline.lexemes.len()).filter(|&i| self.word(number, i) == word);
        let range = |i: usize| outline.lexemes[i].start..outline.lexemes[i].end;
        same.map(|i| self.place(number, range(i))).collect()
    }

    /// Where what stands at a byte is named, or where it is defined only.
    fn places(&self, number: usize, offset: usize, defined: bool) -> Vec<Place> {
        match self.sense(number, offset).map(|sensed| sensed.sense) {
            Some(Sense::Helper(helper, own)) => {
                let found = self.helper_places(&helper, own, defined);
                found.into_iter().map(|(number, range)| self.place(number, range)).collect()
            }
            Some(Sense::Rule(rule)) => self.rule_places(&rule),
            Some(Sense::Variable(_, uses) | Sense::Parameter(_, uses)) => {
                let wanted = if defined { 1 } else { uses.len() };
                uses.into_iter().take(wanted).map(|range| self.place(number, range)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn rule_places(&self, rule: &str) -> Vec<Place> {
        let mut found = Vec::new();
        for number in 0..self.outlines.len() {
            let outline = self.outline(number);
            let rules = outline.items.iter().filter(|item| item.sort == Sort::Rule);
            for at in rules.filter_map(|item| item.name) {
                if self.word(number, at) == rule {
                    let lexeme = &outline.lexemes[at];
                    found.push(self.place(number, lexeme.start..lexeme.end));
                }
            }
        }
        found
    }

    /// Where a helper is named: its clauses' heads, or everywhere.
    fn helper_places(
        &self,
        helper: &str,
        own: bool,
        heads_only: bool,
    ) -> Vec<(usize, Range<usize>)> {
        let mut found = Vec::new();
        for number in 0..self.outlines.len() {
            let outline = self.outline(number);
            for (at, lexeme) in outline.lexemes.iter().enumerate() {
                if lexeme.class != Class::Name || self.word(number, at) != helper {
                    continue;
                }
                let is_meant = self.named(number, at) == Some(Sense::Helper(helper.into(), own));
                let is_head = || {
                    let item = outline.around(at).map(|(item, _)| item);
                    item.is_some_and(|i| i.sort == Sort::Helper && i.name == Some(at))
                };
                // A bundled helper is defined in the bundled files, whoever calls it.
                let here = own || self.is_bundled(number) || !is_head();
                if is_meant && here && (!heads_only || is_head()) {
                    found.push((number, lexeme.start..lexeme.end));
                }
            }
        }
        found
    }

    /// What would be renamed at a byte, if it can be.
    pub fn renamed(&self, name: &str, offset: usize) -> Result<Range<usize>, String> {
        let nothing = || "there is nothing to rename here".to_string();
        let number = self.number(name).ok_or_else(nothing)?;
        let sensed = self.sense(number, offset).ok_or_else(nothing)?;
        match &sensed.sense {
            _ if self.is_bundled(number) => Err("bundled rules stay as they are".to_string()),
            Sense::Helper(helper, false) if self.helper_places(helper, false, true).is_empty() => {
                Err(format!("there is no helper `{helper}`"))
            }
            Sense::Helper(helper, false) => Err(format!("`{helper}` is a bundled helper")),
            Sense::Variable(name, _) if name == "_" => Err("`_` is any, and has no name".into()),
            Sense::Helper(..) | Sense::Rule(_) => Ok(sensed.range),
            Sense::Variable(..) | Sense::Parameter(..) => Ok(sensed.range),
            Sense::Word(word) => Err(format!("`{word}` is a built-in word")),
            _ => Err(nothing()),
        }
    }

    /// The edits that give what stands at a byte another name, in all files.
    pub fn rename(&self, name: &str, offset: usize, new: &str) -> Result<Vec<Edit>, String> {
        self.renamed(name, offset)?;
        let number = self.number(name).unwrap_or_default();
        let sense = self.sense(number, offset).map(|sensed| sensed.sense);
        match &sense {
            Some(Sense::Variable(..) | Sense::Parameter(..)) => {
                self.is_free_variable(number, offset, new)?
            }
            Some(Sense::Rule(_)) => {
                is_name(new)?;
                let taken = self.rule_places(new);
                if taken.iter().any(|p| self.names().any(|own| own == p.file)) {
                    return Err(format!("there is already a rule `{new}`"));
                }
            }
            _ => {
                is_name(new)?;
                if vocabulary::find(new).is_some() {
                    return Err(format!("`{new}` is a built-in word"));
                }
                let known =
                    [true, false].iter().any(|&own| !self.helper_places(new, own, true).is_empty());
                if known {
                    return Err(format!("there is already a helper `{new}`"));
                }
            }
        }
        let mut places = self.places(number, offset, false);
        // A rule of the folder may have a bundled one's name; that one keeps it.
        places.retain(|place| self.names().any(|own| own == place.file));
        let edit = |p: Place| Edit { file: p.file, range: p.start..p.end, text: new.to_string() };
        Ok(places.into_iter().map(edit).collect())
    }

    fn is_free_variable(&self, number: usize, offset: usize, new: &str) -> Result<(), String> {
        let mut signs = new.chars();
        let first = signs.next().is_some_and(|c| c.is_ascii_uppercase() || c == '_');
        if !first || new == "_" || !signs.all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(format!("`{new}` is no variable: variables begin with a capital"));
        }
        let outline = self.outline(number);
        let around = outline.at(offset).and_then(|at| outline.around(at));
        let taken =
            around.is_some_and(|(item, _)| self.variables(number, &item.lexemes).contains(&new));
        if taken { Err(format!("there is already a variable `{new}` here")) } else { Ok(()) }
    }
}

/// Whether a rule or helper can be called this.
fn is_name(new: &str) -> Result<(), String> {
    let first = new.starts_with(|c: char| c.is_ascii_lowercase());
    let rest = new.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !first || !rest || is_cell(new) {
        return Err(format!("`{new}` is no name: names begin with a small letter"));
    }
    if grammar::keywords().contains(&new) {
        return Err(format!("`{new}` is a word of the language"));
    }
    Ok(())
}
