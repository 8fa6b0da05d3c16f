//! The values that Python searches: games and simulators written in Python, and the games of the crate.

use crate::actions::PyAction;
use crate::failure::Kept;
use crate::game::PyGame;
use crate::hooks::{Hooks, On};
use pyo3::prelude::*;
use pyo3::types::PyList;
use ramure::GameState;
use ramure::search::{ActionOf, Space};
use std::sync::Arc;

/// A space whose states and actions Python knows.
pub trait Language: Space<Game: GameState<Action: Send + Sync> + Send> + Send + Sync + 'static {
    /// Returns the state if it is written in Python. A game of the crate is searched without the interpreter.
    /// \[Default: `None`\]
    fn in_python(&self) -> Option<&PyGame> {
        None
    }

    /// Returns what the states share that are written in Python.
    fn hooks(&self) -> Option<&Arc<Hooks>> {
        self.in_python().map(|game| &game.hooks)
    }

    /// Returns what keeps the exceptions of the states.
    fn kept(&self) -> Kept {
        self.hooks().map_or_else(Kept::default, |hooks| hooks.kept.clone())
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

    /// Returns the actions of a line from this state on; `None` if one of them is known not to be legal.
    fn line_from_python(&self, line: &[Bound<'_, PyAny>]) -> PyResult<Option<Vec<ActionOf<Self>>>> {
        line.iter().map(|action| self.action_from_python(action).map(Some)).collect()
    }

    /// Returns a copy of the state as an object.
    fn state_to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>>;

    /// Returns the space of the state that an object stands for, with the settings of this one.
    fn at(&self, state: &Bound<'_, PyAny>) -> PyResult<Self>;

    /// Returns what a network gets for states: a list of objects that are only looked at, or one array of `planes`.
    /// Only asked for games.
    fn inputs(_: Python<'_>, _states: &[&Self::Game], _planes: bool) -> PyResult<Py<PyAny>> {
        unreachable!("no function evaluates the states of this space")
    }

    /// Whether what follows from an action is a choice of its own in the tree. \[Default: no\]
    const HAS_OUTCOMES: bool = false;
}

/// A game that Python knows.
pub trait Spoken: GameState + Language + Space<Game = Self, Real = Self> {}
impl<G: GameState + Language + Space<Game = Self, Real = Self>> Spoken for G {}

impl Language for PyGame {
    fn in_python(&self) -> Option<&PyGame> {
        Some(self)
    }

    fn action_to_python(&self, py: Python<'_>, action: &PyAction) -> PyResult<Py<PyAny>> {
        self.hooks.actions.object(py, *action).map(Bound::unbind)
    }

    fn action_from_python(&self, action: &Bound<'_, PyAny>) -> PyResult<PyAction> {
        self.hooks.actions.number(action)
    }

    fn state_to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.hooks.copy_of(self.object.bind(py)).map(Bound::unbind)
    }

    /// Keeps the numbers of actions: rollouts and tables that learn know them.
    fn at(&self, state: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut hooks = Hooks::of(state, On::Search)?;
        hooks.actions = Arc::clone(&self.hooks.actions);
        PyGame::new(state, hooks)
    }

    fn inputs(py: Python<'_>, states: &[&Self], planes: bool) -> PyResult<Py<PyAny>> {
        let states = PyList::new(py, states.iter().map(|state| &state.object))?.into_any();
        match planes {
            true => py.import("ramure._planes")?.getattr("stack")?.call1((states,)).map(Bound::unbind),
            false => Ok(states.unbind()),
        }
    }
}
