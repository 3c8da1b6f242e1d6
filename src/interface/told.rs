//! The answers.

use std::fmt;

use crate::board::Candidate;
use crate::language::RuleSet;
use crate::proof::Verdict;
use crate::trace::{
    self, Caption, Grade, Language, Marks, Picture, Speaker, ToldStep, Words, counted,
};

use super::puzzle::Puzzle;

/// How a run of the rules ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Every cell is placed.
    Solved,
    /// No rule has anything left to say.
    Stuck,
    /// There is no solution.
    Contradiction,
}

impl From<trace::Outcome> for Outcome {
    fn from(outcome: trace::Outcome) -> Outcome {
        match outcome {
            trace::Outcome::Solved => Outcome::Solved,
            trace::Outcome::Stuck => Outcome::Stuck,
            trace::Outcome::Contradiction { .. } => Outcome::Contradiction,
        }
    }
}

/// What the rules alone decide.
#[derive(Clone, PartialEq, Debug)]
pub struct Deduction {
    /// The puzzle as they leave it.
    pub puzzle: Puzzle,
    /// How it ended.
    pub outcome: Outcome,
    /// Rules that tried too much and were cut off: they may have had more to say.
    pub cut_off: Vec<String>,
}

/// The solutions of a puzzle.
#[derive(Clone, PartialEq, Debug)]
pub enum Solution {
    /// There is none.
    None,
    /// There is one.
    One(Puzzle),
    /// There are several; here are two.
    Several(Puzzle, Puzzle),
}

impl Solution {
    /// A solution, if there is one.
    pub fn first(&self) -> Option<&Puzzle> {
        match self {
            Solution::None => None,
            Solution::One(first) | Solution::Several(first, _) => Some(first),
        }
    }
}

/// Why a cell is what it is.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Reasons {
    /// In a word: `placed`, `given`, `excluded`, or `undecided` by the rules.
    pub status: &'static str,
    /// In a sentence.
    pub sentence: String,
    /// The steps of the explanation that it rests on, from 1, the last one at the end.
    pub steps: Vec<usize>,
    /// The sentence, and the steps as a tree.
    pub text: String,
}

/// One step, and why it follows.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Step {
    /// The rule with its parameter: `naked_subset:2`.
    pub rule: String,
    /// What players call it: `Naked pair`.
    pub title: String,
    /// Why, without a full stop.
    pub reason: String,
    /// The links of a chain, if it is one.
    pub chain: Vec<String>,
    /// Digits placed: row, column and digit, from 1.
    pub places: Vec<(usize, usize, usize)>,
    /// Candidates eliminated: row, column and digit, from 1.
    pub eliminates: Vec<(usize, usize, usize)>,
    /// The puzzle before the step.
    pub before: Puzzle,
    sentence: String,
    marks: Marks,
    language: Language,
}

impl Step {
    pub(super) fn new(speaker: &Speaker, told_step: &ToldStep) -> Step {
        let ToldStep { before, account } = told_step;
        let layout = before.layout();
        let named = |all: &[Candidate]| {
            let one = |Candidate { cell, digit }: &Candidate| {
                (layout.row_index(*cell) + 1, layout.column_index(*cell) + 1, digit.number())
            };
            all.iter().map(one).collect()
        };
        Step {
            rule: speaker.rules.instances()[account.found.instance].name.clone(),
            title: speaker.title(account.found.instance),
            reason: speaker.reason(account, before),
            chain: speaker.chain(account, before),
            places: named(&account.found.conclusion.places),
            eliminates: named(&account.found.conclusion.eliminates),
            before: Puzzle { grid: before.clone() },
            sentence: speaker.sentence(account, before),
            marks: Marks::of(speaker.rules, account, before),
            language: speaker.words.language,
        }
    }

    /// The puzzle before the step with the pattern marked, and the words below, as SVG.
    pub fn svg(&self) -> String {
        let text = self.sentence.strip_prefix(&self.title).unwrap_or(&self.sentence);
        let text = text.trim_start_matches([' ', ':', '\u{a0}', '\u{202f}']).to_string();
        let caption = Caption { heading: self.title.clone(), text };
        let layout = self.before.grid.layout().clone();
        let words = Words { language: self.language, ..Words::plain(layout) };
        Picture::new(&words).svg(&self.before.grid, &self.marks, &caption)
    }
}

/// Title, reason and effect.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

/// A run, step by step.
#[derive(Clone, PartialEq, Debug)]
pub struct Explanation {
    /// The steps.
    pub steps: Vec<Step>,
    /// What they come to.
    pub end: Deduction,
}

/// A line a step.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        (1..).zip(&self.steps).try_for_each(|(number, step)| writeln!(f, "{number}. {step}"))
    }
}

/// How hard a puzzle is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difficulty {
    /// That of the hardest rule needed; nothing if these rules do not solve it.
    pub grade: Option<Grade>,
    /// The hardest rule used.
    pub hardest: Option<String>,
    /// The level of the hardest rule, a thousand times, and what it takes on that level.
    pub score: i64,
    /// The steps.
    pub steps: usize,
}

impl fmt::Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let grade = self.grade.map_or("beyond these rules", Grade::name);
        let hardest = self.hardest.as_deref().unwrap_or("no rule needed");
        let steps = counted(self.steps, "step", "steps");
        write!(f, "{grade}; {hardest}; score {}; {steps}", self.score)
    }
}

/// What the prover says of a rule, on 9×9.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The rule with its parameter.
    pub rule: String,
    /// Whether it is sound.
    pub verdict: Verdict,
    /// Why it was not proved; empty where it was.
    pub reason: String,
    /// A puzzle on which it goes wrong, in words and with pencil marks.
    pub counterexample: Option<String>,
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.rule, self.verdict.in_words())
    }
}

/// The names of instances.
pub(super) fn names(rules: &RuleSet, instances: &[usize]) -> Vec<String> {
    instances.iter().map(|&i| rules.instances()[i].name.clone()).collect()
}
