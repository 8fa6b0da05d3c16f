//! Problems of planning written in Python, whose steps give rewards.

use crate::actions::PyAction;
use crate::answers::value_of;
use crate::any_search::{AnySearch, Deep, Done, Task, any, deep};
use crate::failure::{result_of, wrong};
use crate::game::{PyGame, ask};
use crate::hooks::{Hooks, On};
use crate::language::Language;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use ramure::search::{HistoryStep, OpenPlanning, PlannedAction, Planning, Pomdp, Space};
use ramure::{Belief, GameState, Keyed, Mcts, PartiallyObserved, Rng, SearchError, Simulator};
use ramure_explorer::Explorer;
use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A state of a simulator written in Python.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PySimulator(pub PyGame);

impl Simulator for PySimulator {
    type Action = PyAction;
    type Reward = f64;

    fn actions(&self) -> impl IntoIterator<Item = PyAction> {
        self.0.actions()
    }

    fn step(&mut self, action: PyAction, rng: &mut Rng) -> f64 {
        let hooks = &self.0.hooks;
        let reward = ask!(
            self.0,
            "step"(py => hooks.actions.object(py, action)?, hooks.seeded(py, rng.bits())?),
            reward => value_of("step", reward, "the reward")
        );
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

/// Observations share the numbers of actions.
impl PartiallyObserved for PySimulator {
    type Observation = PyAction;

    fn observe(&self, action: &PyAction, rng: &mut Rng) -> PyAction {
        let hooks = &self.0.hooks;
        let observation = ask!(
            self.0,
            "observe"(py => hooks.actions.object(py, *action)?, hooks.seeded(py, rng.bits())?),
            observation => hooks.actions.number(&observation)
        );
        observation.unwrap_or_default()
    }

    fn likelihood(&self, action: &PyAction, observation: &PyAction) -> Option<f64> {
        let (hooks, known) = (&self.0.hooks, &self.0.hooks.actions);
        let likelihood = || {
            ask!(
                self.0,
                "likelihood"(py => known.object(py, *action)?, known.object(py, *observation)?),
                likelihood => value_of("likelihood", likelihood, "a finite number, 0 or more")
            )
        };
        hooks.has("likelihood").then(likelihood).map(Option::unwrap_or_default)
    }

    fn reinvigorate(&self, rng: &mut Rng) -> Option<Self> {
        let hooks = &self.0.hooks;
        let other = || {
            ask!(self.0, "reinvigorate"(py => hooks.seeded(py, rng.bits())?), other => {
                (!other.is_none()).then(|| PyGame::new(&other, Arc::clone(hooks))).transpose()
            })
        };
        hooks.has("reinvigorate").then(other)??.map(PySimulator)
    }
}

/// Equal states have equal keys.
impl Hash for PySimulator {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.key().hash(state);
    }
}

/// Why a search of a simulator with keys has no actions after a line.
const NO_LINES: &str = "with `key`, the actions after a step depend on its outcome, which a line of actions does not name; give an \
                        empty line, or `reset` a search to the state in question";

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
            fn line_from_python(&self, line: &[Bound<'_, PyAny>]) -> PyResult<Option<Vec<PlannedAction<PyAction>>>> {
                if $has_outcomes && !line.is_empty() {
                    return Err(PyValueError::new_err(NO_LINES));
                }
                line.iter().map(|action| self.action_from_python(action).map(Some)).collect()
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

/// The space of a belief.
type Believing = Pomdp<PySimulator>;

/// An action, or what is observed after it.
type Seen = HistoryStep<PyAction, PyAction>;

impl Language for Believing {
    const HAS_OUTCOMES: bool = true;

    fn in_python(&self) -> Option<&PyGame> {
        Some(&self.root().simulator().0)
    }
    fn action_to_python(&self, py: Python<'_>, step: &Seen) -> PyResult<Py<PyAny>> {
        let met = step.observation.unwrap_or(step.action);
        self.root().simulator().0.action_to_python(py, &met)
    }
    fn action_from_python(&self, action: &Bound<'_, PyAny>) -> PyResult<Seen> {
        self.root().simulator().0.action_from_python(action).map(HistoryStep::new)
    }
    /// Actions and observations in turn.
    fn line_from_python(&self, line: &[Bound<'_, PyAny>]) -> PyResult<Option<Vec<Seen>>> {
        let mut steps: Vec<Seen> = Vec::new();
        for (place, object) in line.iter().enumerate() {
            let met = self.action_from_python(object)?;
            let observed = |action| HistoryStep { action, observation: Some(met.action) };
            steps.push(if place % 2 == 0 { met } else { observed(steps[place - 1].action) });
        }
        Ok(Some(steps))
    }
    fn state_to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let particles = self.belief().particles();
        let copied = |(state, weight): (&PySimulator, f64)| Ok((state.0.state_to_python(py)?, weight));
        let pairs = PyList::new(py, particles.map(copied).collect::<PyResult<Vec<_>>>()?)?;
        py.import("ramure._belief")?.getattr("of_pairs")?.call1((pairs,)).map(Bound::unbind)
    }
    fn at(&self, state: &Bound<'_, PyAny>) -> PyResult<Self> {
        let next = Self::at(self, belief(state)?);
        result_of(state.py(), &next.kept(), Ok(next))
    }
}

/// Files would have what particles share once for each of them.
impl Deep for Mcts<Believing> {
    fn perform(&mut self, task: Task<'_>) -> Done {
        let Task::Page(title, nodes) = task else { return None };
        let explorer = Explorer::new(self.tree()).title(title).nodes(nodes);
        Some(Ok(explorer.texts_by(|state| format!("{:?}", state.simulator().0)).to_string()))
    }
    fn observe(&mut self, action: Seen, observation: Seen) -> Result<(), SearchError> {
        Mcts::observe(self, action, observation.action)
    }
}

/// Returns the belief that an object of the class `Belief` of Python is, which has checked it.
pub fn belief(object: &Bound<'_, PyAny>) -> PyResult<Belief<PySimulator>> {
    let pairs: Vec<(Bound<'_, PyAny>, f64)> = object.getattr("_pairs")?.extract()?;
    let hooks = Arc::new(Hooks::of(&pairs[0].0, On::Belief)?);
    let copied = |(state, weight): &(Bound<'_, PyAny>, f64)| {
        Ok((PySimulator(PyGame::new(state, Arc::clone(&hooks))?), *weight))
    };
    let particles = pairs.iter().map(copied).collect::<PyResult<Vec<_>>>()?;
    Belief::weighted(particles).map_err(wrong)
}

/// The discount, the horizon, the bounds, and the scale and the exponent of the number of observations, if the
/// simulator is a belief.
pub type Plan = (f64, Option<u32>, Option<(f64, f64)>, Option<(Option<(f64, f64)>,)>);

/// Sets the discount, the horizon and the bounds of a space.
macro_rules! settled {
    ($space:expr, $plan:expr) => {{
        let space = $space.discount($plan.0);
        let space = $plan.1.into_iter().fold(space, |space, steps| space.horizon(steps));
        $plan.2.into_iter().fold(space, |space, (least, greatest)| space.bounds(least, greatest))
    }};
}

/// Returns the search of a simulator: one with nodes for outcomes if it has keys, one of histories if it is a belief.
pub fn search(object: &Bound<'_, PyAny>, plan: Plan, seed: u64) -> PyResult<Box<dyn AnySearch>> {
    if let Some((few,)) = plan.3 {
        let space = settled!(Pomdp::new(belief(object)?), plan);
        let space = few.into_iter().fold(space, |space, (scale, power)| space.observations(scale, power));
        result_of(object.py(), &space.kept(), Ok(()))?;
        return Ok(any(Mcts::new(space).seed(seed), None));
    }
    let state = PyGame::of(object, On::Planning)?;
    let has_key = state.hooks.has("key");
    let space = settled!(Planning::new(PySimulator(state)), plan);
    Ok(match has_key {
        true => any(Mcts::new(space).seed(seed), None),
        false => any(Mcts::new(space.open_loop()).seed(seed), None),
    })
}
