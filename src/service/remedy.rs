//! Mistakes as edits that mend them.

use std::ops::Range;

use crate::language::Diagnostic;

use super::outline::Sort;
use super::{Edit, Service};

/// An edit that mends a mistake.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remedy {
    /// What it does, in a few words.
    pub title: String,
    /// The mistake, by its place in [`Service::diagnostics`].
    pub mistake: usize,
    /// The edits.
    pub edits: Vec<Edit>,
}

/// What an edit does, and what it replaces by what.
type Written = (String, Vec<(Range<usize>, String)>);

impl Service {
    /// The remedies of the mistakes that touch some bytes of a file.
    pub fn remedies(&self, name: &str, range: Range<usize>) -> Vec<Remedy> {
        let mut found = Vec::new();
        let Some(number) = self.number(name) else { return found };
        for (place, mistake) in self.diagnostics(name).iter().enumerate() {
            let (start, end) = (mistake.span.start as usize, mistake.span.end as usize);
            if end < range.start || range.end < start {
                continue;
            }
            let told = mistake.remedy.as_deref().map(|(span, text)| {
                let range = span.start as usize..span.end as usize;
                (title(&self.text_of(number)[range.clone()], text), vec![(range, text.clone())])
            });
            let written = told.or_else(|| self.by_words(number, mistake));
            if let Some((title, edits)) = written {
                let edit = |(range, text)| Edit { file: name.to_string(), range, text };
                let edits = edits.into_iter().map(edit).collect();
                found.push(Remedy { title, mistake: place, edits });
            }
        }
        found
    }

    /// Remedies that need to know where rules and clauses begin and end.
    fn by_words(&self, number: usize, mistake: &Diagnostic) -> Option<Written> {
        let outline = self.outline(number);
        let at = outline.at(mistake.span.start as usize)?;
        let (item, _) = outline.around(at)?;
        match mistake.code {
            "W131" if item.sort == Sort::Rule && item.name == Some(at) => {
                let open = item.header.end;
                (self.word(number, open) == "{").then(|| {
                    let end = outline.lexemes[open].end;
                    ("Add `level 50.`".to_string(), vec![(end..end, "\n    level 50.".to_string())])
                })
            }
            "W120" if item.sort == Sort::Helper => {
                let name = item.name.map(|i| self.word(number, i))?;
                let clauses = outline.items.iter().filter(|item| {
                    item.sort == Sort::Helper
                        && item.name.is_some_and(|i| self.word(number, i) == name)
                });
                let edits =
                    clauses.map(|item| (self.with_line(number, &item.lexemes), String::new()));
                Some((format!("Remove `{name}`"), edits.collect()))
            }
            _ => None,
        }
    }

    /// The bytes of some lexemes, with the end of their line.
    fn with_line(&self, number: usize, lexemes: &Range<usize>) -> Range<usize> {
        let bytes = self.outline(number).bytes(lexemes);
        let rest = &self.text_of(number)[bytes.end..];
        let blank = rest.find(|c: char| !matches!(c, ' ' | '\t' | '\r')).unwrap_or(rest.len());
        let line = if rest[blank..].starts_with('\n') { blank + 1 } else { 0 };
        bytes.start..bytes.end + line
    }
}

/// What an edit does.
fn title(old: &str, new: &str) -> String {
    match (old, new.trim()) {
        ("", new) => format!("Insert `{new}`"),
        (old, "") => format!("Remove `{old}`"),
        (old, new) => format!("Replace `{old}` by `{new}`"),
    }
}
