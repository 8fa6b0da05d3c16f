//! Shared parts of all states of a search that are written in Python: their methods, their actions, and what they raised.

use crate::actions::{Actions, PyAction};
use crate::answers::{kind_of, players_of};
use crate::failure::{Hook, Kept};
use crate::random::Random;
use pyo3::exceptions::{PyKeyboardInterrupt, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyType};
use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

/// How the place of a panic in this file begins in a message of the rules kit.
pub const PANICS: &str = concat!(" (", file!(), ":");

/// The caller of the states, which decides how it hears of an exception.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum On {
    /// A search of a game hears of it by [`ramure::fail`].
    Search,
    /// A search of a simulator, which does so, too.
    Planning,
    /// A search of a belief, which does so, too.
    Belief,
    /// A match, which does so, too. After the first exception, no state answers any more, so that the match ends.
    Match,
    /// The laws of the rules kit hear of it by a panic, which they catch.
    Laws,
}

/// The shared parts of all states of a search.
pub struct Hooks {
    /// The class of the states.
    class: Py<PyType>,
    pub actions: Arc<Actions>,
    /// Numbers the keys of states.
    pub keys: Actions,
    optional: Vec<String>,
    /// Copies a state: the function `__copy__` of its class, or `copy.deepcopy`.
    copy: Py<PyAny>,
    on: On,
    /// The source of random numbers of steps and rollouts.
    random: PyOnceLock<Random>,
    pub kept: Kept,
}

/// The saved form of a state: the object, and the actions and keys whose numbers its tree has.
pub type InFile<'py> = (Bound<'py, PyAny>, Bound<'py, PyList>, Bound<'py, PyList>);

thread_local! {
    /// The shared parts of the search that is at work on this thread.
    static AT_WORK: RefCell<Option<Arc<Hooks>>> = const { RefCell::new(None) };
}

/// Returns what the search shares that is at work on this thread. By it, `Debug` prints actions as objects, and
/// files become states.
pub fn at_work() -> Option<Arc<Hooks>> {
    AT_WORK.with_borrow(Option::clone)
}

impl Hooks {
    /// Looks for the methods of a game or a simulator.
    pub fn of(state: &Bound<'_, PyAny>, on: On) -> PyResult<Self> {
        let py = state.py();
        let kind = match on {
            On::Planning => "simulator",
            On::Belief => "particle",
            _ => "game",
        };
        let methods = py.import("ramure._methods")?.getattr("methods")?.call1((state, kind))?;
        let (copy, optional): (Py<PyAny>, Vec<String>) = methods.extract()?;
        let hooks = Hooks {
            class: state.get_type().unbind(),
            actions: Arc::new(Actions::new(py)),
            keys: Actions::new(py),
            optional,
            copy,
            on,
            random: PyOnceLock::new(),
            kept: Kept::default(),
        };
        if hooks.has("players") && on == On::Search {
            players_of(state)?; // A search asks when it is created, and cannot fail then.
        }
        Ok(hooks)
    }

    /// Returns what the states of a file share: `state` and those that follow. What they raise is kept here, too.
    pub fn of_file(&self, (state, actions, keys): &InFile<'_>) -> PyResult<Self> {
        let (own, class) = (self.class.bind(state.py()), state.get_type());
        if !class.is(own) {
            let text = format!("the file is of a search of {class}; this search is of {own}");
            return Err(PyValueError::new_err(text));
        }
        let (actions, keys) = (Arc::new(Actions::of(actions)?), Actions::of(keys)?);
        Ok(Hooks { actions, keys, kept: self.kept.clone(), ..Hooks::of(state, self.on)? })
    }

    /// Returns whether the state has this optional method.
    pub fn has(&self, method: &str) -> bool {
        self.optional.iter().any(|name| name == method)
    }

    /// Returns what the garbage collector must know of: all but what no program can free.
    pub fn held(&self) -> [&Py<PyAny>; 6] {
        let Hooks { class, copy, actions, keys, .. } = self;
        let [actions, keys] = [&**actions, keys].map(|of| [of.numbers.as_any(), of.objects.as_any()]);
        [class.as_any(), copy, actions[0], actions[1], keys[0], keys[1]]
    }

    /// Returns a generator of Python, whose next numbers are those of the seed `bits`.
    pub fn seeded<'py>(&self, py: Python<'py>, bits: u64) -> PyResult<&Bound<'py, PyAny>> {
        py.check_signals()?; // What draws may be written in C.
        self.random.get_or_try_init(py, || Random::new(py))?.seeded(py, bits)
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

    /// Returns a state as text, without addresses.
    pub fn text_of(&self, state: &Bound<'_, PyAny>) -> String {
        static DESCRIBE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let py = state.py();
        let describe = DESCRIBE.import(py, "ramure._text", "describe");
        describe.and_then(|describe| describe.call1((state,))?.extract()).unwrap_or_else(|error| {
            let text = self.keep(py, Some("__repr__"), error);
            if self.on == On::Laws { panic!("{text}") } else { String::new() }
        })
    }

    /// Returns whether the states may be asked: not after the first exception of a match. Ends a check of laws
    /// that was interrupted, so that the rest of it takes no time.
    pub fn may_be_asked(self: &Arc<Self>) -> bool {
        if self.on == On::Match {
            // The threads of a match are its own.
            AT_WORK.with_borrow_mut(|hooks| _ = hooks.get_or_insert_with(|| Arc::clone(self)));
            return !self.kept.has_failed();
        }
        assert!(self.on != On::Laws || !self.kept.is_interrupted(), "interrupted");
        true
    }

    /// Keeps what `hook` raised, and ends what asked for it.
    #[cold]
    pub fn fail<T: Default>(&self, py: Python<'_>, hook: Hook, error: PyErr) -> T {
        let text = self.keep(py, Some(hook), error);
        if self.on == On::Laws { panic!("{text}") } else { ramure::fail(text) }
    }

    /// Keeps what `hook` raised: the first exception of a search, the last of a check of laws, which is that of the
    /// shortest line, or an interrupt. Returns its text.
    pub fn keep(&self, py: Python<'_>, hook: Option<Hook>, error: PyErr) -> String {
        self.kept.keep(py, hook, error, self.on == On::Laws)
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

/// Prints the object, if its search is [`at_work`].
impl fmt::Debug for PyAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hooks = at_work();
        let text = Python::attach(|py| {
            let text = hooks?.actions.object(py, *self).and_then(|object| object.repr());
            if text.as_ref().is_err_and(|error| error.is_instance_of::<PyKeyboardInterrupt>(py)) {
                // Nothing can be raised here, so Ctrl-C comes once more.
                let _ = py.import("_thread").and_then(|module| module.call_method0("interrupt_main"));
            }
            Some(text.ok()?.to_string())
        });
        match text {
            Some(text) => f.pad(&text),
            None => write!(f, "(action number {})", self.index()),
        }
    }
}
