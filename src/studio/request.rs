//! What can be asked.

use serde::{Deserialize, Serialize};

use crate::trace;

/// The version of what is written here. A page and an engine that differ say so.
pub(super) const VERSION: u32 = 1;

/// A request and its version.
#[derive(Deserialize)]
pub(super) struct Envelope {
    pub version: u32,
    #[serde(flatten)]
    pub request: Request,
}

/// A request, told apart by its field `ask`.
#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub(super) enum Request {
    /// The puzzles of a text in any layout.
    Read(Text),
    /// Candidates and clashes after the page's edits.
    State(Position),
    /// Which entries and marks go against the solution.
    Check(Checked),
    /// The next step, told in four degrees.
    Hint(Context),
    /// All steps.
    Steps(Context),
    /// Why a candidate is there or gone.
    Why(OfCandidate),
    /// What follows from a digit by singles alone.
    Suppose(OfCandidate),
    /// Where a rule fires on this board.
    Matches(OfRule),
    /// The condition at which a rule fails, and its closest match.
    WhyNot(OfRule),
    /// The answers to a goal.
    Query(Goal),
    /// All rules: names, titles, texts, verdicts that are known.
    Rules(Listing),
    /// What is wrong with a rule text, with remedies.
    Diagnostics(Edited),
    /// Its words, for colours.
    Tokens(Edited),
    /// What could stand at a place.
    Completion(At),
    /// What a word means.
    Hover(At),
    /// The text in its canonical layout.
    Format(Edited),
    /// Whether a rule with its parameter is sound.
    Prove(Proving),
    /// A puzzle, if one of a few attempts is as wanted.
    Generate(Wanted),
    /// How hard a board is.
    Rate(Context),
    /// The board before the first use of a rule, for print.
    Worksheet(OfRule),
}

/// A board as the page has it, one number a cell and 0 for none.
#[derive(Clone, Deserialize, Serialize)]
pub(super) struct Board {
    /// Digits, and cells a row.
    pub size: usize,
    pub givens: Vec<u8>,
    #[serde(default)]
    pub entries: Vec<u8>,
    /// Candidates taken away, as cell and digit.
    #[serde(default)]
    pub gone: Vec<(usize, u8)>,
}

/// Which rules.
#[derive(Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default)]
pub(super) struct Choice {
    /// Those that come with the program beyond the standard ones.
    pub extended: bool,
    /// Those that reason under hypotheses, too.
    pub forcing: bool,
    /// Those that assume one solution, too.
    pub unique: bool,
    /// The user's own, as text.
    pub text: String,
}

/// In which language answers are.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    #[default]
    En,
    Fr,
}

impl From<Language> for trace::Language {
    fn from(language: Language) -> trace::Language {
        match language {
            Language::En => trace::Language::En,
            Language::Fr => trace::Language::Fr,
        }
    }
}

#[derive(Deserialize)]
pub(super) struct Text {
    pub text: String,
}

#[derive(Deserialize)]
pub(super) struct Position {
    pub board: Board,
    #[serde(default)]
    pub language: Language,
}

#[derive(Deserialize)]
pub(super) struct Checked {
    pub board: Board,
    /// The user's pencil marks, a list of digits a cell; empty where there are none.
    #[serde(default)]
    pub marks: Vec<Vec<u8>>,
}

/// A board, rules and a language: what most requests are about.
#[derive(Deserialize)]
pub(super) struct Context {
    pub board: Board,
    #[serde(default)]
    pub rules: Choice,
    #[serde(default)]
    pub language: Language,
}

#[derive(Deserialize)]
pub(super) struct OfCandidate {
    #[serde(flatten)]
    pub context: Context,
    pub cell: usize,
    pub digit: u8,
}

#[derive(Deserialize)]
pub(super) struct OfRule {
    #[serde(flatten)]
    pub context: Context,
    /// By name, `naked_subset` or `naked_subset:2`.
    pub rule: String,
}

#[derive(Deserialize)]
pub(super) struct Goal {
    #[serde(flatten)]
    pub context: Context,
    pub goal: String,
}

#[derive(Deserialize)]
pub(super) struct Listing {
    #[serde(default)]
    pub rules: Choice,
    #[serde(default)]
    pub language: Language,
}

#[derive(Deserialize)]
pub(super) struct Edited {
    pub text: String,
}

#[derive(Deserialize)]
pub(super) struct At {
    pub text: String,
    /// Counted as the page counts, in units of UTF-16.
    pub offset: usize,
}

#[derive(Deserialize)]
pub(super) struct Proving {
    #[serde(default)]
    pub rules: Choice,
    #[serde(default)]
    pub language: Language,
    /// An instance, `naked_subset:2`.
    pub rule: String,
}

#[derive(Deserialize)]
pub(super) struct Wanted {
    #[serde(default = "nine")]
    pub size: usize,
    pub seed: u64,
    /// Which attempts: so many from this one on.
    #[serde(default)]
    pub from: u64,
    #[serde(default = "few")]
    pub attempts: u64,
    /// The grade, in words: `hard`. Any if it is left out.
    #[serde(default)]
    pub grade: Option<String>,
    #[serde(default)]
    pub rules: Choice,
}

fn nine() -> usize {
    9
}

fn few() -> u64 {
    20
}
