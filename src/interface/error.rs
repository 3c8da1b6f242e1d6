//! What can be wrong with what is asked.

use std::fmt;

use crate::search::NotUnique;
use crate::text::Fault;

use super::selector::NoRule;

/// Why there is no answer. A puzzle without a solution is an answer, not an error.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// A text is no puzzle.
    NoPuzzle {
        /// The line, from 1; 0 for the text as a whole.
        line: usize,
        /// The character of the line, from 1; 0 for the whole line.
        column: usize,
        /// What is wrong, in a sentence.
        message: String,
    },
    /// A rule file has errors: as `dokulog check` shows them, one after the other.
    BadRules(String),
    /// There is no such rule.
    NoRule(String),
    /// A rule is for puzzles with one solution, and this one has none or several.
    NotUnique(String),
    /// The search for a solution was given up.
    GivenUp,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Error::NoPuzzle { line: 0, message, .. } => f.write_str(message),
            Error::NoPuzzle { line, column: 0, message } => write!(f, "line {line}: {message}"),
            Error::NoPuzzle { line, column, message } => {
                write!(f, "line {line}, column {column}: {message}")
            }
            Error::BadRules(text) => write!(f, "the rules have errors\n{text}"),
            Error::NoRule(sentence) | Error::NotUnique(sentence) => f.write_str(sentence),
            Error::GivenUp => f.write_str("the search was given up"),
        }
    }
}

impl std::error::Error for Error {}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Error {
        let Fault { line, column, message, .. } = fault;
        Error::NoPuzzle { line, column, message }
    }
}

impl From<NotUnique> for Error {
    fn from(refusal: NotUnique) -> Error {
        Error::NotUnique(refusal.to_string())
    }
}

impl From<NoRule> for Error {
    fn from(refusal: NoRule) -> Error {
        Error::NoRule(refusal.to_string())
    }
}
