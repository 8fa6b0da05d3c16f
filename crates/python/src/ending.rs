//! What ends a search or a match from outside: Ctrl-C, what a function raised, and the end of the interpreter while
//! searches run on threads that it does not wait for.
//!
//! Such a thread must not ask a game any more: Python up to 3.13 ends a thread that comes back to the
//! interpreter then, by force, and Rust cannot be ended so.

use crate::failure::Hooks;
use crate::language::result_of;
use pyo3::exceptions::PySystemExit;
use pyo3::prelude::*;
use ramure::StopHandle;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

static IS_ENDING: AtomicBool = AtomicBool::new(false);
static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// How long the interpreter waits for a method of a game.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often work that runs without the interpreter is interrupted by a look for Ctrl-C.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

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

/// What may end some work from outside.
#[derive(Clone)]
pub struct Outside {
    pub stop: StopHandle,
    /// What states share that are written in Python.
    hooks: Option<Arc<Hooks>>,
    raised: Arc<Mutex<Option<PyErr>>>,
}

impl Outside {
    pub fn new(stop: StopHandle, hooks: Option<Arc<Hooks>>) -> Self {
        Outside { stop, hooks, raised: Arc::default() }
    }

    /// Keeps the first exception, and ends the work: no state in Python answers any more.
    pub fn raise(&self, py: Python<'_>, error: PyErr) {
        if let Some(hooks) = &self.hooks {
            hooks.keep(py, "an agent", error.clone_ref(py));
        }
        self.stop.stop();
        let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
        if raised.is_none() {
            *raised = Some(error);
        }
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
        if let Some(error) = self.raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(error);
        }
        let result = result.unwrap_or_else(|panic| resume_unwind(panic));
        result_of(py, self.hooks.as_ref(), Ok(result))
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
