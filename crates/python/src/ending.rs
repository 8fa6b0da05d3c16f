//! Ends of a search or a match from outside: Ctrl-C, an exception of a function, and the end of the interpreter while
//! searches run on threads that it does not wait for.
//!
//! Such a thread must not ask a game any more: Python up to 3.13 ends a thread that comes back to the
//! interpreter then, by force, and Rust cannot be ended so.

use crate::failure::{Kept, result_of};
use pyo3::exceptions::PySystemExit;
use pyo3::prelude::*;
use ramure::StopHandle;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::{Duration, Instant};

static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// A token of which everything that runs has a copy.
static RUNNING: LazyLock<Arc<()>> = LazyLock::new(Arc::default);

/// How long the interpreter waits for a method of a game.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often work that runs without the interpreter is interrupted by a look for Ctrl-C.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Returns what a search, a match or a check holds while it runs. Fails if the interpreter is ending.
pub fn running() -> PyResult<Arc<()>> {
    let running = Arc::clone(&RUNNING);
    check().map(|()| running)
}

/// Fails if the interpreter is ending.
#[inline]
pub fn check() -> PyResult<()> {
    if IS_ENDING.load(Ordering::Relaxed) { Err(PySystemExit::new_err(())) } else { Ok(()) }
}

/// The causes that may end some work from outside.
#[derive(Clone, Default)]
pub struct Outside {
    pub stop: StopHandle,
    /// The failure of states that are written in Python: after an exception, none of them answers any more.
    pub kept: Kept,
}

impl Outside {
    /// Ends the work, and keeps why.
    pub fn raise(&self, py: Python<'_>, error: PyErr) {
        self.kept.keep(py, None, error, false);
        self.stop.stop();
    }

    /// Calls `work` on another thread, while this one looks for Ctrl-C.
    pub fn watch<T: Send>(&self, py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
        let result = py.detach(|| {
            thread::scope(|scope| {
                let (sender, receiver) = channel::<()>();
                let worker = scope.spawn(move || {
                    let _sender = sender; // is dropped when the work has ended
                    work()
                });
                while let Err(RecvTimeoutError::Timeout) = receiver.recv_timeout(BETWEEN_LOOKS) {
                    let looked = Python::try_attach(|py| {
                        check()
                            .and_then(|()| py.check_signals())
                            .unwrap_or_else(|error| self.raise(py, error));
                    });
                    if looked.is_none() {
                        self.stop.stop(); // At the end of the interpreter, nobody waits for the result.
                    }
                }
                worker.join()
            })
        });
        result_of(py, &self.kept, Ok(()))?;
        Ok(result.unwrap_or_else(|panic| resume_unwind(panic)))
    }
}

/// Ends all that is running, and waits for it. Called when the interpreter begins to end.
#[pyfunction]
pub fn end(py: Python<'_>) {
    IS_ENDING.store(true, Ordering::SeqCst);
    let begin = Instant::now();
    while Arc::strong_count(&RUNNING) > 1 && begin.elapsed() < PATIENCE {
        py.detach(|| thread::sleep(Duration::from_millis(1)));
    }
}
