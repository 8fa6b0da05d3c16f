//! Problems of planning written in Python, whose steps give rewards.

use crate::actions::PyAction;
use crate::answers::value_of;
use crate::any_search::{AnySearch, any, deep};
use crate::game::{PyGame, ask};
use crate::hooks::On;
use crate::language::Language;
use pyo3::intern;
use pyo3::prelude::*;
use ramure::search::{OpenPlanning, PlannedAction, Planning};
use ramure::{GameState, Keyed, Mcts, Rng, Simulator};
use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};

/// A state of a simulator written in Python.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PySimulator(PyGame);

impl Simulator for PySimulator {
    type Action = PyAction;
    type Reward = f64;

    fn actions(&self) -> impl IntoIterator<Item = PyAction> {
        self.0.actions()
    }

    fn step(&mut self, action: PyAction, rng: &mut Rng) -> f64 {
        let hooks = &self.0.hooks;
        let reward = self.0.ask("step", |object| {
            let py = object.py();
            let random = hooks.seeded(py, rng.bits())?;
            let action = hooks.actions.object(py, action)?;
            value_of("step", object.call_method1(intern!(py, "step"), (action, random))?, "the reward")
        });
        reward.unwrap_or_default()
    }

    fn is_over(&self) -> bool {
        let is_over = || ask!(self.0, "is_over"(), is_over => is_over.is_truthy());
        self.0.hooks.has("is_over") && is_over().unwrap_or(true)
    }

    fn estimate(&self) -> Option<f64> {
        let estimate =
            || ask!(self.0, "estimate"(), rest => value_of("estimate", rest, "the rewards to come"));
        self.0.hooks.has("estimate").then(estimate).flatten()
    }
}

/// Equal states have equal keys.
impl Hash for PySimulator {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.key().hash(state);
    }
}

macro_rules! spaces {
    ($($space:ty: $has_outcomes:literal),*) => {$(
        impl Language for $space {
            const HAS_OUTCOMES: bool = $has_outcomes;

            fn in_python(&self) -> Option<&PyGame> {
                Some(&self.simulator().0)
            }
            fn action_to_python(&self, py: Python<'_>, action: &PlannedAction<PyAction>) -> PyResult<Py<PyAny>> {
                self.simulator().0.action_to_python(py, &action.action)
            }
            fn action_from_python(&self, action: &Bound<'_, PyAny>) -> PyResult<PlannedAction<PyAction>> {
                Ok(PlannedAction::new(0, self.simulator().0.action_from_python(action)?))
            }
            fn state_to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                self.simulator().0.state_to_python(py)
            }
            fn at(&self, state: &Bound<'_, PyAny>) -> PyResult<Self> {
                Ok(Self::at(self, PySimulator(PyGame::of(state, On::Planning)?)))
            }
        }

        deep!(Mcts<$space>: texts_by(|state| format!("{:?}", state.simulator().0)));
    )*};
}

spaces!(Planning<PySimulator>: true, OpenPlanning<PySimulator>: false);

/// The discount, the horizon and the bounds.
pub type Plan = (f64, Option<u32>, Option<(f64, f64)>);

/// Returns the search of a simulator: one with nodes for outcomes if it has keys.
pub fn search(object: &Bound<'_, PyAny>, plan: Plan, seed: u64) -> PyResult<Box<dyn AnySearch>> {
    let (state, (discount, horizon, bounds)) = (PyGame::of(object, On::Planning)?, plan);
    let has_key = state.hooks.has("key");
    let space = Planning::new(PySimulator(state)).discount(discount);
    let space = horizon.into_iter().fold(space, Planning::horizon);
    let space = bounds.into_iter().fold(space, |space, (least, greatest)| space.bounds(least, greatest));
    Ok(match has_key {
        true => any(Mcts::new(space).seed(seed), None),
        false => any(Mcts::new(space.open_loop()).seed(seed), None),
    })
}
