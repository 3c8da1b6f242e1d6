//! The answers.

use std::sync::Arc;

use dokulog::{Language, Outcome};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::errors::raise;
use crate::puzzle::Puzzle;

/// How a run of the rules ends, in a word.
pub fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Solved => "solved",
        Outcome::Stuck => "stuck",
        Outcome::Contradiction => "contradiction",
    }
}

fn puzzle(inner: &dokulog::Puzzle) -> Puzzle {
    Puzzle { inner: inner.clone() }
}

/// What the rules alone decide.
#[pyclass(frozen, module = "dokulog")]
pub struct Deduction(pub dokulog::Deduction);

#[pymethods]
impl Deduction {
    /// The puzzle as they leave it.
    #[getter]
    fn puzzle(&self) -> Puzzle {
        puzzle(&self.0.puzzle)
    }

    /// solved, stuck or contradiction.
    #[getter]
    fn outcome(&self) -> &'static str {
        word(self.0.outcome)
    }

    /// Rules that tried too much and were cut off: they may have had more to say.
    #[getter]
    fn cut_off(&self) -> Vec<String> {
        self.0.cut_off.clone()
    }

    fn __str__(&self) -> String {
        self.0.puzzle.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Deduction {} {}>", word(self.0.outcome), self.0.puzzle)
    }

    fn _repr_svg_(&self) -> String {
        self.0.puzzle.svg()
    }
}

/// Why a cell is what it is.
#[pyclass(frozen, module = "dokulog")]
pub struct Reasons(pub dokulog::Reasons);

#[pymethods]
impl Reasons {
    /// placed, given, excluded or undecided.
    #[getter]
    fn status(&self) -> &'static str {
        self.0.status
    }

    /// In a sentence.
    #[getter]
    fn sentence(&self) -> &str {
        &self.0.sentence
    }

    /// The steps of the explanation that it rests on, from 1.
    #[getter]
    fn steps(&self) -> Vec<usize> {
        self.0.steps.clone()
    }

    /// The sentence, and the steps as a tree.
    fn __str__(&self) -> &str {
        self.0.text.trim_end()
    }

    fn __repr__(&self) -> String {
        format!("<Reasons {}: {}>", self.0.status, self.0.sentence)
    }
}

/// The solutions of a puzzle.
#[pyclass(frozen, module = "dokulog")]
pub struct Solution(pub dokulog::Solution);

impl Solution {
    fn of(&self) -> (&'static str, Option<&dokulog::Puzzle>, Option<&dokulog::Puzzle>) {
        match &self.0 {
            dokulog::Solution::None => ("none", None, None),
            dokulog::Solution::One(one) => ("one", Some(one), None),
            dokulog::Solution::Several(first, second) => ("several", Some(first), Some(second)),
        }
    }
}

#[pymethods]
impl Solution {
    /// none, one or several.
    #[getter]
    fn outcome(&self) -> &'static str {
        self.of().0
    }

    /// The first solution.
    #[getter]
    fn puzzle(&self) -> Option<Puzzle> {
        self.of().1.map(puzzle)
    }

    /// Another one, where there are several.
    #[getter]
    fn other(&self) -> Option<Puzzle> {
        self.of().2.map(puzzle)
    }

    fn __str__(&self) -> String {
        self.of().1.map(ToString::to_string).unwrap_or_default()
    }

    fn __repr__(&self) -> String {
        format!("<Solution {} {}>", self.of().0, self.__str__())
    }

    fn _repr_svg_(&self) -> Option<String> {
        Some(self.of().1?.svg())
    }
}

/// How hard a puzzle is.
#[pyclass(frozen, module = "dokulog")]
pub struct Rating(pub dokulog::Difficulty);

#[pymethods]
impl Rating {
    /// easy, medium, hard, very hard, extreme; nothing if the rules do not solve it.
    #[getter]
    fn grade(&self) -> Option<&'static str> {
        self.0.grade.map(dokulog::Grade::name)
    }

    /// The hardest rule used.
    #[getter]
    fn hardest(&self) -> Option<&str> {
        self.0.hardest.as_deref()
    }

    /// The level of the hardest rule, a thousand times, and what it takes on that level.
    #[getter]
    fn score(&self) -> i64 {
        self.0.score
    }

    /// The steps.
    #[getter]
    fn steps(&self) -> usize {
        self.0.steps
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Rating {}>", self.0)
    }
}

type Candidates = Vec<(usize, usize, usize)>;

/// One step, and why it follows.
#[pyclass(frozen, module = "dokulog")]
pub struct Step(pub dokulog::Step);

#[pymethods]
impl Step {
    /// The rule with its parameter: naked_subset:2.
    #[getter]
    fn rule(&self) -> &str {
        &self.0.rule
    }

    /// What players call it.
    #[getter]
    fn title(&self) -> &str {
        &self.0.title
    }

    /// Why.
    #[getter]
    fn reason(&self) -> &str {
        &self.0.reason
    }

    /// The links of a chain, if it is one.
    #[getter]
    fn chain(&self) -> Vec<String> {
        self.0.chain.clone()
    }

    /// Digits placed: row, column and digit, from 1.
    #[getter]
    fn places(&self) -> Candidates {
        self.0.places.clone()
    }

    /// Candidates eliminated: row, column and digit, from 1.
    #[getter]
    fn eliminates(&self) -> Candidates {
        self.0.eliminates.clone()
    }

    /// The puzzle before the step.
    #[getter]
    fn before(&self) -> Puzzle {
        puzzle(&self.0.before)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Step {}>", self.0)
    }

    fn _repr_svg_(&self) -> String {
        self.0.svg()
    }
}

/// A run, step by step.
#[pyclass(frozen, sequence, module = "dokulog")]
pub struct Explanation {
    pub told: dokulog::Explanation,
    pub start: dokulog::Puzzle,
    pub language: Language,
    pub rules: Arc<dokulog::Rules>,
}

#[pymethods]
impl Explanation {
    /// The steps.
    #[getter]
    fn steps(&self) -> Vec<Step> {
        self.told.steps.iter().cloned().map(Step).collect()
    }

    /// solved, stuck or contradiction.
    #[getter]
    fn outcome(&self) -> &'static str {
        word(self.told.end.outcome)
    }

    /// The puzzle as the steps leave it.
    #[getter]
    fn end(&self) -> Puzzle {
        puzzle(&self.told.end.puzzle)
    }

    fn __len__(&self) -> usize {
        self.told.steps.len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<Step> {
        let count = self.told.steps.len();
        let place = if index < 0 { index + count as isize } else { index };
        let step = usize::try_from(place).ok().and_then(|place| self.told.steps.get(place));
        let none = || PyIndexError::new_err(format!("there are {count} steps"));
        step.cloned().map(Step).ok_or_else(none)
    }

    fn __str__(&self) -> String {
        self.told.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Explanation {} steps, {}>", self.told.steps.len(), self.outcome())
    }

    /// The run as one HTML page that needs nothing else: board, steps, forward and back.
    #[pyo3(signature = (title="Sudoku"))]
    fn page(&self, py: Python<'_>, title: &str) -> PyResult<String> {
        let page = self.rules.page(&self.start, title, self.language);
        page.map_err(|error| raise(py, error))
    }

    /// The page in a frame of its own, so that it meets nothing of the notebook's.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let page = self.page(py, "Sudoku")?.replace('&', "&amp;").replace('"', "&quot;");
        Ok(format!(
            "<iframe srcdoc=\"{page}\" style=\"width:100%;height:640px;border:0\" \
             title=\"Sudoku\"></iframe>"
        ))
    }
}

/// What the prover says of a rule, on 9×9.
#[pyclass(frozen, module = "dokulog")]
pub struct Proof(pub dokulog::Proof);

#[pymethods]
impl Proof {
    /// The rule with its parameter.
    #[getter]
    fn rule(&self) -> &str {
        &self.0.rule
    }

    /// Whether it is proved sound.
    #[getter]
    fn sound(&self) -> bool {
        self.0.verdict.is_proved()
    }

    /// The verdict in words: sound, unsound, not proved, never fires …
    #[getter]
    fn verdict(&self) -> String {
        self.0.verdict.in_words().to_string()
    }

    /// Why it was not proved.
    #[getter]
    fn reason(&self) -> &str {
        &self.0.reason
    }

    /// A puzzle on which it goes wrong, in words and with pencil marks.
    #[getter]
    fn counterexample(&self) -> Option<&str> {
        self.0.counterexample.as_deref()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Proof {}>", self.0)
    }
}
