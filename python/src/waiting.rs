//! Work that may take long: other Python threads go on, and Ctrl-C is heard.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
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
    let result = Mutex::new(result);
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

/// Work in pieces that threads share. After Ctrl-C no thread takes another piece.
pub trait Shared: Send + Sync + 'static {
    /// Takes pieces until none is left, or it is stopped.
    fn work(&self, pace: &Pace);
}

/// How far the threads are.
#[derive(Default)]
pub struct Pace {
    next: AtomicUsize,
    done: AtomicUsize,
    stopped: AtomicBool,
}

impl Pace {
    /// The number of the next piece.
    pub fn take(&self) -> usize {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// So many more are done, in what the bar counts.
    pub fn add(&self, count: usize) {
        self.done.fetch_add(count, Ordering::Relaxed);
    }

    /// Whether nobody waits any more.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Nobody waits any more.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
}

/// How many threads are meant.
pub fn threads(asked: Option<usize>) -> PyResult<usize> {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    match asked {
        Some(0) => Err(PyValueError::new_err("threads: at least 1")),
        asked => Ok(asked.unwrap_or(cores).min(1024)),
    }
}

/// Starts the threads, shows how far they are, and listens for Ctrl-C while they work.
pub fn together(
    py: Python<'_>,
    work: &Arc<impl Shared>,
    threads: usize,
    total: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<()> {
    let pace = Arc::new(Pace::default());
    let bar = py.import("dokulog._progress")?.call_method1("bar", (progress, total))?;
    let (ended, ends) = channel::<()>();
    let mut begun = 0;
    for _ in 0..threads {
        let (work, pace, ended) = (work.clone(), pace.clone(), ended.clone());
        let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(move || {
            work.work(&pace);
            drop(ended);
        });
        // Fewer threads do it, too.
        begun += usize::from(thread.is_ok());
    }
    drop(ended);
    if begun == 0 {
        py.detach(|| work.work(&pace));
    }
    let ends = Mutex::new(ends);
    let heard = loop {
        let tick = py.detach(|| match ends.lock() {
            Ok(ends) => ends.recv_timeout(TICK),
            Err(poison) => poison.into_inner().recv_timeout(TICK),
        });
        if tick == Err(RecvTimeoutError::Disconnected) {
            break Ok(());
        }
        let done = pace.done.load(Ordering::Relaxed);
        if let Err(error) = py.check_signals().and_then(|()| bar.call_method1("update", (done,))) {
            pace.stop();
            break Err(error);
        }
    };
    bar.call_method0("close")?;
    heard
}
