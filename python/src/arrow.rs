//! Columns in and tables out through Arrow's C interface, which pyarrow, polars, pandas and DuckDB
//! speak: no row becomes a Python object. All of the crate's `unsafe` is here: the interface is
//! pointers in capsules, each with a name that says what it points to.

use std::ffi::CStr;

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator, StringArray, make_array};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use crate::puzzle::PuzzleLike;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// A column of puzzles, in the pieces in which it came.
pub struct Column {
    pub pieces: Vec<Texts>,
}

/// A piece of a column.
#[derive(Clone)]
pub struct Texts(ArrayRef);

impl Texts {
    fn new(array: ArrayRef) -> PyResult<Texts> {
        match array.data_type() {
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => {
                Ok(Texts(array))
            }
            DataType::Struct(fields) if fields.len() == 1 => {
                Texts::new(array.as_struct().column(0).clone())
            }
            DataType::Struct(fields) => Err(PyTypeError::new_err(format!(
                "this is a table of {} columns: give the one with the puzzles",
                fields.len()
            ))),
            other => Err(PyTypeError::new_err(format!("a column of texts is needed, not {other}"))),
        }
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// A row; nothing where there is none.
    #[inline]
    pub fn get(&self, row: usize) -> Option<&str> {
        if self.0.is_null(row) {
            return None;
        }
        match self.0.data_type() {
            DataType::Utf8 => Some(self.0.as_string::<i32>().value(row)),
            DataType::LargeUtf8 => Some(self.0.as_string::<i64>().value(row)),
            DataType::Utf8View => Some(self.0.as_string_view().value(row)),
            _ => None,
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for Column {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Column> {
        if object.hasattr("__arrow_c_stream__")? {
            return stream(&object.call_method0("__arrow_c_stream__")?);
        }
        if object.hasattr("__arrow_c_array__")? {
            let both = object.call_method0("__arrow_c_array__")?.cast_into::<PyTuple>()?;
            return Ok(Column { pieces: vec![array(&both)?] });
        }
        listed(&object)
    }
}

/// Any other iterable of texts, puzzles and `None`.
fn listed(object: &Bound<'_, PyAny>) -> PyResult<Column> {
    if object.extract::<PuzzleLike>().is_ok() {
        return Err(PyTypeError::new_err("this is one puzzle: give a column or a list of them"));
    }
    let text = |item: PyResult<Bound<'_, PyAny>>| {
        let item = item?;
        if item.is_none() {
            return Ok(None);
        }
        match item.extract::<PuzzleLike>() {
            Ok(PuzzleLike::Text(text)) => Ok(Some(text)),
            Ok(PuzzleLike::Puzzle(puzzle)) => Ok(Some(puzzle.inner.to_string())),
            Err(_) => Err(PyTypeError::new_err("puzzles are texts")),
        }
    };
    let texts: Vec<Option<String>> = object.try_iter()?.map(text).collect::<PyResult<_>>()?;
    Ok(Column { pieces: vec![Texts::new(std::sync::Arc::new(StringArray::from(texts)))?] })
}

fn wrong(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The pointer of a capsule, if it is named so.
fn pointer<T>(capsule: &Bound<'_, PyAny>, name: &'static CStr) -> PyResult<*mut T> {
    Ok(capsule.cast::<PyCapsule>()?.pointer_checked(Some(name))?.as_ptr().cast())
}

fn array(both: &Bound<'_, PyTuple>) -> PyResult<Texts> {
    let schema = pointer(&both.get_item(0)?, SCHEMA)?;
    let array = pointer(&both.get_item(1)?, ARRAY)?;
    // SAFETY: the capsules' names say what they point to; what is moved out is marked as released
    // there, so nothing is freed twice.
    let data = unsafe {
        let schema = FFI_ArrowSchema::from_raw(schema);
        from_ffi(FFI_ArrowArray::from_raw(array), &schema).map_err(wrong)?
    };
    Texts::new(make_array(data))
}

fn stream(capsule: &Bound<'_, PyAny>) -> PyResult<Column> {
    let pointer = pointer(capsule, STREAM)?;
    // SAFETY: the capsule's name says what it points to, and it is marked as released there.
    let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer) };
    let broken = || PyValueError::new_err("the Arrow stream is broken");
    let failed = |stream: &mut FFI_ArrowArrayStream| {
        let last = stream.get_last_error();
        // SAFETY: the stream is alive, and what it answers is a text until its next call.
        let text = last.map(|last| unsafe { last(stream) }).filter(|text| !text.is_null());
        let text = text.map(|text| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned());
        PyValueError::new_err(text.unwrap_or_else(|| "the Arrow stream failed".to_string()))
    };
    let (get_schema, get_next) =
        (stream.get_schema().ok_or_else(broken)?, stream.get_next().ok_or_else(broken)?);
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: both are alive for the call, which writes a schema.
    if unsafe { get_schema(&mut stream, &mut schema) } != 0 {
        return Err(failed(&mut stream));
    }
    let mut pieces = Vec::new();
    loop {
        let mut next = FFI_ArrowArray::empty();
        // SAFETY: both are alive for the call, which writes an array or leaves it released.
        if unsafe { get_next(&mut stream, &mut next) } != 0 {
            return Err(failed(&mut stream));
        }
        if next.is_released() {
            return Ok(Column { pieces });
        }
        // SAFETY: the stream promises arrays of its schema.
        let data = unsafe { from_ffi(next, &schema).map_err(wrong)? };
        pieces.push(Texts::new(make_array(data))?);
    }
}

/// A stream of batches for others to read.
pub fn give<'py>(
    py: Python<'py>,
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let reader = RecordBatchIterator::new(batches.into_iter().map(Ok), schema);
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), STREAM)
}

/// A schema for others to read.
pub fn give_schema<'py>(py: Python<'py>, schema: &SchemaRef) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema.as_ref()).map_err(wrong)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}
