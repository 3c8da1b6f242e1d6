//! The messages about words that mean nothing, or nothing with so many arguments.

use super::Resolver;
use crate::language::ast;
use crate::language::diagnostic::Diagnostic;
use crate::language::spelling;
use crate::language::vocabulary::{self, Meaning};

impl Resolver<'_> {
    /// Reports a word with too many or too few arguments.
    pub(super) fn wrong_count(&mut self, atom: &ast::Atom, wanted: usize, usage: &str) {
        let name = &atom.name.text;
        let found = atom.arguments.len();
        let arguments = match wanted {
            0 => "no arguments".to_string(),
            1 => "1 argument".to_string(),
            n => format!("{n} arguments"),
        };
        let diagnostic =
            Diagnostic::error("E011", atom.span, format!("`{name}` has {arguments}, not {found}"));
        self.report(diagnostic.help(format!("write it as `{usage}`")));
    }

    /// Reports a term that is no word, and offers the one that may be meant.
    pub(super) fn unknown_word(&mut self, atom: &ast::Atom) {
        let name = atom.name.text.as_str();
        if self.helpers.called(name, self.user).is_some() {
            let message = format!("`{name}` is a helper: it is true or false and has no value");
            let help = "call it as a condition of its own, with a variable for what you want";
            return self.report(Diagnostic::error("E001", atom.span, message).help(help));
        }
        let upper = capital(name);
        let in_sight = self.scope.iter().any(|(known, _)| *known == upper)
            || self.parameter == Some(upper.as_str());
        let alone = atom.arguments.is_empty();
        let words = vocabulary::WORDS.iter().filter(|word| match word.meaning {
            Meaning::Constant(_) => alone,
            Meaning::Function(..) => !alone,
            _ => false,
        });
        let near = spelling::nearest(name, words.map(|word| word.name));
        let message = match alone {
            true => format!("there is no set `{name}`"),
            false => format!("there is no function `{name}`"),
        };
        let mut diagnostic = Diagnostic::error("E010", atom.name.span, message);
        diagnostic.help = Some(match near {
            _ if alone && in_sight => {
                format!("variables begin with a capital: did you mean `{upper}`?")
            }
            Some(near) => format!("did you mean `{near}`?"),
            None if alone => format!("variables begin with a capital: did you mean `{upper}`?"),
            None => "the built-in words are in the manual, rules/README.md".to_string(),
        });
        let meant = match near {
            _ if alone && in_sight => Some(upper.as_str()),
            None if alone => Some(upper.as_str()),
            near => near,
        };
        diagnostic.remedy = meant.map(|meant| Box::new((atom.name.span, meant.to_string())));
        self.report(diagnostic);
    }
}

/// The name with a capital.
fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or(String::new(), |c| c.to_uppercase().chain(letters).collect())
}
