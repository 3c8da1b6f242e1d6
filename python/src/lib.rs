//! The engine for Python. Everything is decided in the crate `dokulog`; here are its puzzles,
//! rules and answers as Python sees them, and tables in and out through Arrow's C interface.

mod answers;
mod arrow;
mod errors;
mod making;
mod puzzle;
mod rules;
mod table;
mod waiting;

use pyo3::prelude::*;

/// The command `dokulog`, with the arguments of the process; gives the exit code.
#[pyfunction]
fn main(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| dokulog::command::run_with(arguments))
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<puzzle::Puzzle>()?;
    module.add_class::<rules::Rules>()?;
    module.add_class::<answers::Deduction>()?;
    module.add_class::<answers::Solution>()?;
    module.add_class::<answers::Rating>()?;
    module.add_class::<answers::Step>()?;
    module.add_class::<answers::Explanation>()?;
    module.add_class::<answers::Proof>()?;
    module.add_class::<answers::Reasons>()?;
    module.add_class::<table::Table>()?;
    module.add_class::<errors::Problem>()?;
    errors::add(py, module)?;
    module.add_function(wrap_pyfunction!(main, module)?)
}
