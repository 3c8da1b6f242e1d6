//! Words by what they mean, for colours.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::language::vocabulary::{self, Meaning};

use super::Service;
use super::outline::Class;
use super::sense::Sense;

/// What a word is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Colour {
    /// A word of the grammar.
    Keyword,
    /// A rule's name.
    Rule,
    /// A helper.
    Helper,
    /// `place` and its like.
    Conclusion,
    /// A built-in function or relation.
    Function,
    /// A set that is there from the start.
    Set,
    /// A variable.
    Variable,
    /// A rule's parameter.
    Parameter,
    /// A number.
    Number,
    /// A cell.
    Cell,
    /// A text.
    Text,
    /// A tag, a language, an assumption.
    Label,
    /// A comment.
    Comment,
    /// A mark.
    Mark,
}

/// A word with its colour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coloured {
    /// Its bytes.
    pub range: Range<usize>,
    /// What it is.
    pub colour: Colour,
    /// Whether it is defined here.
    pub defines: bool,
    /// Whether it is built in or bundled.
    pub bundled: bool,
}

impl Service {
    /// The words and marks of a file that have a colour, in order.
    pub fn colours(&self, name: &str) -> Vec<Coloured> {
        let Some(number) = self.number(name) else { return Vec::new() };
        let outline = self.outline(number);
        let heads: BTreeSet<usize> = self.heads(number).filter_map(|item| item.name).collect();
        let mut found = Vec::new();
        for item in &outline.items {
            let parameter = self.parameter(number, item).map(|i| self.word(number, i));
            for at in outline.said(&item.lexemes) {
                let lexeme = &outline.lexemes[at];
                let (colour, bundled) = match lexeme.class {
                    Class::Keyword => (Colour::Keyword, false),
                    Class::Number => (Colour::Number, false),
                    Class::Cell => (Colour::Cell, false),
                    Class::Text => (Colour::Text, false),
                    Class::Comment => continue,
                    Class::Mark => (Colour::Mark, false),
                    Class::Variable if parameter == Some(self.word(number, at)) => {
                        (Colour::Parameter, false)
                    }
                    Class::Variable => (Colour::Variable, false),
                    Class::Name => match self.sort_of_name(number, item, at) {
                        Sense::Rule(_) => (Colour::Rule, false),
                        Sense::Label(_) => (Colour::Label, false),
                        Sense::Word(word) => (built_in(word), true),
                        Sense::Helper(_, own) => (Colour::Helper, !own),
                        _ => (Colour::Helper, false),
                    },
                };
                let defines = colour == Colour::Rule || heads.contains(&at);
                let range = lexeme.start..lexeme.end;
                found.push(Coloured { range, colour, defines, bundled });
            }
        }
        let comments = outline.lexemes.iter().filter(|lexeme| lexeme.class == Class::Comment);
        found.extend(comments.map(|lexeme| Coloured {
            range: lexeme.start..lexeme.end,
            colour: Colour::Comment,
            defines: false,
            bundled: false,
        }));
        found.sort_by_key(|coloured| coloured.range.start);
        found
    }
}

/// The colour of a built-in word.
fn built_in(name: &str) -> Colour {
    match vocabulary::find(name).map(|word| word.meaning) {
        Some(Meaning::Head(_)) => Colour::Conclusion,
        Some(Meaning::Constant(_)) => Colour::Set,
        _ => Colour::Function,
    }
}
