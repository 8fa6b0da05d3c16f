//! What is searched, as Python sees it: games and simulators written in Python, and the games of the crate.

use crate::actions::PyAction;
use crate::failure::{Failure, Hooks, On, text_of_error};
use crate::game::PyGame;
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::PyList;
use ramure::search::{ActionOf, Space};
use ramure::{GameFault, GameState};
use std::sync::Arc;

create_exception!(ramure, SearchError, PyException, "A search, or a game that it searched, failed.");

/// A space whose states and actions Python knows.
pub trait Language: Space<Game: GameState<Action: Send + Sync>> + Send + Sync + 'static {
    /// Returns the state if it is written in Python. A game of the crate is searched without the interpreter.
    fn in_python(&self) -> Option<&PyGame>;

    /// Returns what the states share that are written in Python.
    fn hooks(&self) -> Option<&Arc<Hooks>> {
        self.in_python().map(PyGame::hooks)
    }

    /// Returns an action as an object.
    fn action_to_python(&self, py: Python<'_>, action: &ActionOf<Self>) -> PyResult<Py<PyAny>>;

    /// Returns actions as objects.
    fn list<'py>(&self, py: Python<'py>, actions: &[ActionOf<Self>]) -> PyResult<Bound<'py, PyList>> {
        let objects = actions.iter().map(|action| self.action_to_python(py, action));
        PyList::new(py, objects.collect::<PyResult<Vec<_>>>()?)
    }

    /// Returns the action that an object stands for. It need not be legal.
    fn action_from_python(&self, action: &Bound<'_, PyAny>) -> PyResult<ActionOf<Self>>;

    /// Returns a copy of the state as an object.
    fn state_to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>>;

    /// Returns the state as an object that is only looked at.
    fn shown_to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.in_python().map_or_else(|| self.state_to_python(py), |game| Ok(game.shown(py)))
    }

    /// Returns the space of the state that an object stands for, with the settings of this one.
    fn at(&self, state: &Bound<'_, PyAny>) -> PyResult<Self>;

    /// Whether what follows from an action is a choice of its own in the tree. \[Default: no\]
    const HAS_OUTCOMES: bool = false;

    /// Returns whether this is what followed from an action, and not a choice. \[Default: no\]
    fn is_outcome(action: &ActionOf<Self>) -> bool {
        let _ = action;
        false
    }
}

/// What the explorer's page shows.
pub trait Shown: Language {
    /// Whether [`shown`](Self::shown) draws a picture. \[Default: it writes a text\]
    const HAS_PICTURES: bool = false;

    /// Shows a state to a reader of the page; `last` led to it.
    fn shown(state: &Self::Real, last: Option<ActionOf<Self>>) -> String;
}

impl Shown for PyGame {
    fn shown(state: &PyGame, _: Option<PyAction>) -> String {
        format!("{state:?}")
    }
}

impl Language for PyGame {
    fn in_python(&self) -> Option<&PyGame> {
        Some(self)
    }

    fn action_to_python(&self, py: Python<'_>, action: &PyAction) -> PyResult<Py<PyAny>> {
        PyGame::hooks(self).actions.object(py, *action).map(Bound::unbind)
    }

    fn action_from_python(&self, action: &Bound<'_, PyAny>) -> PyResult<PyAction> {
        PyGame::hooks(self).actions.number(action)
    }

    fn state_to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.object(py).map(Bound::unbind)
    }

    /// Keeps the numbers of actions: rollouts and tables that learn know them.
    fn at(&self, state: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut hooks = Hooks::of(state, On::Search, "game")?;
        hooks.actions = Arc::clone(&PyGame::hooks(self).actions);
        PyGame::new(state, hooks)
    }
}

/// Returns the game written in Python that an object is, to search it.
pub fn game_of(state: &Bound<'_, PyAny>) -> PyResult<PyGame> {
    PyGame::new(state, Hooks::of(state, On::Search, "game")?)
}

/// Returns the result of a search as Python sees it. What a game raised comes first: the error of the search
/// follows from it.
pub fn result_of<T>(
    py: Python<'_>,
    hooks: Option<&Arc<Hooks>>,
    result: Result<T, ramure::SearchError>,
) -> PyResult<T> {
    let failure = hooks
        .and_then(|hooks| hooks.take_failure())
        .or_else(|| failure_of_network(py, result.as_ref().err()?));
    match (failure, result) {
        (Some(Failure { error, is_bare: true, .. }), _) => Err(error),
        (Some(failure), result) => Err(error_of(py, result.err(), Some(failure))?),
        (None, Ok(result)) => Ok(result),
        (None, Err(error)) => Err(error_of(py, Some(error), None)?),
    }
}

/// Returns what a network raised.
fn failure_of_network(py: Python<'_>, error: &ramure::SearchError) -> Option<Failure> {
    let error = std::error::Error::source(error)?.downcast_ref::<PyErr>()?.clone_ref(py);
    let is_bare = !error.is_instance_of::<PyException>(py);
    Some(Failure { hook: "evaluate", error, is_bare })
}

/// Returns the exception for an error of a search, and for what the game raised.
fn error_of(py: Python<'_>, error: Option<ramure::SearchError>, failure: Option<Failure>) -> PyResult<PyErr> {
    let (ply, line, fault) = match &error {
        Some(ramure::SearchError::Game { fault, ply, line }) => (Some(*ply), line.actions.clone(), fault),
        Some(ramure::SearchError::Failed { ply, line, .. }) => {
            (Some(*ply), line.actions.clone(), &GameFault::Failed)
        }
        _ => (None, Vec::new(), &GameFault::Failed),
    };
    let fault = fault.to_string();
    let text = error.map_or_else(String::new, |error| error.to_string());
    let text = match &failure {
        // The fault is only how the search was told to end.
        Some(Failure { hook, error, .. }) => {
            let place = text.strip_suffix(&fault).unwrap_or_default();
            format!("{place}`{hook}` raised {}", text_of_error(py, error))
        }
        None => in_python(&text),
    };
    let exception = SearchError::new_err(text);
    let value = exception.value(py);
    value.setattr("ply", ply)?;
    value.setattr("line", line)?;
    exception.set_cause(py, failure.map(|failure| failure.error));
    Ok(exception)
}

// As `in_python` says.
const _: () = assert!(<PyGame as ramure::ActionIndex>::ACTION_COUNT == 4_096);

/// Returns a text about Rust as one about Python.
pub fn in_python(text: &str) -> String {
    let told = |py: Python<'_>| py.import("ramure._text")?.getattr("in_python")?.call1((text,))?.extract();
    Python::attach(told).unwrap_or_else(|_| text.to_owned())
}
