//! Puzzles.

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::errors::raise;
use crate::waiting::patiently;

/// A puzzle, or the state of one: digits that are placed, candidates elsewhere.
#[pyclass(frozen, eq, module = "dokulog")]
#[derive(Clone)]
pub struct Puzzle {
    pub inner: dokulog::Puzzle,
}

/// The same state; which digits were given does not matter.
impl PartialEq for Puzzle {
    fn eq(&self, other: &Puzzle) -> bool {
        self.inner.pencil_marks() == other.inner.pencil_marks()
    }
}

/// A puzzle, or a text that is one.
#[derive(FromPyObject)]
pub enum PuzzleLike<'py> {
    Puzzle(PyRef<'py, Puzzle>),
    Text(String),
}

impl PuzzleLike<'_> {
    pub fn read(&self, py: Python<'_>) -> PyResult<dokulog::Puzzle> {
        match self {
            PuzzleLike::Puzzle(puzzle) => Ok(puzzle.inner.clone()),
            PuzzleLike::Text(text) => text.parse().map_err(|error| raise(py, error)),
        }
    }
}

impl Puzzle {
    fn cell(&self, row: usize, column: usize) -> PyResult<(usize, usize)> {
        let size = self.inner.size();
        if (1..=size).contains(&row) && (1..=size).contains(&column) {
            return Ok((row, column));
        }
        Err(PyIndexError::new_err(format!("rows and columns go from 1 to {size}")))
    }
}

#[pymethods]
impl Puzzle {
    /// The first puzzle of a text in any form that is known; `layout` is the name of a bundled
    /// layout, or the text of a rule file that has one.
    #[new]
    #[pyo3(signature = (text, layout=None))]
    fn new(py: Python<'_>, text: &str, layout: Option<&str>) -> PyResult<Puzzle> {
        let first = match layout {
            None => text.parse(),
            Some(layout) => dokulog::Puzzle::read_for(text, layout)
                .and_then(|all| all.into_iter().next().unwrap_or_else(|| text.parse())),
        };
        Ok(Puzzle { inner: first.map_err(|error| raise(py, error))? })
    }

    /// All puzzles of a text in any form that is known.
    #[staticmethod]
    #[pyo3(signature = (text, layout=None))]
    fn read(py: Python<'_>, text: &str, layout: Option<&str>) -> PyResult<Vec<Puzzle>> {
        let items = match layout {
            None => dokulog::Puzzle::read(text),
            Some(layout) => dokulog::Puzzle::read_for(text, layout),
        };
        let puzzle = |item: Result<dokulog::Puzzle, dokulog::Error>| {
            Ok(Puzzle { inner: item.map_err(|error| raise(py, error))? })
        };
        items.map_err(|error| raise(py, error))?.into_iter().map(puzzle).collect()
    }

    /// A 9×9 puzzle with one solution, none of whose clues can go; the same for the same seed.
    /// Rules.generate makes others.
    #[staticmethod]
    #[pyo3(signature = (seed=1))]
    fn generate(py: Python<'_>, seed: u64) -> PyResult<Puzzle> {
        Ok(Puzzle { inner: patiently(py, move || dokulog::Puzzle::generate(seed))? })
    }

    /// Digits, cells a row.
    #[getter]
    fn size(&self) -> usize {
        self.inner.size()
    }

    /// The digit placed in a cell; row and column count from 1.
    fn digit(&self, row: usize, column: usize) -> PyResult<Option<usize>> {
        let (row, column) = self.cell(row, column)?;
        Ok(self.inner.digit(row, column))
    }

    /// The digits that are still possible in a cell; row and column count from 1.
    fn candidates(&self, row: usize, column: usize) -> PyResult<Vec<usize>> {
        let (row, column) = self.cell(row, column)?;
        Ok(self.inner.candidates(row, column))
    }

    /// Every digit of every cell, a dot where it is gone.
    #[getter]
    fn pencil_marks(&self) -> String {
        self.inner.pencil_marks()
    }

    /// Whether every cell is placed.
    #[getter]
    fn solved(&self) -> bool {
        self.inner.is_solved()
    }

    /// How many solutions there are, counted up to a limit.
    #[pyo3(signature = (limit=2))]
    fn count(&self, py: Python<'_>, limit: usize) -> PyResult<usize> {
        let puzzle = self.inner.clone();
        patiently(py, move || puzzle.count(limit))?.map_err(|error| raise(py, error))
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Puzzle('{}')", self.inner)
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.inner.pencil_marks().hash(&mut hasher);
        hasher.finish()
    }

    /// Pencil marks keep what was eliminated.
    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (String,))> {
        let class = py.get_type::<Puzzle>().into_any().unbind();
        Ok((class, (self.inner.pencil_marks(),)))
    }

    fn _repr_svg_(&self) -> String {
        self.inner.svg()
    }
}
