//! A game written in Python, as a state that the crate can search.

use crate::actions::PyAction;
use crate::answers::{player_of, players_of, value_of};
use crate::ending;
use crate::failure::Hook;
use crate::hooks::{Hooks, InFile, On, at_work};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyList};
use ramure::{ActionIndex, GameState, HiddenInformation, Keyed, Player, Rng, StaticEvaluation, Turn};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A state of a game or a simulator written in Python.
///
/// A copy of it is a copy of the object. What an object raises is kept in its [`Hooks`], and ends the search by
/// [`ramure::fail`].
pub struct PyGame {
    /// It must not be changed, except by `apply` and `step`.
    pub object: Py<PyAny>,
    /// The number of actions, so that `probability` need not list them; 0 if it is not known.
    count: AtomicUsize,
    pub hooks: Arc<Hooks>,
}

impl PyGame {
    /// Returns the state that `object` is.
    pub fn of(object: &Bound<'_, PyAny>, on: On) -> PyResult<Self> {
        PyGame::new(object, Hooks::of(object, on)?)
    }

    /// Takes a copy of `object` as the state, so that the search and its caller share nothing.
    pub fn new(object: &Bound<'_, PyAny>, hooks: impl Into<Arc<Hooks>>) -> PyResult<Self> {
        let hooks = hooks.into();
        Ok(PyGame { object: hooks.copy_of(object)?.unbind(), count: AtomicUsize::new(0), hooks })
    }

    /// Asks the object. Returns `None` if it raises, or if its match is over.
    pub fn ask<T>(&self, hook: Hook, ask: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> Option<T> {
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

/// Asks the object by a method with these arguments, and reads the answer.
macro_rules! ask {
    ($game:expr, $hook:literal(), $answer:pat => $read:expr) => {
        $game.ask($hook, |object| {
            let $answer = object.call_method0(pyo3::intern!(object.py(), $hook))?;
            $read
        })
    };
    ($game:expr, $hook:literal($py:pat => $($argument:expr),+), $answer:pat => $read:expr) => {
        $game.ask($hook, |object| {
            let $py = object.py();
            let $answer = object.call_method1(pyo3::intern!(object.py(), $hook), ($($argument,)+))?;
            $read
        })
    };
}
pub(crate) use ask;

/// Returns the reward, the probability or the evaluation that the method `hook` returned.
fn share(hook: &str, value: Bound<'_, PyAny>) -> PyResult<f64> {
    value_of(hook, value, "a number from 0 to 1")
}

/// Fails if a method returned another state: of a game whose `apply` leaves the state as it is, no rollout ends.
fn nothing(object: &Bound<'_, PyAny>, hook: &str, answer: &Bound<'_, PyAny>) -> PyResult<()> {
    if !answer.get_type().is(object.get_type()) || answer.is(object) {
        return Ok(());
    }
    let text =
        format!("`{hook}` returned another state; change the state that it is called on, and return nothing");
    Err(PyTypeError::new_err(text))
}

/// Copies the object.
impl Clone for PyGame {
    fn clone(&self) -> Self {
        let copied = self.ask("__copy__", |object| self.hooks.copy_of(object).map(Bound::unbind));
        PyGame {
            // A search drops this copy. Whatever is done with it before, it must not change the state.
            object: copied.unwrap_or_else(|| Python::attach(|py| py.None())),
            count: AtomicUsize::new(self.count.load(Ordering::Relaxed)),
            hooks: Arc::clone(&self.hooks),
        }
    }
}

impl GameState for PyGame {
    type Action = PyAction;

    fn turn(&self) -> Turn {
        static CHANCE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let turn = self.ask("turn", |object| {
            let py = object.py();
            // Ctrl-C raises in a method written in Python. The methods of this game may be written in C.
            py.check_signals()?;
            let turn = object.call_method0(intern!(py, "turn"))?;
            if turn.is_none() {
                Ok(Turn::Over)
            } else if turn.is(CHANCE.import(py, "ramure._text", "CHANCE")?) {
                Ok(Turn::Chance)
            } else {
                let expected = "the number of a player from 0, ramure.CHANCE, or None if the game is over";
                player_of("turn", turn, expected).map(Turn::Player)
            }
        });
        // No game has this player, so everything ends at once.
        turn.unwrap_or(Turn::Player(Player::MAX))
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
            let action = self.hooks.actions.object(py, action)?;
            nothing(object, "apply", &object.call_method1(intern!(py, "apply"), (action,))?)
        });
    }

    fn reward(&self, player: Player) -> f64 {
        ask!(self, "reward"(_ => player), reward => share("reward", reward)).unwrap_or(f64::NAN)
    }

    fn players(&self) -> u8 {
        if !self.hooks.has("players") {
            return 2;
        }
        self.ask("players", players_of).unwrap_or(0)
    }

    fn is_simultaneous(&self) -> bool {
        let together = || ask!(self, "is_simultaneous"(), together => together.is_truthy());
        self.hooks.has("is_simultaneous") && together().unwrap_or_default()
    }

    fn probability(&self, outcome: PyAction) -> f64 {
        if !self.hooks.has("probability") {
            return match self.count.load(Ordering::Relaxed) {
                0 => self.ask_actions(|list| Ok(list.len())).map_or(f64::NAN, |count| 1.0 / count as f64),
                count => 1.0 / count as f64,
            };
        }
        let known = &self.hooks.actions;
        let of = ask!(self, "probability"(py => known.object(py, outcome)?), of => share("probability", of));
        of.unwrap_or(f64::NAN)
    }

    /// Gives a number to the drawn action alone.
    fn random_action(&self, rng: &mut Rng) -> Option<PyAction> {
        self.ask_actions(|list| match list.len() {
            0 => Ok(None),
            count => self.hooks.actions.number(&list.get_item(rng.below(count))?).map(Some),
        })?
    }

    fn random_rollout(&mut self, rng: &mut Rng) {
        if self.hooks.has("random_rollout") {
            *self.count.get_mut() = 0;
            let seed = rng.bits();
            ask!(self, "random_rollout"(py => self.hooks.seeded(py, seed)?), _ => Ok(()));
        }
    }
}

/// Only asked for by searches that need it, for games that have it. Without `observe`, players see all actions.
impl HiddenInformation for PyGame {
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        *self.count.get_mut() = 0;
        if self.hooks.has("determinize") {
            self.ask("determinize", |object| {
                let py = object.py();
                let random = self.hooks.seeded(py, rng.bits())?;
                let answer = object.call_method1(intern!(py, "determinize"), (observer, random))?;
                nothing(object, "determinize", &answer)
            });
        }
    }

    fn observe(&self, action: PyAction, observer: Player) -> Option<PyAction> {
        let known = &self.hooks.actions;
        let seen = || {
            ask!(self, "observe"(py => known.object(py, action)?, observer), seen => {
                (!seen.is_none()).then(|| known.number(&seen)).transpose()
            })
        };
        if self.hooks.has("observe") { seen().flatten() } else { Some(action) }
    }

    fn private_knowledge(&self, player: Player) -> impl IntoIterator<Item = PyAction> {
        let known = &self.hooks.actions;
        let told = || {
            ask!(self, "private_knowledge"(_ => player), told => {
                told.try_iter()?.map(|action| known.number(&action?)).collect::<PyResult<Vec<_>>>()
            })
        };
        self.hooks.has("private_knowledge").then(told).flatten().unwrap_or_default()
    }
}

/// Actions are numbered in the order in which they are met.
impl ActionIndex for PyGame {
    const ACTION_COUNT: usize = 4_096; // as `ramure._text.in_python` says

    fn action_index(action: PyAction) -> usize {
        action.index()
    }
}

/// Only asked for by searches of texts that need it, which [`Hooks::has`] decides.
impl StaticEvaluation for PyGame {
    fn evaluate(&self, player: Player) -> f64 {
        ask!(self, "evaluation"(_ => player), value => share("evaluation", value)).unwrap_or(f64::NAN)
    }
}

/// Equal states have equal keys, which are numbered in the order in which they are met.
impl Keyed for PyGame {
    fn key(&self) -> u128 {
        let number = ask!(self, "key"(), key => self.hooks.keys.number(&key));
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
            let saved = (&self.object, &actions.objects, &keys.objects);
            let pickled = py.import("pickle").and_then(|pickle| pickle.call_method1("dumps", (saved,)));
            match pickled.and_then(|pickled| Ok(pickled.cast_into::<PyBytes>()?)) {
                Ok(pickled) => out.serialize_bytes(pickled.as_bytes()),
                Err(error) => Err(ser::Error::custom(self.hooks.keep(py, Some("pickle.dumps"), error))),
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
            let saved = saved.map_err(|error| hooks.keep(py, Some("pickle.loads"), error))?;
            let game = saved.extract().and_then(|saved: InFile<'_>| {
                let hooks = Arc::new(hooks.of_file(&saved)?);
                Ok(PyGame { object: saved.0.unbind(), count: AtomicUsize::new(0), hooks })
            });
            game.map_err(|error| hooks.keep(py, None, error)) // says what is wrong with the file
        });
        game.map_err(de::Error::custom)
    }
}
