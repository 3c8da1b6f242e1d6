//! What can be wrong, as exceptions: the same messages, with their places as attributes.

use dokulog::Error;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(dokulog, DokulogError, PyValueError, "What is asked has no answer.");
create_exception!(dokulog, PuzzleError, DokulogError, "A text is no puzzle: see line, column.");
create_exception!(dokulog, RulesError, DokulogError, "Rules have errors: see problems.");
create_exception!(dokulog, UnknownRule, DokulogError, "There is no such rule.");
create_exception!(dokulog, NotUnique, DokulogError, "The rules are for puzzles with one solution.");
create_exception!(dokulog, NotMade, DokulogError, "There is no puzzle, or layout, as asked for.");
create_exception!(dokulog, GivenUp, DokulogError, "It would take too long.");

/// Puts them into the module.
pub fn add(py: Python<'_>, module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("DokulogError", py.get_type::<DokulogError>())?;
    module.add("PuzzleError", py.get_type::<PuzzleError>())?;
    module.add("RulesError", py.get_type::<RulesError>())?;
    module.add("UnknownRule", py.get_type::<UnknownRule>())?;
    module.add("NotUnique", py.get_type::<NotUnique>())?;
    module.add("NotMade", py.get_type::<NotMade>())?;
    module.add("GivenUp", py.get_type::<GivenUp>())
}

/// The exception for an error.
pub fn raise(py: Python<'_>, error: Error) -> PyErr {
    let message = error.to_string().trim_end().to_string();
    let with = |exception: PyErr, members: &[(&str, Py<PyAny>)]| {
        let value = exception.value(py);
        let set = members.iter().try_for_each(|(name, member)| value.setattr(*name, member));
        set.map_or_else(|failed| failed, |()| exception.clone_ref(py))
    };
    match error {
        Error::NoPuzzle { line, column, .. } => {
            let number = |n: usize| match n {
                0 => py.None(),
                n => n.into_pyobject(py).map_or_else(|_| py.None(), |n| n.into_any().unbind()),
            };
            let members = [("line", number(line)), ("column", number(column))];
            with(PuzzleError::new_err(message), &members)
        }
        Error::BadRules(problems) => {
            let problems: Vec<Problem> = problems.into_iter().map(Problem).collect();
            match problems.into_pyobject(py) {
                Ok(list) => with(RulesError::new_err(message), &[("problems", list.unbind())]),
                Err(failed) => failed,
            }
        }
        Error::NoRule(_) => UnknownRule::new_err(message),
        Error::NotUnique(_) => NotUnique::new_err(message),
        Error::NotMade(_) => NotMade::new_err(message),
        Error::GivenUp => GivenUp::new_err(message),
        _ => DokulogError::new_err(message),
    }
}

/// One thing that is wrong with a rule file.
#[pyclass(frozen, module = "dokulog")]
pub struct Problem(dokulog::Problem);

#[pymethods]
impl Problem {
    /// Its code: E030.
    #[getter]
    fn code(&self) -> &'static str {
        self.0.code
    }

    /// The line, from 1.
    #[getter]
    fn line(&self) -> usize {
        self.0.line
    }

    /// The character of the line, from 1.
    #[getter]
    fn column(&self) -> usize {
        self.0.column
    }

    /// What is wrong, in a sentence.
    #[getter]
    fn message(&self) -> &str {
        &self.0.message
    }

    /// What to do about it, where that can be said.
    #[getter]
    fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    fn __str__(&self) -> &str {
        self.0.shown.trim_end()
    }

    fn __repr__(&self) -> String {
        let problem = &self.0;
        format!(
            "<Problem {} {}:{} {}>",
            problem.code, problem.line, problem.column, problem.message
        )
    }
}
