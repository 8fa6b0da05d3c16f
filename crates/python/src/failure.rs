//! Exceptions of a game, an agent or a network, and the errors of searches as exceptions.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;
use ramure::GameFault;
use ramure::SearchError::{Belief, Failed, Game};
use std::error::Error;
use std::fmt::Display;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

create_exception!(ramure, SearchError, PyException, "A search, or a game that it searched, failed.");
create_exception!(
    ramure,
    BeliefError,
    SearchError,
    "No state of a belief explains an observation, or a likelihood is wrong."
);

/// The name of a method that the crate calls.
pub type Hook = &'static str;

/// An exception that ends a search, a match or a check.
pub struct Failure {
    /// The method that raised it. `None` if it is raised as it is: it ends the program and not only the search, such
    /// as `KeyboardInterrupt`, comes from an agent, or says what is wrong with a file.
    pub hook: Option<Hook>,
    pub error: PyErr,
}

impl Failure {
    fn new(py: Python<'_>, hook: Option<Hook>, error: PyErr) -> Self {
        Failure { hook: hook.filter(|_| error.is_instance_of::<PyException>(py)), error }
    }

    /// Returns the exception as a traceback prints it last, as in `ValueError: too late`, after what raised it.
    fn text(&self, py: Python<'_>) -> String {
        let kind = self.error.get_type(py).name();
        let kind = kind.map_or_else(|_| "an exception".into(), |name| name.to_string());
        let text = self.error.value(py).str().map_or_else(|_| String::new(), |text| text.to_string());
        let raised = self.hook.map_or_else(String::new, |hook| format!("`{hook}` raised "));
        let colon = if text.is_empty() { "" } else { ": " };
        format!("{raised}{kind}{colon}{text}")
    }
}

/// The exception that ends a search, a match or a check, until Python hears of it.
#[derive(Clone, Default)]
pub struct Kept(Arc<Mutex<Option<Failure>>>);

impl Kept {
    fn lock(&self) -> MutexGuard<'_, Option<Failure>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what `hook` raised: the first exception, or the last one if `is_last` says so, or the first that is
    /// raised as it is. Returns its text.
    pub fn keep(&self, py: Python<'_>, hook: Option<Hook>, error: PyErr, is_last: bool) -> String {
        let failure = Failure::new(py, hook, error);
        let text = failure.text(py);
        let mut kept = self.lock();
        let replaces = |kept: &Failure| kept.hook.is_some() && (is_last || failure.hook.is_none());
        if kept.as_ref().is_none_or(replaces) {
            let before = kept.replace(failure);
            drop(kept); // Another thread, which a finalizer lets run, may wait for it with the interpreter.
            drop(before);
        }
        text
    }

    /// Returns whether something was raised that is not forgotten.
    pub fn has_failed(&self) -> bool {
        self.lock().is_some()
    }

    /// Returns whether something was raised that ends the program.
    pub fn is_interrupted(&self) -> bool {
        self.lock().as_ref().is_some_and(|kept| kept.hook.is_none())
    }

    /// Returns what was raised, and forgets it.
    pub fn take(&self) -> Option<Failure> {
        self.lock().take()
    }
}

/// Returns the result of a search as Python sees it. What a game raised comes first: the error of the search
/// follows from it.
pub fn result_of<T>(py: Python<'_>, kept: &Kept, result: Result<T, ramure::SearchError>) -> PyResult<T> {
    // A network keeps nothing: what it raised is in the error.
    let of_network = || result.as_ref().err()?.source()?.downcast_ref::<PyErr>();
    let of_network = || Some(Failure::new(py, Some("evaluate"), of_network()?.clone_ref(py)));
    let failure = kept.take().or_else(of_network);
    match (failure, result) {
        (Some(Failure { hook: None, error }), _) => Err(error),
        (None, Ok(result)) => Ok(result),
        (failure, result) => Err(error_of(py, result.err(), failure)?),
    }
}

/// Returns the exception for an error of a search, and for what the game raised.
fn error_of(py: Python<'_>, error: Option<ramure::SearchError>, failure: Option<Failure>) -> PyResult<PyErr> {
    let (ply, line, fault) = match &error {
        Some(Game { fault, ply, line }) => (Some(*ply), &line.actions[..], fault),
        Some(Failed { ply, line, .. }) => (Some(*ply), &line.actions[..], &GameFault::Failed),
        _ => (None, &[][..], &GameFault::Failed),
    };
    let text = error.as_ref().map_or_else(String::new, ToString::to_string);
    let text = match &failure {
        // The fault is only how the search was told to end.
        Some(failure) => {
            let place = text.strip_suffix(&fault.to_string()).unwrap_or_default();
            format!("{place}{}", failure.text(py))
        }
        None => in_python(&text),
    };
    // The crate prints the source of an error apart.
    let source = error.as_ref().filter(|_| failure.is_none()).and_then(Error::source);
    let is_belief = failure.is_none() && matches!(error, Some(Belief(_)))
        || source.is_some_and(|source| source.is::<ramure::BeliefError>());
    let text = match source {
        Some(source) if matches!(error, Some(Failed { .. })) => {
            format!("{text}: {}", in_python(&source.to_string()))
        }
        _ => text,
    };
    let exception = if is_belief { BeliefError::new_err(text) } else { SearchError::new_err(text) };
    let value = exception.value(py);
    value.setattr("ply", ply)?;
    value.setattr("line", line)?;
    exception.set_cause(py, failure.map(|failure| failure.error));
    Ok(exception)
}

/// Returns a text about Rust as one about Python.
pub fn in_python(text: &str) -> String {
    let told = |py: Python<'_>| py.import("ramure._text")?.getattr("in_python")?.call1((text,))?.extract();
    Python::attach(told).unwrap_or_else(|_| text.to_owned())
}

/// Returns the exception for an argument that is wrong.
pub fn wrong(error: impl Display) -> PyErr {
    PyValueError::new_err(in_python(&error.to_string()))
}
