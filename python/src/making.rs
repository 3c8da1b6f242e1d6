//! Puzzles that are made, by number, on several threads.

use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex};

use dokulog::{Error, Workshop};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::errors::raise;
use crate::puzzle::Puzzle;
use crate::waiting::{self, Pace, Shared, together};

/// A number, or the least and the most.
#[derive(FromPyObject)]
pub enum Span<T> {
    One(T),
    Both(T, T),
}

impl<T: Copy + PartialOrd + std::fmt::Display> Span<T> {
    /// As Rust has it.
    pub fn range(self) -> PyResult<RangeInclusive<T>> {
        let (from, to) = match self {
            Span::One(one) => (one, one),
            Span::Both(from, to) => (from, to),
        };
        match from > to {
            true => Err(PyValueError::new_err(format!("{from} is more than {to}"))),
            false => Ok(from..=to),
        }
    }
}

/// What the threads share.
struct Work {
    workshop: Workshop,
    made: Mutex<Vec<Option<Result<dokulog::Puzzle, Error>>>>,
}

impl Shared for Work {
    fn work(&self, pace: &Pace) {
        loop {
            let number = pace.take();
            let made = || self.made.lock().unwrap_or_else(|poison| poison.into_inner());
            if number >= made().len() || pace.is_stopped() {
                return;
            }
            let puzzle = self.workshop.puzzle(number as u64, &|| !pace.is_stopped()).transpose();
            // After one that cannot be made nobody wants the others.
            if matches!(puzzle, Some(Err(_))) {
                pace.stop();
            }
            made()[number] = puzzle;
            pace.add(1);
        }
    }
}

/// The first puzzles of a workshop.
pub fn run(
    py: Python<'_>,
    workshop: Workshop,
    count: usize,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Puzzle>> {
    let work = Arc::new(Work { workshop, made: Mutex::new(vec![None; count]) });
    together(py, &work, waiting::threads(threads)?.min(count), count, progress)?;
    let mut made = work.made.lock().unwrap_or_else(|poison| poison.into_inner());
    let mut failed = made.iter().flatten().filter_map(|made| made.as_ref().err());
    if let Some(error) = failed.next() {
        return Err(raise(py, error.clone()));
    }
    let puzzles: Option<Vec<Puzzle>> =
        made.drain(..).map(|made| Some(Puzzle { inner: made?.ok()? })).collect();
    puzzles.ok_or_else(|| PyRuntimeError::new_err("a thread ended with a panic"))
}
