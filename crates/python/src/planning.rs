//! Problems of planning written in Python, whose steps give rewards.

use crate::actions::PyAction;
use crate::failure::{Hooks, On};
use crate::game::{PyGame, value_of};
use crate::language::{Language, Shown};
use crate::search::{AnySearch, deep, set};
use pyo3::intern;
use pyo3::prelude::*;
use ramure::search::{OpenPlanning, PlannedAction, Planning};
use ramure::{GameState, Keyed, Mcts, Rng, Simulator};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

/// The source of the numbers of `ramure._planning.Random`.
#[pyclass(frozen, module = "ramure._ramure")]
pub struct Draws(Mutex<Rng>);

impl Draws {
    fn draw<T>(&self, draw: impl FnOnce(&mut Rng) -> T) -> T {
        draw(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[pymethods]
impl Draws {
    fn unit(&self) -> f64 {
        self.draw(Rng::unit)
    }

    fn bits(&self) -> u64 {
        self.draw(Rng::bits)
    }
}

/// A state of a simulator written in Python.
#[derive(Clone)]
pub struct PySimulator {
    state: PyGame,
    shared: Arc<Shared>,
}

/// What all states of a search share, besides their [`Hooks`].
struct Shared {
    draws: Py<Draws>,
    /// What steps get: the `Random` that draws from `draws`.
    random: Py<PyAny>,
}

impl PySimulator {
    /// Returns the simulator that an object is, if it has the methods of one.
    fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let hooks = Hooks::of(object, On::Search, "simulator")?;
        Self::new(object.py(), PyGame::new(object, hooks)?)
    }

    fn new(py: Python<'_>, state: PyGame) -> PyResult<Self> {
        let draws = Bound::new(py, Draws(Mutex::new(Rng::seeded(0))))?;
        let random = py.import("ramure._planning")?.getattr("Random")?.call1((&draws,))?.unbind();
        let shared = Shared { draws: draws.unbind(), random };
        Ok(PySimulator { state, shared: Arc::new(shared) })
    }
}

impl Simulator for PySimulator {
    type Action = PyAction;
    type Reward = f64;
    const CAN_FAIL: bool = true;

    fn actions(&self) -> impl IntoIterator<Item = PyAction> {
        self.state.actions()
    }

    fn step(&mut self, action: PyAction, rng: &mut Rng) -> f64 {
        let Shared { draws, random, .. } = &*self.shared;
        let reward = self.state.ask("step", |object| {
            let py = object.py();
            py.check_signals()?; // The methods of this simulator may be written in C.
            draws.get().draw(|own| *own = Rng::seeded(rng.bits()));
            let random = random.bind(py);
            random.setattr(intern!(py, "gauss_next"), py.None())?; // a number that `gauss` keeps
            let action = self.state.hooks().actions.object(py, action)?;
            let reward = object.call_method1(intern!(py, "step"), (action, random))?;
            value_of("step", reward, "the reward")
        });
        reward.unwrap_or_default()
    }

    fn is_over(&self) -> bool {
        self.state.hooks().has("is_over")
            && self
                .state
                .ask("is_over", |object| object.call_method0(intern!(object.py(), "is_over"))?.is_truthy())
                .unwrap_or(true)
    }

    fn estimate(&self) -> Option<f64> {
        if !self.state.hooks().has("estimate") {
            return None;
        }
        self.state.ask("estimate", |object| {
            let rest = object.call_method0(intern!(object.py(), "estimate"))?;
            value_of("estimate", rest, "the rewards to come")
        })
    }
}

/// Equal states have equal keys.
impl Hash for PySimulator {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.state.key().hash(state);
    }
}

impl Serialize for PySimulator {
    fn serialize<Out: Serializer>(&self, out: Out) -> Result<Out::Ok, Out::Error> {
        self.state.serialize(out)
    }
}

impl<'de> Deserialize<'de> for PySimulator {
    fn deserialize<In: Deserializer<'de>>(input: In) -> Result<Self, In::Error> {
        let state = PyGame::deserialize(input)?;
        Python::attach(|py| Self::new(py, state)).map_err(de::Error::custom)
    }
}

impl fmt::Debug for PySimulator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.state.fmt(f)
    }
}

macro_rules! spaces {
    ($($space:ty: $has_outcomes:literal),*) => {$(
        impl Language for $space {
            const HAS_OUTCOMES: bool = $has_outcomes;

            fn in_python(&self) -> Option<&PyGame> {
                Some(&self.simulator().state)
            }
            fn action_to_python(&self, py: Python<'_>, action: &PlannedAction<PyAction>) -> PyResult<Py<PyAny>> {
                self.simulator().state.action_to_python(py, &action.action)
            }
            fn action_from_python(&self, action: &Bound<'_, PyAny>) -> PyResult<PlannedAction<PyAction>> {
                Ok(PlannedAction::new(0, self.simulator().state.action_from_python(action)?))
            }
            fn state_to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                self.simulator().state.state_to_python(py)
            }
            fn at(&self, state: &Bound<'_, PyAny>) -> PyResult<Self> {
                Ok(Self::at(self, PySimulator::of(state)?))
            }
            fn is_outcome(action: &PlannedAction<PyAction>) -> bool {
                action.is_outcome()
            }
        }

        impl Shown for $space {
            fn shown(state: &Self::Real, _: Option<PlannedAction<PyAction>>) -> String {
                format!("{:?}", state.simulator())
            }
        }

        deep!($space: Mcts<$space>);
    )*};
}

spaces!(Planning<PySimulator>: true, OpenPlanning<PySimulator>: false);

/// The discount, the horizon and the bounds.
pub type Plan = (f64, Option<u32>, Option<(f64, f64)>);

/// Returns the search of a simulator: one with nodes for outcomes if it has keys.
pub fn search(
    simulator: &Bound<'_, PyAny>,
    (discount, horizon, bounds): Plan,
    seed: u64,
    memory: Option<usize>,
) -> PyResult<Box<dyn AnySearch>> {
    let simulator = PySimulator::of(simulator)?;
    let has_key = simulator.state.hooks().has("key");
    let space = Planning::new(simulator).discount(discount);
    let space = horizon.into_iter().fold(space, Planning::horizon);
    let space = bounds.into_iter().fold(space, |space, (least, greatest)| space.bounds(least, greatest));
    Ok(match has_key {
        true => set(Box::new(Mcts::new(space).seed(seed)), memory),
        false => set(Box::new(Mcts::new(space.open_loop()).seed(seed)), memory),
    })
}
