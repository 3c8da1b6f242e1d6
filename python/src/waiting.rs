//! Work that may take long: other Python threads go on, and Ctrl-C is heard.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How often Python is asked whether someone pressed Ctrl-C.
pub const TICK: Duration = Duration::from_millis(50);

/// Does something on a thread of its own, and listens for Ctrl-C meanwhile. The thread of an
/// interrupted call ends by its budget, unseen.
pub fn patiently<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (done, result) = channel();
    let begun = std::thread::Builder::new().stack_size(64 << 20).spawn(move || {
        // Nobody listens any more after Ctrl-C.
        let _ = done.send(work());
    });
    begun.map_err(|error| PyRuntimeError::new_err(format!("no thread: {error}")))?;
    let result = std::sync::Mutex::new(result);
    loop {
        let got = py.detach(|| match result.lock() {
            Ok(result) => result.recv_timeout(TICK),
            Err(poisoned) => poisoned.into_inner().recv_timeout(TICK),
        });
        match got {
            Ok(value) => return Ok(value),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the work ended with a panic"));
            }
        }
    }
}
