//! Rules, and what can be asked of them.

use std::sync::Arc;

use dokulog::{Language, Order};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answers::{Deduction, Explanation, Proof, Rating, Reasons, Solution, Step};
use crate::arrow::Column;
use crate::errors::raise;
use crate::making::{self, Span};
use crate::puzzle::{Puzzle, PuzzleLike};
use crate::table::{self, Table, What};
use crate::waiting::patiently;

/// A set of rules: Rules.standard(), Rules.extended(), Rules.all(), Rules.load(text).
#[pyclass(frozen, module = "dokulog")]
pub struct Rules {
    pub inner: Arc<dokulog::Rules>,
    recipe: Recipe,
}

/// Calls by name, with their arguments.
type Steps = Vec<(String, Vec<String>)>;

/// How rules came about: enough to make them again elsewhere.
#[derive(Clone, Default)]
struct Recipe {
    base: String,
    steps: Steps,
}

impl Recipe {
    fn base(name: &str) -> Recipe {
        Recipe { base: name.to_string(), steps: Vec::new() }
    }

    fn then(&self, step: &str, arguments: Vec<String>) -> Recipe {
        let mut recipe = self.clone();
        recipe.steps.push((step.to_string(), arguments));
        recipe
    }
}

fn language(name: &str) -> PyResult<Language> {
    match name {
        "en" => Ok(Language::En),
        "fr" => Ok(Language::Fr),
        other => Err(PyValueError::new_err(format!("no language {other:?}: there are en and fr"))),
    }
}

impl Rules {
    fn made(
        py: Python<'_>,
        made: Result<dokulog::Rules, dokulog::Error>,
        recipe: Recipe,
    ) -> PyResult<Rules> {
        let inner = Arc::new(made.map_err(|error| raise(py, error))?);
        Ok(Rules { inner, recipe })
    }

    /// Asks for something that may take long.
    fn ask<T: Send + 'static>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&dokulog::Rules) -> Result<T, dokulog::Error> + Send + 'static,
    ) -> PyResult<T> {
        let rules = self.inner.clone();
        patiently(py, move || question(&rules))?.map_err(|error| raise(py, error))
    }
}

#[pymethods]
impl Rules {
    /// The bundled rules that people start with: singles, intersections, subsets.
    #[staticmethod]
    fn standard() -> Rules {
        Rules { inner: Arc::new(dokulog::Rules::standard()), recipe: Recipe::base("standard") }
    }

    /// Those, and the bundled rules that most players know.
    #[staticmethod]
    fn extended() -> Rules {
        Rules { inner: Arc::new(dokulog::Rules::extended()), recipe: Recipe::base("extended") }
    }

    /// All bundled rules: advanced and forcing ones, and those for puzzles with one solution, too.
    #[staticmethod]
    fn all() -> Rules {
        Rules { inner: Arc::new(dokulog::Rules::all()), recipe: Recipe::base("all") }
    }

    /// The rules of a rule file, whose text this is, and no others.
    #[staticmethod]
    fn load(py: Python<'_>, text: String) -> PyResult<Rules> {
        let made = text.parse();
        Rules::made(py, made, Recipe::base("load").then("text", vec![text]))
    }

    /// These and others: the text of a rule file; extended, advanced, forcing or all; or a bundled
    /// rule by its name.
    #[pyo3(signature = (*more))]
    fn with_(&self, py: Python<'_>, more: Vec<String>) -> PyResult<Rules> {
        let mut made: Option<dokulog::Rules> = None;
        for text in &more {
            let rules = made.as_ref().unwrap_or(&self.inner);
            let is_name = |c: char| c.is_ascii_alphanumeric() || "_:".contains(c);
            let next = match !text.is_empty() && text.chars().all(is_name) {
                true => rules.with_bundled(&[text]),
                false => rules.with(text),
            };
            made = Some(next.map_err(|error| raise(py, error))?);
        }
        let inner = made.map_or_else(|| self.inner.clone(), Arc::new);
        Ok(Rules { inner, recipe: self.recipe.then("with_", more) })
    }

    /// Some of these rules, by their names: naked_single, or naked_subset:2.
    #[pyo3(signature = (*names))]
    fn only(&self, py: Python<'_>, names: Vec<String>) -> PyResult<Rules> {
        let named: Vec<&str> = names.iter().map(String::as_str).collect();
        let made = self.inner.only(&named);
        Rules::made(py, made, self.recipe.then("only", names))
    }

    /// With those rules, too, that are for puzzles with one solution; others are then refused.
    fn assuming_unique(&self) -> Rules {
        let inner = Arc::new(self.inner.assuming_unique());
        Rules { inner, recipe: self.recipe.then("assuming_unique", Vec::new()) }
    }

    /// The rules by name, in the order in which they are tried.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.inner.names()
    }

    /// What the rules alone decide.
    fn deduce(&self, py: Python<'_>, puzzle: PuzzleLike<'_>) -> PyResult<Deduction> {
        let puzzle = puzzle.read(py)?;
        Ok(Deduction(self.ask(py, move |rules| rules.deduce(&puzzle))?))
    }

    /// The solution: by the rules, and a search of what they leave.
    fn solve(&self, py: Python<'_>, puzzle: PuzzleLike<'_>) -> PyResult<Solution> {
        let puzzle = puzzle.read(py)?;
        Ok(Solution(self.ask(py, move |rules| rules.solve(&puzzle))?))
    }

    /// How many solutions there are, counted up to a limit.
    #[pyo3(signature = (puzzle, limit=2))]
    fn count(&self, py: Python<'_>, puzzle: PuzzleLike<'_>, limit: usize) -> PyResult<usize> {
        let puzzle = puzzle.read(py)?;
        self.ask(py, move |_| puzzle.count(limit))
    }

    /// How hard a puzzle is for someone with these rules.
    fn rate(&self, py: Python<'_>, puzzle: PuzzleLike<'_>) -> PyResult<Rating> {
        let puzzle = puzzle.read(py)?;
        Ok(Rating(self.ask(py, move |rules| rules.rate(&puzzle))?))
    }

    /// Every step with its reason.
    #[pyo3(signature = (puzzle, lang="en"))]
    fn explain(slf: Bound<'_, Self>, puzzle: PuzzleLike<'_>, lang: &str) -> PyResult<Explanation> {
        let (py, language) = (slf.py(), language(lang)?);
        let puzzle = puzzle.read(py)?;
        let start = puzzle.clone();
        let told = slf.get().ask(py, move |rules| rules.explain_in(&puzzle, language))?;
        Ok(Explanation { told, start, language, rules: slf.get().inner.clone() })
    }

    /// The next step, if the rules know one.
    fn hint(&self, py: Python<'_>, puzzle: PuzzleLike<'_>) -> PyResult<Option<Step>> {
        let puzzle = puzzle.read(py)?;
        Ok(self.ask(py, move |rules| rules.hint(&puzzle))?.map(Step))
    }

    /// Why a cell is what it is, or is not: r5c2=4, r5c2!=4, or r5c2 alone.
    #[pyo3(signature = (puzzle, question, lang="en"))]
    fn why(
        &self,
        py: Python<'_>,
        puzzle: PuzzleLike<'_>,
        question: String,
        lang: &str,
    ) -> PyResult<Reasons> {
        let (puzzle, language) = (puzzle.read(py)?, language(lang)?);
        Ok(Reasons(self.ask(py, move |rules| rules.why(&puzzle, &question, language))?))
    }

    /// Every match of one rule on this very state: xy_wing, or naked_subset:2.
    fn fire(&self, py: Python<'_>, rule: String, puzzle: PuzzleLike<'_>) -> PyResult<Vec<Step>> {
        let puzzle = puzzle.read(py)?;
        let steps = self.ask(py, move |rules| rules.fire(&rule, &puzzle))?;
        Ok(steps.into_iter().map(Step).collect())
    }

    /// The answers to a goal on this very state, as Prolog's prompt gives them.
    #[pyo3(signature = (goal, puzzle, limit=1000))]
    fn query<'py>(
        &self,
        py: Python<'py>,
        goal: String,
        puzzle: PuzzleLike<'_>,
        limit: usize,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let puzzle = puzzle.read(py)?;
        let answers = self.ask(py, move |rules| rules.query(&goal, &puzzle, limit))?;
        let dict = |answer: Vec<(String, String)>| {
            let dict = PyDict::new(py);
            answer.into_iter().try_for_each(|(name, value)| dict.set_item(name, value))?;
            Ok(dict)
        };
        answers.into_iter().map(dict).collect()
    }

    /// Proves a rule on 9×9, or shows a puzzle on which it goes wrong; one answer for each value
    /// of its parameter.
    fn prove(&self, py: Python<'_>, rule: String) -> PyResult<Vec<Proof>> {
        let proofs = self.ask(py, move |rules| rules.prove(&rule))?;
        Ok(proofs.into_iter().map(Proof).collect())
    }

    /// Puzzles with one solution, as `dokulog generate` makes them; without clues none of their
    /// clues can go. clues and level are a number, or the least and the most.
    #[pyo3(signature = (
        count=1, *, seed=1, size=None, layout=None, clues=None, symmetry="none", requires=None,
        level=None, beyond_rules=false, add=false, solution=None, attempts=20_000, threads=None,
        progress=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "the options of the command")]
    fn generate(
        &self,
        py: Python<'_>,
        count: usize,
        seed: u64,
        size: Option<usize>,
        layout: Option<String>,
        clues: Option<Span<usize>>,
        symmetry: &str,
        requires: Option<String>,
        level: Option<Span<i64>>,
        beyond_rules: bool,
        add: bool,
        solution: Option<PuzzleLike<'_>>,
        attempts: u64,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Vec<Puzzle>> {
        let order = Order {
            seed,
            size,
            layout,
            clues: clues.map(Span::range).transpose()?,
            symmetry: symmetry.parse().map_err(|error| raise(py, error))?,
            requires,
            level: level.map(Span::range).transpose()?,
            beyond_rules,
            add,
            solution: solution.map(|full| full.read(py)).transpose()?,
            attempts,
        };
        let workshop = self.ask(py, move |rules| rules.workshop(&order))?;
        making::run(py, workshop, count, threads, progress)
    }

    /// What the rules alone decide of each puzzle of a column.
    #[pyo3(signature = (puzzles, *, candidates=false, threads=None, progress=None))]
    fn deduce_all(
        &self,
        puzzles: Column,
        candidates: bool,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
        py: Python<'_>,
    ) -> PyResult<Table> {
        table::run(py, &self.inner, puzzles, What::Deduce { candidates }, threads, progress)
    }

    /// The solution of each puzzle of a column.
    #[pyo3(signature = (puzzles, *, threads=None, progress=None))]
    fn solve_all(
        &self,
        puzzles: Column,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
        py: Python<'_>,
    ) -> PyResult<Table> {
        table::run(py, &self.inner, puzzles, What::Solve, threads, progress)
    }

    /// How many solutions each puzzle of a column has, counted up to a limit.
    #[pyo3(signature = (puzzles, *, limit=2, threads=None, progress=None))]
    fn count_all(
        &self,
        puzzles: Column,
        limit: usize,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
        py: Python<'_>,
    ) -> PyResult<Table> {
        table::run(py, &self.inner, puzzles, What::Count { limit }, threads, progress)
    }

    /// How hard each puzzle of a column is.
    #[pyo3(signature = (puzzles, *, threads=None, progress=None))]
    fn rate_all(
        &self,
        puzzles: Column,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
        py: Python<'_>,
    ) -> PyResult<Table> {
        table::run(py, &self.inner, puzzles, What::Rate, threads, progress)
    }

    fn __repr__(&self) -> String {
        let names = self.inner.names();
        match &names[..] {
            [] => "<Rules: none>".to_string(),
            [one] => format!("<Rules: {one}>"),
            [first, .., last] => format!("<Rules: {} from {first} to {last}>", names.len()),
        }
    }

    /// Rules travel as text, and are compiled where they arrive.
    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (String, Steps))> {
        let remake = py.import("dokulog._remake")?.getattr("remake")?.unbind();
        Ok((remake, (self.recipe.base.clone(), self.recipe.steps.clone())))
    }
}
