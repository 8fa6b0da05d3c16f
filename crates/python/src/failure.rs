//! What a search knows of a game written in Python: its methods, its actions, and what it raised.

use crate::actions::{Actions, printing};
use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An exception that a method of a game raised.
pub struct Failure {
    pub hook: &'static str,
    pub error: PyErr,
    /// Whether it ends the program and not only the search, such as `KeyboardInterrupt`.
    pub is_interrupt: bool,
}

/// How the place of a panic in this file begins in a message of the rules kit.
pub const PANICS: &str = concat!(" (", file!(), ":");

/// How the laws of the rules kit hear of an exception: by a panic, which they catch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum On {
    Search,
    Laws,
}

/// What all states of a search share.
pub struct Hooks {
    pub actions: Arc<Actions>,
    pub chance: Py<PyAny>,
    pub has_players: bool,
    pub has_probability: bool,
    /// Copies a state: the function `__copy__` of its class, or `copy.deepcopy`.
    copy: Py<PyAny>,
    /// Prints a state without addresses.
    text: Py<PyAny>,
    on: On,
    failure: Mutex<Option<Failure>>,
}

impl Hooks {
    /// Looks for the methods of a game.
    pub fn of(game: &Bound<'_, PyAny>, on: On) -> PyResult<Self> {
        let (py, class) = (game.py(), game.get_type());
        if game.is_instance_of::<PyType>() {
            let text =
                format!("{} is a class; give a state, an instance of it", game.cast::<PyType>()?.name()?);
            return Err(PyTypeError::new_err(text));
        }
        let has = |method: &str| game.getattr(method).is_ok_and(|method| method.is_callable());
        let missing =
            Vec::from_iter(["turn", "actions", "apply", "reward"].into_iter().filter(|name| !has(name)));
        if !missing.is_empty() {
            return Err(PyTypeError::new_err(format!(
                "{} is not a game: it lacks {}; a game has the methods turn(), actions(), apply(action) and \
                 reward(player)",
                class.name()?,
                missing.join(", "),
            )));
        }
        let texts = py.import("ramure._text")?;
        let copy = match class.getattr("__copy__") {
            Ok(copy) => copy,
            Err(_) => py.import("copy")?.getattr("deepcopy")?,
        };
        Ok(Hooks {
            actions: Arc::new(Actions::new(py)),
            chance: texts.getattr("CHANCE")?.unbind(),
            has_players: has("players"),
            has_probability: has("probability"),
            copy: copy.unbind(),
            text: texts.getattr("describe")?.unbind(),
            on,
            failure: Mutex::new(None),
        })
    }

    /// Copies a state.
    pub fn copy_of<'py>(&self, state: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let copy = self.copy.bind(state.py()).call1((state,))?;
        if copy.get_type().is(state.get_type()) {
            return Ok(copy);
        }
        let text =
            format!("`__copy__` returned {}; return a state of the same class", crate::game::kind_of(&copy));
        Err(PyTypeError::new_err(text))
    }

    /// Returns a state as text.
    pub fn text_of(&self, state: &Bound<'_, PyAny>) -> String {
        let text = self.text.bind(state.py()).call1((state,)).and_then(|text| text.extract());
        text.unwrap_or_else(|error| self.fail(state.py(), "__repr__", error))
    }

    /// Ends a check of laws that was interrupted, so that the rest of it takes no time.
    pub fn begin_call(&self) {
        if self.on == On::Laws && self.kept().as_ref().is_some_and(|kept| kept.is_interrupt) {
            panic!("interrupted");
        }
    }

    fn kept(&self) -> MutexGuard<'_, Option<Failure>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what `hook` raised: the first exception of a search, the last of a check of laws, which is that of the
    /// shortest line, or an interrupt.
    #[cold]
    pub fn fail<T: Default>(&self, py: Python<'_>, hook: &'static str, error: PyErr) -> T {
        let text = format!("`{hook}` raised {}", text_of_error(py, &error));
        let is_interrupt = !error.is_instance_of::<PyException>(py);
        let mut kept = self.kept();
        let replaces = |kept: &Failure| !kept.is_interrupt && (is_interrupt || self.on == On::Laws);
        if kept.as_ref().is_none_or(replaces) {
            *kept = Some(Failure { hook, error, is_interrupt });
        }
        drop(kept);
        match self.on {
            On::Search => T::default(),
            On::Laws => panic!("{text}"),
        }
    }

    /// Returns what was raised, and forgets it.
    pub fn take_failure(&self) -> Option<Failure> {
        self.kept().take()
    }

    /// Calls `work`, in which actions are printed as objects.
    pub fn printing<T>(&self, work: impl FnOnce() -> T) -> T {
        printing(&self.actions, work)
    }
}

/// Returns an exception as a traceback prints it last, such as `ValueError: too late`.
pub fn text_of_error(py: Python<'_>, error: &PyErr) -> String {
    let name = error.get_type(py).name().map_or_else(|_| "an exception".into(), |name| name.to_string());
    match error.value(py).str() {
        Ok(text) if text.to_string().is_empty() => name,
        Ok(text) => format!("{name}: {text}"),
        Err(_) => name,
    }
}
