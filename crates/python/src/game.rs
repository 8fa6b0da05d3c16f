//! A game written in Python, as a state that the crate can search.

use crate::actions::{Actions, PyAction};
use crate::ending;
use crate::failure::Hooks;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use ramure::{GameState, Player, Rng, Turn};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A player that no game has: an answer with which a search ends at once.
const NOBODY: Turn = Turn::Player(Player::MAX);

/// The most actions of a state. A longer list is taken to be endless.
const MOST_ACTIONS: usize = 1 << 20;

/// A state of a game written in Python.
///
/// A copy of it is a copy of the object. Whatever an object raises is kept in its [`Hooks`], and the state then
/// answers in a way that no search accepts, so that the search ends.
pub struct PyGame {
    object: Py<PyAny>,
    /// Whether a method raised, so that the object must not be asked any more.
    is_broken: AtomicBool,
    hooks: Arc<Hooks>,
}

impl PyGame {
    /// Takes a copy of `object` as the state, so that the search and its caller share nothing.
    pub fn new(object: &Bound<'_, PyAny>, hooks: Hooks) -> PyResult<Self> {
        let object = hooks.copy_of(object)?.unbind();
        Ok(PyGame { object, is_broken: AtomicBool::new(false), hooks: Arc::new(hooks) })
    }

    pub fn hooks(&self) -> &Arc<Hooks> {
        &self.hooks
    }

    /// Returns a copy of the object.
    pub fn object<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.hooks.copy_of(self.object.bind(py))
    }

    /// Returns the object itself, which must not be changed.
    pub fn shown(&self, py: Python<'_>) -> Py<PyAny> {
        self.object.clone_ref(py)
    }

    /// Asks the object. Returns `None` if it raises, or has raised before.
    fn ask<T>(&self, hook: &'static str, ask: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> Option<T> {
        if self.is_broken.load(Ordering::Relaxed) {
            return None;
        }
        Python::attach(|py| {
            self.hooks.begin_call();
            match ending::check().and_then(|()| ask(self.object.bind(py))) {
                Ok(answer) => Some(answer),
                Err(error) => {
                    self.is_broken.store(true, Ordering::Relaxed);
                    self.hooks.fail(py, hook, error)
                }
            }
        })
    }

    /// Asks for the actions, and passes on a list of them.
    fn ask_actions<T>(&self, use_them: impl FnOnce(&Actions, List<'_, '_>) -> PyResult<T>) -> Option<T> {
        self.ask("actions", |object| {
            let answer = object.call_method0(intern!(object.py(), "actions"))?;
            if let Ok(list) = answer.cast::<PyList>() {
                use_them(&self.hooks.actions, List::List(list))
            } else if let Ok(tuple) = answer.cast::<PyTuple>() {
                use_them(&self.hooks.actions, List::Tuple(tuple))
            } else {
                let listed = PyList::empty(object.py());
                let iterator = answer.try_iter().map_err(|_| {
                    let kind = kind_of(&answer);
                    PyTypeError::new_err(format!("`actions` returned {kind}; return a list of actions"))
                })?;
                for action in iterator {
                    if listed.len() == MOST_ACTIONS {
                        let text =
                            format!("`actions` yields more than {MOST_ACTIONS} actions; is it endless?");
                        return Err(PyValueError::new_err(text));
                    }
                    listed.append(action?)?;
                }
                use_them(&self.hooks.actions, List::List(&listed))
            }
        })
    }
}

/// What `actions` returned.
enum List<'a, 'py> {
    List(&'a Bound<'py, PyList>),
    Tuple(&'a Bound<'py, PyTuple>),
}

impl<'py> List<'_, 'py> {
    fn len(&self) -> usize {
        match self {
            List::List(list) => list.len(),
            List::Tuple(tuple) => tuple.len(),
        }
    }

    fn get(&self, index: usize) -> PyResult<Bound<'py, PyAny>> {
        match self {
            List::List(list) => list.get_item(index),
            List::Tuple(tuple) => tuple.get_item(index),
        }
    }
}

/// Describes the type of a value, for errors.
pub fn kind_of(value: &Bound<'_, PyAny>) -> String {
    match value.is_none() {
        true => "None".into(),
        false => {
            value.get_type().name().map_or("another type".into(), |name| format!("a value of type {name}"))
        }
    }
}

/// Copies the object.
impl Clone for PyGame {
    fn clone(&self) -> Self {
        Python::attach(|py| {
            let copied = self.ask("__copy__", |object| self.hooks.copy_of(object).map(Bound::unbind));
            PyGame {
                is_broken: AtomicBool::new(copied.is_none()),
                object: copied.unwrap_or_else(|| self.object.clone_ref(py)),
                hooks: Arc::clone(&self.hooks),
            }
        })
    }
}

impl GameState for PyGame {
    type Action = PyAction;

    fn turn(&self) -> Turn {
        let turn = self.ask("turn", |object| {
            let py = object.py();
            // Ctrl-C raises in a method written in Python. The methods of this game may be written in C.
            py.check_signals()?;
            let turn = object.call_method0(intern!(py, "turn"))?;
            if let Ok(player) = turn.extract::<Player>() {
                Ok(Turn::Player(player))
            } else if turn.is_none() {
                Ok(Turn::Over)
            } else if turn.is(self.hooks.chance.bind(py)) {
                Ok(Turn::Chance)
            } else {
                let text = turn.repr().map_or_else(|_| kind_of(&turn), |text| text.to_string());
                Err(PyTypeError::new_err(format!(
                    "`turn` returned {text}; return the number of a player from 0, ramure.CHANCE, or None if the \
                     game is over"
                )))
            }
        });
        turn.unwrap_or(NOBODY)
    }

    fn actions(&self) -> impl IntoIterator<Item = PyAction> {
        let actions = self.ask_actions(|known, list| {
            (0..list.len()).map(|index| known.number(&list.get(index)?)).collect::<PyResult<Vec<_>>>()
        });
        actions.unwrap_or_default()
    }

    fn apply(&mut self, action: PyAction) {
        self.ask("apply", |object| {
            let py = object.py();
            object.call_method1(intern!(py, "apply"), (self.hooks.actions.object(py, action)?,)).map(drop)
        });
    }

    fn reward(&self, player: Player) -> f64 {
        let reward = self.ask("reward", |object| {
            let reward = object.call_method1(intern!(object.py(), "reward"), (player,))?;
            reward.extract().map_err(|_| {
                let kind = kind_of(&reward);
                PyTypeError::new_err(format!("`reward` returned {kind}; return a number from 0 to 1"))
            })
        });
        reward.unwrap_or(f64::NAN)
    }

    fn players(&self) -> u8 {
        if !self.hooks.has_players {
            return 2;
        }
        let players = self.ask("players", |object| {
            let players = object.call_method0(intern!(object.py(), "players"))?;
            players.extract().map_err(|_| {
                let text = players.repr().map_or_else(|_| kind_of(&players), |text| text.to_string());
                PyTypeError::new_err(format!("`players` returned {text}; return the number of players"))
            })
        });
        players.unwrap_or(0)
    }

    fn probability(&self, outcome: PyAction) -> f64 {
        if !self.hooks.has_probability {
            let count = self.ask_actions(|_, list| Ok(list.len()));
            return count.map_or(f64::NAN, |count| 1.0 / count as f64);
        }
        let probability = self.ask("probability", |object| {
            let py = object.py();
            let outcome = self.hooks.actions.object(py, outcome)?;
            let probability = object.call_method1(intern!(py, "probability"), (outcome,))?;
            probability.extract().map_err(|_| {
                let kind = kind_of(&probability);
                PyTypeError::new_err(format!("`probability` returned {kind}; return a number from 0 to 1"))
            })
        });
        probability.unwrap_or(f64::NAN)
    }

    /// Gives a number to the drawn action alone.
    fn random_action(&self, rng: &mut Rng) -> Option<PyAction> {
        self.ask_actions(|known, list| match list.len() {
            0 => Ok(None),
            count => known.number(&list.get(rng.below(count))?).map(Some),
        })?
    }
}

impl PartialEq for PyGame {
    fn eq(&self, other: &Self) -> bool {
        self.ask("__eq__", |object| object.eq(other.object.bind(object.py()))).unwrap_or(false)
    }
}

impl Eq for PyGame {}

impl Hash for PyGame {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.ask("__hash__", |object| object.hash()).hash(state);
    }
}

/// Prints the object without addresses, which differ from copy to copy.
impl fmt::Debug for PyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Python::attach(|py| self.hooks.text_of(self.object.bind(py))))
    }
}
