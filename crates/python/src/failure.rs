//! What a search knows of a game written in Python: its methods, its actions, and what it raised.

use crate::actions::Actions;
use crate::game::{kind_of, players_of};
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyType};
use std::cell::RefCell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An exception that a method of a game raised.
pub struct Failure {
    pub hook: &'static str,
    pub error: PyErr,
    /// Whether it is raised as it is: it ends the program and not only the search, such as `KeyboardInterrupt`, or
    /// says what is wrong with a file.
    pub is_bare: bool,
}

/// How the place of a panic in this file begins in a message of the rules kit.
pub const PANICS: &str = concat!(" (", file!(), ":");

/// What raises if a file has no state of this search.
pub const OF_FILE: &str = "load";

/// What asks the game, which decides how it hears of an exception.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum On {
    /// A search hears of it by [`ramure::fail`].
    Search,
    /// A match, which does so, too. After the first exception, no state answers any more, so that the match ends.
    Match,
    /// The laws of the rules kit hear of it by a panic, which they catch.
    Laws,
}

/// What all states of a search share.
pub struct Hooks {
    /// The class of the states.
    class: Py<PyType>,
    kind: &'static str,
    pub actions: Arc<Actions>,
    /// Numbers the keys of states.
    pub keys: Actions,
    pub chance: Py<PyAny>,
    optional: Vec<String>,
    /// Copies a state: the function `__copy__` of its class, or `copy.deepcopy`.
    copy: Py<PyAny>,
    /// Prints a state without addresses.
    text: Py<PyAny>,
    on: On,
    failure: Arc<Mutex<Option<Failure>>>,
}

thread_local! {
    /// What the search has that is at work on this thread.
    static AT_WORK: RefCell<Option<Arc<Hooks>>> = const { RefCell::new(None) };
}

/// Returns what the search shares that is at work on this thread. By it, `Debug` prints actions as objects, and
/// files become states.
pub fn at_work() -> Option<Arc<Hooks>> {
    AT_WORK.with_borrow(Option::clone)
}

impl Hooks {
    /// Looks for the methods of a problem of this `kind`: a game or a simulator.
    pub fn of(state: &Bound<'_, PyAny>, on: On, kind: &'static str) -> PyResult<Self> {
        let py = state.py();
        let methods = py.import("ramure._methods")?.getattr("methods")?.call1((state, kind))?;
        let (copy, optional): (Py<PyAny>, Vec<String>) = methods.extract()?;
        let texts = py.import("ramure._text")?;
        let hooks = Hooks {
            class: state.get_type().unbind(),
            kind,
            actions: Arc::new(Actions::new(py)),
            keys: Actions::new(py),
            chance: texts.getattr("CHANCE")?.unbind(),
            optional,
            copy,
            text: texts.getattr("describe")?.unbind(),
            on,
            failure: Arc::default(),
        };
        if hooks.has("players") && on == On::Search {
            players_of(state)?; // A search asks when it is created, and cannot fail then.
        }
        Ok(hooks)
    }

    /// Returns what the states of a file share: `state` and those that follow. Its tree has the numbers of these
    /// actions and keys. What the states raise is kept here, too.
    pub fn of_file(
        &self,
        state: &Bound<'_, PyAny>,
        actions: &Bound<'_, PyList>,
        keys: &Bound<'_, PyList>,
    ) -> PyResult<Self> {
        let (own, class) = (self.class.bind(state.py()), state.get_type());
        if !class.is(own) {
            let text = format!("the file is of a search of {class}; this search is of {own}");
            return Err(PyValueError::new_err(text));
        }
        let (actions, keys) = (Arc::new(Actions::of(actions)?), Actions::of(keys)?);
        let failure = Arc::clone(&self.failure);
        Ok(Hooks { actions, keys, failure, ..Hooks::of(state, self.on, self.kind)? })
    }

    /// Returns whether the state has this optional method.
    pub fn has(&self, method: &str) -> bool {
        self.optional.iter().any(|name| name == method)
    }

    /// Shows what states share to the garbage collector, except for what no program can free.
    pub fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.class)?;
        visit.call(&self.copy)?;
        self.keys.visit(visit)?;
        self.actions.visit(visit)
    }

    /// Copies a state.
    pub fn copy_of<'py>(&self, state: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let copy = self.copy.bind(state.py()).call1((state,))?;
        Err(PyTypeError::new_err(if copy.is(state) {
            "`__copy__` returned the state itself; return another object".into()
        } else if copy.get_type().is(state.get_type()) {
            return Ok(copy);
        } else {
            format!("`__copy__` returned {}; return a state of the same class", kind_of(&copy))
        }))
    }

    /// Returns a state as text.
    pub fn text_of(&self, state: &Bound<'_, PyAny>) -> String {
        let text = self.text.bind(state.py()).call1((state,)).and_then(|text| text.extract());
        text.unwrap_or_else(|error| {
            let text = self.keep(state.py(), "__repr__", error);
            if self.on == On::Laws { panic!("{text}") } else { String::new() }
        })
    }

    /// Returns whether the game may be asked: not after the first exception of a match. Ends a check of laws
    /// that was interrupted, so that the rest of it takes no time.
    pub fn may_be_asked(self: &Arc<Self>) -> bool {
        match self.on {
            On::Search => true,
            On::Match => {
                // The threads of a match are its own.
                AT_WORK.with_borrow_mut(|hooks| _ = hooks.get_or_insert_with(|| Arc::clone(self)));
                !self.has_failed()
            }
            On::Laws if self.kept().as_ref().is_some_and(|kept| kept.is_bare) => panic!("interrupted"),
            On::Laws => true,
        }
    }

    fn kept(&self) -> MutexGuard<'_, Option<Failure>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what `hook` raised, and ends what asked for it.
    #[cold]
    pub fn fail<T: Default>(&self, py: Python<'_>, hook: &'static str, error: PyErr) -> T {
        let text = self.keep(py, hook, error);
        if self.on == On::Laws { panic!("{text}") } else { ramure::fail(text) }
    }

    /// Keeps what `hook` raised: the first exception of a search, the last of a check of laws, which is that of the
    /// shortest line, or an interrupt. Returns its text.
    pub fn keep(&self, py: Python<'_>, hook: &'static str, error: PyErr) -> String {
        let text = format!("`{hook}` raised {}", text_of_error(py, &error));
        let is_bare = hook == OF_FILE || !error.is_instance_of::<PyException>(py);
        let mut kept = self.kept();
        let replaces = |kept: &Failure| !kept.is_bare && (is_bare || self.on == On::Laws);
        if kept.as_ref().is_none_or(replaces) {
            let before = kept.replace(Failure { hook, error, is_bare });
            drop(kept); // Another thread, which a finalizer lets run, may wait for it with the interpreter.
            drop(before);
        }
        text
    }

    /// Returns whether something was raised that is not forgotten.
    pub fn has_failed(&self) -> bool {
        self.kept().is_some()
    }

    /// Returns what was raised, and forgets it.
    pub fn take_failure(&self) -> Option<Failure> {
        self.kept().take()
    }

    /// Calls `work`, during which these hooks are [`at_work`].
    pub fn working<T>(self: &Arc<Self>, work: impl FnOnce() -> T) -> T {
        /// Puts back those of a search around this one, also after a panic.
        struct Before(Option<Arc<Hooks>>);
        impl Drop for Before {
            fn drop(&mut self) {
                AT_WORK.set(self.0.take());
            }
        }
        let _before = Before(AT_WORK.replace(Some(Arc::clone(self))));
        work()
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
