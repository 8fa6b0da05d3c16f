//! The end of the interpreter while searches run on threads that it does not wait for.
//!
//! Such a thread must not ask a game any more: Python up to 3.13 ends a thread that comes back to the
//! interpreter then, by force, and Rust cannot be ended so.

use pyo3::exceptions::PySystemExit;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

static IS_ENDING: AtomicBool = AtomicBool::new(false);
static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// How long the interpreter waits for a method of a game.
const PATIENCE: Duration = Duration::from_secs(2);

/// A search, a match or a check that is running.
pub struct Running(());

impl Running {
    /// Begins to run, unless the interpreter is ending.
    pub fn begin() -> PyResult<Self> {
        RUNNING.fetch_add(1, Ordering::SeqCst);
        let running = Running(());
        check().map(|()| running)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Fails if the interpreter is ending.
#[inline]
pub fn check() -> PyResult<()> {
    match IS_ENDING.load(Ordering::Relaxed) {
        true => Err(PySystemExit::new_err(())),
        false => Ok(()),
    }
}

/// Ends all that is running, and waits for it. Called when the interpreter begins to end.
#[pyfunction]
pub fn end(py: Python<'_>) {
    IS_ENDING.store(true, Ordering::SeqCst);
    let begin = Instant::now();
    while RUNNING.load(Ordering::SeqCst) > 0 && begin.elapsed() < PATIENCE {
        py.detach(|| thread::sleep(Duration::from_millis(1)));
    }
}
