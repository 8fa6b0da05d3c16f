//! A game written in Python, as a state that the crate can search.

use crate::actions::{Actions, PyAction};
use crate::ending;
use crate::failure::Hooks;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use ramure::{ActionIndex, GameState, Player, Rng, Turn};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A player that no game has: an answer with which everything ends at once.
const NOBODY: Turn = Turn::Player(Player::MAX);

/// The most actions of a state. A longer list is taken to be endless.
const MOST_ACTIONS: usize = 1 << 20;

/// A state of a game or a simulator written in Python.
///
/// A copy of it is a copy of the object. What an object raises is kept in its [`Hooks`], and ends the search by
/// [`ramure::fail`].
pub struct PyGame {
    object: Py<PyAny>,
    /// The number of actions, so that `probability` need not list them; 0 if it is not known.
    count: AtomicUsize,
    hooks: Arc<Hooks>,
}

impl PyGame {
    /// Takes a copy of `object` as the state, so that the search and its caller share nothing.
    pub fn new(object: &Bound<'_, PyAny>, hooks: Hooks) -> PyResult<Self> {
        let object = hooks.copy_of(object)?.unbind();
        Ok(PyGame { object, count: AtomicUsize::new(0), hooks: Arc::new(hooks) })
    }

    pub fn hooks(&self) -> &Arc<Hooks> {
        &self.hooks
    }

    /// Shows the object and what states share to the garbage collector.
    pub fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.object)?;
        self.hooks.visit(visit)
    }

    /// Returns a copy of the object.
    pub fn object<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.hooks.copy_of(self.object.bind(py))
    }

    /// Returns the object itself, which must not be changed.
    pub fn shown(&self, py: Python<'_>) -> Py<PyAny> {
        self.object.clone_ref(py)
    }

    /// Asks the object. Returns `None` if it raises, or if its match is over.
    pub fn ask<T>(
        &self,
        hook: &'static str,
        ask: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>,
    ) -> Option<T> {
        if !self.hooks.may_be_asked() {
            return None;
        }
        Python::attach(|py| {
            let answer = ending::check().and_then(|()| ask(self.object.bind(py)));
            answer.map_or_else(|error| self.hooks.fail(py, hook, error), Some)
        })
    }

    /// Asks for the actions, and passes on a list of them.
    fn ask_actions<T>(&self, use_them: impl FnOnce(&Actions, List<'_, '_>) -> PyResult<T>) -> Option<T> {
        self.ask("actions", |object| {
            let answer = object.call_method0(intern!(object.py(), "actions"))?;
            let use_them = |list: List<'_, '_>| {
                self.count.store(list.len(), Ordering::Relaxed);
                use_them(&self.hooks.actions, list)
            };
            if let Ok(list) = answer.cast::<PyList>() {
                use_them(List::List(list))
            } else if let Ok(tuple) = answer.cast::<PyTuple>() {
                use_them(List::Tuple(tuple))
            } else {
                let listed = PyList::empty(object.py());
                let iterator = answer.try_iter().map_err(|error| {
                    wrong_type(&answer, error, |kind| {
                        format!("`actions` returned {kind}; return a list of actions")
                    })
                })?;
                for action in iterator {
                    if listed.len() == MOST_ACTIONS {
                        let text =
                            format!("`actions` yields more than {MOST_ACTIONS} actions; is it endless?");
                        return Err(PyValueError::new_err(text));
                    }
                    listed.append(action?)?;
                }
                use_them(List::List(&listed))
            }
        })
    }
}

/// Returns the number of players.
pub fn players_of(object: &Bound<'_, PyAny>) -> PyResult<u8> {
    let players = object.call_method0(intern!(object.py(), "players"))?;
    players.extract().or_else(|error| {
        let text = players.repr()?;
        Err(wrong_type(&players, error, |_| {
            format!("`players` returned {text}; return the number of players")
        }))
    })
}

/// Returns an exception with `text` of the type of `value`, if `error` says that it has a wrong type or is
/// out of range. Otherwise returns `error`, which a method of `value` raised.
pub fn wrong_type(value: &Bound<'_, PyAny>, error: PyErr, text: impl FnOnce(String) -> String) -> PyErr {
    let py = value.py();
    match error.is_instance_of::<PyTypeError>(py) || error.is_instance_of::<PyOverflowError>(py) {
        true => PyTypeError::new_err(text(kind_of(value))),
        false => error,
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
                // A search drops this copy. Whatever is done with it before, it must not change the state.
                object: copied.unwrap_or_else(|| py.None()),
                count: AtomicUsize::new(self.count.load(Ordering::Relaxed)),
                hooks: Arc::clone(&self.hooks),
            }
        })
    }
}

impl GameState for PyGame {
    type Action = PyAction;
    const CAN_FAIL: bool = true;

    fn turn(&self) -> Turn {
        let turn = self.ask("turn", |object| {
            let py = object.py();
            // Ctrl-C raises in a method written in Python. The methods of this game may be written in C.
            py.check_signals()?;
            let turn = object.call_method0(intern!(py, "turn"))?;
            if turn.is_none() {
                Ok(Turn::Over)
            } else if turn.is(self.hooks.chance.bind(py)) {
                Ok(Turn::Chance)
            } else {
                turn.extract().map(Turn::Player).or_else(|error| {
                    let text = turn.repr()?;
                    Err(wrong_type(&turn, error, |_| {
                        format!(
                            "`turn` returned {text}; return the number of a player from 0, ramure.CHANCE, or None if \
                             the game is over"
                        )
                    }))
                })
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
        *self.count.get_mut() = 0;
        self.ask("apply", |object| {
            let py = object.py();
            object.call_method1(intern!(py, "apply"), (self.hooks.actions.object(py, action)?,)).map(drop)
        });
    }

    fn reward(&self, player: Player) -> f64 {
        let reward = self.ask("reward", |object| {
            let reward = object.call_method1(intern!(object.py(), "reward"), (player,))?;
            reward.extract().map_err(|error| {
                wrong_type(&reward, error, |kind| {
                    format!("`reward` returned {kind}; return a number from 0 to 1")
                })
            })
        });
        reward.unwrap_or(f64::NAN)
    }

    fn players(&self) -> u8 {
        if !self.hooks.has_players {
            return 2;
        }
        self.ask("players", players_of).unwrap_or(0)
    }

    fn probability(&self, outcome: PyAction) -> f64 {
        if !self.hooks.has_probability {
            return match self.count.load(Ordering::Relaxed) {
                0 => self.ask_actions(|_, list| Ok(list.len())).map_or(f64::NAN, |count| 1.0 / count as f64),
                count => 1.0 / count as f64,
            };
        }
        let probability = self.ask("probability", |object| {
            let py = object.py();
            let outcome = self.hooks.actions.object(py, outcome)?;
            let probability = object.call_method1(intern!(py, "probability"), (outcome,))?;
            probability.extract().map_err(|error| {
                wrong_type(&probability, error, |kind| {
                    format!("`probability` returned {kind}; return a number from 0 to 1")
                })
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

/// Actions are numbered in the order in which they are met.
impl ActionIndex for PyGame {
    const ACTION_COUNT: usize = 1 << 12;

    fn action_index(action: PyAction) -> usize {
        action.index()
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
