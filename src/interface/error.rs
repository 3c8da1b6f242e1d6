//! What can be wrong with what is asked.

use std::fmt;

use crate::language::{Diagnostic, Severity, Source, render};
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
    /// A rule file, or a goal, has errors.
    BadRules(Vec<Problem>),
    /// There is no such rule.
    NoRule(String),
    /// What is asked about is not in the puzzle.
    NoQuestion(String),
    /// A rule is for puzzles with one solution, and this one has none or several.
    NotUnique(String),
    /// There is no such layout, or no puzzle as it was asked for.
    NotMade(String),
    /// The search for a solution was given up.
    GivenUp,
}

/// One thing that is wrong with a rule file.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Problem {
    /// Its code: `E030`.
    pub code: &'static str,
    /// The line, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
    /// What is wrong, in a sentence.
    pub message: String,
    /// What to do about it, where that can be said.
    pub help: Option<String>,
    /// All of it with the line and carets, as `dokulog check` shows it.
    pub shown: String,
}

impl Problem {
    /// Those of the diagnostics that are errors.
    pub(super) fn all(diagnostics: &[Diagnostic], sources: &[Source]) -> Vec<Problem> {
        let errors = diagnostics.iter().filter(|one| one.severity == Severity::Error);
        let problem = |one: &Diagnostic| {
            let (line, column) = render::place(one, sources);
            Problem {
                code: one.code,
                line,
                column,
                message: one.message.clone(),
                help: one.help.clone(),
                shown: render::text(one, sources, false),
            }
        };
        errors.map(problem).collect()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Error::NoPuzzle { line: 0, message, .. } => f.write_str(message),
            Error::NoPuzzle { line, column: 0, message } => write!(f, "line {line}: {message}"),
            Error::NoPuzzle { line, column, message } => {
                write!(f, "line {line}, column {column}: {message}")
            }
            Error::BadRules(problems) => {
                f.write_str("the rules have errors\n")?;
                problems.iter().try_for_each(|problem| f.write_str(&problem.shown))
            }
            Error::NoRule(sentence)
            | Error::NoQuestion(sentence)
            | Error::NotUnique(sentence)
            | Error::NotMade(sentence) => f.write_str(sentence),
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
