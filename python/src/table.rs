//! A column of puzzles in, columns of answers out, in the same order whatever the threads. A row
//! that is no puzzle becomes nulls and a reason.

use std::sync::{Arc, Mutex};

use arrow_array::builder::{BooleanBuilder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use dokulog::{Batch, Error, Outcome};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::answers::word;
use crate::arrow::{self, Column, Texts};
use crate::waiting::{self, Pace, Shared, together};

/// Rows that a thread takes at once.
const BLOCK: usize = 1024;

/// What is asked of each puzzle.
#[derive(Clone, Copy)]
pub enum What {
    Deduce { candidates: bool },
    Solve,
    Count { limit: usize },
    Rate,
}

impl What {
    fn schema(self) -> SchemaRef {
        use DataType::{Boolean, Int64, Utf8};
        let mut fields = match self {
            What::Deduce { .. } => vec![("outcome", Utf8), ("digits", Utf8), ("hardest", Utf8)],
            What::Solve => vec![("outcome", Utf8), ("digits", Utf8), ("by_rules", Boolean)],
            What::Count { .. } => vec![("count", Int64)],
            What::Rate => {
                vec![("outcome", Utf8), ("hardest", Utf8), ("score", Int64), ("steps", Int64)]
            }
        };
        if let What::Deduce { candidates: true } = self {
            fields.insert(2, ("candidates", Utf8));
        }
        fields.push(("reason", Utf8));
        let fields: Vec<Field> =
            fields.into_iter().map(|(name, kind)| Field::new(name, kind, true)).collect();
        Arc::new(Schema::new(fields))
    }
}

/// Columns of answers; pyarrow, polars, pandas and DuckDB read it as it is.
#[pyclass(frozen, module = "dokulog")]
pub struct Table {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A reader may ask for other types; the interface lets us give our own.
        let _ = requested_schema;
        arrow::give(py, self.schema.clone(), self.batches.clone())
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::give_schema(py, &self.schema)
    }

    /// As a table of pyarrow.
    fn to_arrow(slf: Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        Ok(slf.py().import("pyarrow")?.call_method1("table", (&slf,))?.unbind())
    }

    /// As a data frame of polars.
    fn to_polars(slf: Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        Ok(slf.py().import("polars")?.call_method1("DataFrame", (&slf,))?.unbind())
    }

    /// As a data frame of pandas.
    fn to_pandas(slf: Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        let table = slf.py().import("pyarrow")?.call_method1("table", (&slf,))?;
        Ok(table.call_method0("to_pandas")?.unbind())
    }

    fn __repr__(&self) -> String {
        format!("<Table of {} rows: {}>", self.__len__(), self.column_names().join(", "))
    }
}

/// What the threads share.
struct Work {
    rules: Arc<dokulog::Rules>,
    what: What,
    schema: SchemaRef,
    /// Each is a piece of the column, the first row and one past the last.
    blocks: Vec<(Texts, usize, usize)>,
    done: Mutex<Vec<Option<RecordBatch>>>,
}

/// Answers for a whole column.
pub fn run(
    py: Python<'_>,
    rules: &Arc<dokulog::Rules>,
    column: Column,
    what: What,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Table> {
    let threads = waiting::threads(threads)?;
    let mut blocks = Vec::new();
    for piece in &column.pieces {
        for from in (0..piece.len()).step_by(BLOCK) {
            blocks.push((piece.clone(), from, piece.len().min(from + BLOCK)));
        }
    }
    let total: usize = column.pieces.iter().map(Texts::len).sum();
    let work = Arc::new(Work {
        rules: rules.clone(),
        what,
        schema: what.schema(),
        done: Mutex::new(vec![None; blocks.len()]),
        blocks,
    });
    together(py, &work, threads.min(work.blocks.len()), total, progress)?;
    let mut done = work.done.lock().unwrap_or_else(|poison| poison.into_inner());
    let batches: Option<Vec<RecordBatch>> = done.drain(..).collect();
    let batches = batches.ok_or_else(|| PyRuntimeError::new_err("a thread ended with a panic"))?;
    Ok(Table { schema: work.schema.clone(), batches })
}

impl Shared for Work {
    fn work(&self, pace: &Pace) {
        let mut batch = self.rules.batch();
        loop {
            let block = pace.take();
            let Some((texts, from, to)) = self.blocks.get(block) else { return };
            if pace.is_stopped() {
                return;
            }
            let columns = self.columns(&mut batch, texts, *from..*to);
            let Ok(answer) = RecordBatch::try_new(self.schema.clone(), columns) else { return };
            self.done.lock().unwrap_or_else(|poison| poison.into_inner())[block] = Some(answer);
            pace.add(to - from);
        }
    }
}

impl Work {
    fn columns(
        &self,
        batch: &mut Batch,
        texts: &Texts,
        rows: std::ops::Range<usize>,
    ) -> Vec<ArrayRef> {
        let mut answers = Answers::new(rows.len());
        for row in rows {
            let asked = texts.get(row).map(|text| answers.put(self.what, batch, text));
            let reason = match asked {
                Some(Ok(())) => None,
                Some(Err(error)) => Some(error.to_string()),
                None => Some("there is nothing in this row".to_string()),
            };
            if reason.is_some() {
                answers.put_nothing();
            }
            answers.reason.append_option(reason);
        }
        answers.finish(self.what)
    }
}

/// The columns of a block while they grow.
struct Answers {
    outcome: StringBuilder,
    digits: StringBuilder,
    candidates: StringBuilder,
    hardest: StringBuilder,
    by_rules: BooleanBuilder,
    score: Int64Builder,
    steps: Int64Builder,
    reason: StringBuilder,
}

impl Answers {
    fn new(rows: usize) -> Answers {
        Answers {
            outcome: StringBuilder::with_capacity(rows, 8 * rows),
            digits: StringBuilder::with_capacity(rows, 81 * rows),
            candidates: StringBuilder::new(),
            hardest: StringBuilder::with_capacity(rows, 16 * rows),
            by_rules: BooleanBuilder::new(),
            score: Int64Builder::new(),
            steps: Int64Builder::new(),
            reason: StringBuilder::new(),
        }
    }

    #[inline]
    fn put(&mut self, what: What, batch: &mut Batch, text: &str) -> Result<(), Error> {
        match what {
            What::Deduce { candidates } => {
                let row = batch.deduce(text, candidates)?;
                let contradicts = row.outcome == Outcome::Contradiction;
                self.outcome.append_value(word(row.outcome));
                self.digits.append_option((!contradicts).then_some(row.digits));
                self.candidates.append_option((!contradicts).then_some(row.candidates));
                self.hardest.append_option(row.hardest);
            }
            What::Solve => {
                let row = batch.solve(text)?;
                self.outcome.append_value(["none", "one", "several"][row.solutions.min(2)]);
                self.digits.append_option((row.solutions > 0).then_some(row.digits));
                self.by_rules.append_value(row.by_rules);
            }
            What::Count { limit } => {
                self.score.append_value(batch.count(text, limit)? as i64);
            }
            What::Rate => {
                let row = batch.rate(text)?;
                self.outcome.append_value(word(row.outcome));
                self.hardest.append_option(row.hardest);
                self.score.append_value(row.score);
                self.steps.append_value(row.steps as i64);
            }
        }
        Ok(())
    }

    fn put_nothing(&mut self) {
        self.outcome.append_null();
        self.digits.append_null();
        self.candidates.append_null();
        self.hardest.append_null();
        self.by_rules.append_null();
        self.score.append_null();
        self.steps.append_null();
    }

    fn finish(mut self, what: What) -> Vec<ArrayRef> {
        let texts = |builder: &mut StringBuilder| -> ArrayRef { Arc::new(builder.finish()) };
        let numbers = |builder: &mut Int64Builder| -> ArrayRef { Arc::new(builder.finish()) };
        let mut columns = match what {
            What::Deduce { candidates } => {
                let mut columns = vec![texts(&mut self.outcome), texts(&mut self.digits)];
                if candidates {
                    columns.push(texts(&mut self.candidates));
                }
                columns.push(texts(&mut self.hardest));
                columns
            }
            What::Solve => vec![
                texts(&mut self.outcome),
                texts(&mut self.digits),
                Arc::new(self.by_rules.finish()) as ArrayRef,
            ],
            What::Count { .. } => vec![numbers(&mut self.score)],
            What::Rate => vec![
                texts(&mut self.outcome),
                texts(&mut self.hardest),
                numbers(&mut self.score),
                numbers(&mut self.steps),
            ],
        };
        columns.push(texts(&mut self.reason));
        columns
    }
}
