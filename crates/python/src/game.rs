//! A game written in Python, as a state that the crate can search.

use crate::actions::PyAction;
use crate::ending;
use crate::failure::{Hooks, OF_FILE, at_work};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyList};
use ramure::{ActionIndex, GameState, Keyed, Player, Rng, StaticEvaluation, Turn};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A player that no game has: an answer with which everything ends at once.
const NOBODY: Turn = Turn::Player(Player::MAX);

/// What rewards, probabilities and evaluations are.
const FROM_0_TO_1: &str = "a number from 0 to 1";

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
    fn ask_actions<T>(&self, use_them: impl FnOnce(&Bound<'_, PyList>) -> PyResult<T>) -> Option<T> {
        self.ask("actions", |object| {
            static LISTED: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
            let py = object.py();
            let list = match object.call_method0(intern!(py, "actions"))?.cast_into::<PyList>() {
                Ok(list) => list,
                Err(other) => {
                    let listed = LISTED.import(py, "ramure._methods", "listed")?;
                    listed.call1((other.into_inner(),))?.cast_into()?
                }
            };
            self.count.store(list.len(), Ordering::Relaxed);
            use_them(&list)
        })
    }
}

/// Asks for a number from 0 to 1; NaN if there is none.
macro_rules! number {
    ($game:expr, $hook:literal, $py:pat => $argument:expr) => {{
        let value = $game.ask($hook, |object| {
            let $py = object.py();
            let value = object.call_method1(intern!(object.py(), $hook), ($argument,))?;
            value_of($hook, value, FROM_0_TO_1)
        });
        value.unwrap_or(f64::NAN)
    }};
}

/// Returns the number of players.
pub fn players_of(object: &Bound<'_, PyAny>) -> PyResult<u8> {
    player_of("players", object.call_method0(intern!(object.py(), "players"))?, "the number of players")
}

/// Returns the number of a player, or of players. Errors show the value.
fn player_of(hook: &str, value: Bound<'_, PyAny>, expected: &str) -> PyResult<u8> {
    value.extract().or_else(|error| {
        let text = value.repr()?;
        Err(wrong_type(&value, error, |_| format!("`{hook}` returned {text}; return {expected}")))
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

/// Returns the number that the method `hook` returned. `expected` says in errors what to return.
pub fn value_of(hook: &str, value: Bound<'_, PyAny>, expected: &str) -> PyResult<f64> {
    value.extract().map_err(|error| {
        wrong_type(&value, error, |kind| format!("`{hook}` returned {kind}; return {expected}"))
    })
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
                let expected = "the number of a player from 0, ramure.CHANCE, or None if the game is over";
                player_of("turn", turn, expected).map(Turn::Player)
            }
        });
        turn.unwrap_or(NOBODY)
    }

    fn actions(&self) -> impl IntoIterator<Item = PyAction> {
        let known = &self.hooks.actions;
        // By index, for the list may shrink while actions are compared.
        let number = |list: &Bound<'_, PyList>| {
            (0..list.len()).map(|index| known.number(&list.get_item(index)?)).collect::<PyResult<Vec<_>>>()
        };
        self.ask_actions(number).unwrap_or_default()
    }

    fn apply(&mut self, action: PyAction) {
        *self.count.get_mut() = 0;
        self.ask("apply", |object| {
            let py = object.py();
            object.call_method1(intern!(py, "apply"), (self.hooks.actions.object(py, action)?,)).map(drop)
        });
    }

    fn reward(&self, player: Player) -> f64 {
        number!(self, "reward", _ => player)
    }

    fn players(&self) -> u8 {
        if !self.hooks.has("players") {
            return 2;
        }
        self.ask("players", players_of).unwrap_or(0)
    }

    fn probability(&self, outcome: PyAction) -> f64 {
        if !self.hooks.has("probability") {
            return match self.count.load(Ordering::Relaxed) {
                0 => self.ask_actions(|list| Ok(list.len())).map_or(f64::NAN, |count| 1.0 / count as f64),
                count => 1.0 / count as f64,
            };
        }
        number!(self, "probability", py => self.hooks.actions.object(py, outcome)?)
    }

    /// Gives a number to the drawn action alone.
    fn random_action(&self, rng: &mut Rng) -> Option<PyAction> {
        self.ask_actions(|list| match list.len() {
            0 => Ok(None),
            count => self.hooks.actions.number(&list.get_item(rng.below(count))?).map(Some),
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

/// Only asked for by searches of texts that need it, which [`Hooks::has`] decides.
impl StaticEvaluation for PyGame {
    fn evaluate(&self, player: Player) -> f64 {
        number!(self, "evaluation", _ => player)
    }
}

/// Equal states have equal keys, which are numbered in the order in which they are met.
impl Keyed for PyGame {
    fn key(&self) -> u128 {
        let number = self.ask("key", |object| {
            let key = object.call_method0(intern!(object.py(), "key"))?;
            self.hooks.keys.number(&key)
        });
        number.map_or(u128::MAX, |number| number.index() as u128)
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

/// Pickles the object, with the actions and keys whose numbers the tree has.
impl Serialize for PyGame {
    fn serialize<Out: Serializer>(&self, out: Out) -> Result<Out::Ok, Out::Error> {
        let Hooks { actions, keys, .. } = &*self.hooks;
        Python::attach(|py| {
            let saved = (&self.object, actions.objects(), keys.objects());
            let pickled = py.import("pickle").and_then(|pickle| pickle.call_method1("dumps", (saved,)));
            match pickled.and_then(|pickled| Ok(pickled.cast_into::<PyBytes>()?)) {
                Ok(pickled) => out.serialize_bytes(pickled.as_bytes()),
                Err(error) => Err(ser::Error::custom(self.hooks.keep(py, "pickle.dumps", error))),
            }
        })
    }
}

/// Reads a state of the game whose search is [`at_work`].
impl<'de> Deserialize<'de> for PyGame {
    fn deserialize<In: Deserializer<'de>>(input: In) -> Result<Self, In::Error> {
        let pickled = <&[u8]>::deserialize(input)?;
        let hooks = at_work().ok_or_else(|| de::Error::custom("no search is at work"))?;
        let game = Python::attach(|py| {
            let pickled = (PyBytes::new(py, pickled),);
            let saved = py.import("pickle").and_then(|pickle| pickle.call_method1("loads", pickled));
            let saved = saved.map_err(|error| hooks.keep(py, "pickle.loads", error))?;
            let game = saved.extract().and_then(|(object, actions, keys)| {
                let hooks = Arc::new(hooks.of_file(&object, &actions, &keys)?);
                Ok(PyGame { object: object.unbind(), count: AtomicUsize::new(0), hooks })
            });
            game.map_err(|error| hooks.keep(py, OF_FILE, error))
        });
        game.map_err(de::Error::custom)
    }
}
