//! Networks: functions of Python that evaluate many positions in one call.

use crate::ending;
use crate::game::{PyGame, wrong_type};
use crate::language::Language;
use crate::search::{AnySearch, Deep, set};
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyList;
use ramure::backpropagation::{Average, Solver};
use ramure::search::{Space, Window};
use ramure::selection::Puct;
use ramure::simulation::{Evaluate, Evaluator, Position};
use ramure::{BoxError, GameState, Mcts, Player, Rewards, Turn};
use std::sync::Arc;

/// A function from a list of states and the lists of their actions to values and priors.
pub struct Network {
    function: Arc<Py<PyAny>>,
    /// Whether the function gets an array of planes in place of the states.
    planes: bool,
}

/// A game that Python knows.
pub trait Spoken: GameState + Language + Space<Game = Self, Real = Self> {
    /// Returns the planes of states as one array of NumPy.
    fn planes(py: Python<'_>, states: &[&Self]) -> PyResult<Py<PyAny>>;
}

impl Spoken for PyGame {
    fn planes(py: Python<'_>, states: &[&Self]) -> PyResult<Py<PyAny>> {
        let states = PyList::new(py, states.iter().map(|state| state.shown(py)))?;
        py.import("ramure._planes")?.getattr("stack")?.call1((states,)).map(Bound::unbind)
    }
}

/// What a function said of a position: the rewards of all players, and the priors of the actions.
type Answer = (Vec<f32>, Option<Vec<f32>>);

impl Network {
    /// Evaluates the positions of a batch.
    fn answers<G: Spoken>(&self, py: Python<'_>, batch: &[Position<'_, G>]) -> PyResult<Vec<Answer>> {
        ending::check()?;
        py.check_signals()?; // The function may be written in C.
        let states = batch.iter().map(|position| position.state);
        let actions = batch.iter().map(|position| position.state.list(py, position.actions));
        let actions = PyList::new(py, actions.collect::<PyResult<Vec<_>>>()?)?;
        let states = match self.planes {
            true => G::planes(py, &Vec::from_iter(states))?,
            false => {
                let states = states.map(|state| state.shown_to_python(py));
                PyList::new(py, states.collect::<PyResult<Vec<_>>>()?)?.into_any().unbind()
            }
        };
        static ANSWER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let answer = ANSWER.import(py, "ramure._network", "answer")?;
        let answer = answer.call1((&*self.function, states, actions))?;
        let (values, priors): (Vec<Bound<'_, PyAny>>, Option<Vec<Bound<'_, PyAny>>>) = answer.extract()?;
        let priors =
            priors.map_or_else(|| vec![None; batch.len()], |priors| priors.into_iter().map(Some).collect());
        let answers = batch.iter().zip(values.into_iter().zip(priors)).enumerate();
        let answers = answers.map(|(number, (position, (value, priors)))| {
            let value = rewards(number, position.state.turn(), position.state.players(), &value)?;
            let count = position.actions.len();
            let Some(priors) = priors.filter(|_| count > 0) else { return Ok((value, None)) };
            let wrong = |kind| format!("the priors of state {number} are {kind}; return numbers");
            let priors: Vec<f32> =
                priors.extract().map_err(|error| wrong_type(&priors, error, wrong))?;
            if priors.len() == count {
                return Ok((value, Some(priors)));
            }
            Err(PyValueError::new_err(format!(
                "state {number} has {count} actions and {} priors; return a prior for each action, in their order",
                priors.len(),
            )))
        });
        answers.collect()
    }
}

/// Returns the rewards of all players: a number is the reward of the player to move.
fn rewards(number: usize, turn: Turn, players: u8, value: &Bound<'_, PyAny>) -> PyResult<Vec<f32>> {
    let given = match value.extract::<f32>() {
        Ok(reward) => vec![reward],
        Err(error) if !error.is_instance_of::<PyException>(value.py()) => return Err(error),
        // The `__float__` of an array of several numbers raises exceptions of many classes.
        Err(first) => value.extract::<Vec<f32>>().map_err(|error| {
            let error = if error.is_instance_of::<PyTypeError>(value.py()) { first } else { error };
            let wrong = |kind| format!("the value of state {number} is {kind}; return a number from 0 to 1");
            wrong_type(value, error, wrong)
        })?,
    };
    let (place, or) = match turn {
        Turn::Chance => (", in which chance moves,", ""),
        _ => ("", ", or that of the player to move if there are two"),
    };
    match (&given[..], turn, players) {
        (&[reward], Turn::Player(0), 2) => Ok(vec![reward, 1.0 - reward]),
        (&[reward], Turn::Player(1), 2) => Ok(vec![1.0 - reward, reward]),
        (given, ..) if given.len() == usize::from(players) => Ok(given.to_vec()),
        (given, ..) => Err(PyValueError::new_err(format!(
            "the value of state {number}{place} has {} rewards; return one for each of the {players} players{or}",
            given.len(),
        ))),
    }
}

impl<G: Spoken> Evaluator<G> for Network {
    fn evaluate(&self, batch: &mut [Position<'_, G>]) -> Result<(), BoxError> {
        let answers = Python::attach(|py| self.answers(py, batch))?;
        for (position, (value, priors)) in batch.iter_mut().zip(answers) {
            position.set_value(Rewards::new(value.len() as u8, |player: Player| value[usize::from(player)]));
            if let Some(priors) = priors {
                position.priors().copy_from_slice(&priors);
            }
        }
        Ok(())
    }
}

/// A search by PUCT that has a window of positions evaluated in one call.
pub type Evaluated<G> = Mcts<G, Puct, Evaluate<Network>, Solver<Average>, Window>;

/// Returns a search by `function`, which is given at most `window` states in one call.
pub fn search<G: Spoken>(
    state: G,
    seed: u64,
    memory: Option<usize>,
    (function, planes, window): (&Arc<Py<PyAny>>, bool, usize),
) -> Box<dyn AnySearch>
where
    Evaluated<G>: Deep<G>,
{
    let network = Evaluate::new(Network { function: Arc::clone(function), planes });
    let search = Mcts::new(state).tree_policy(Puct::default()).rollout_policy(network);
    let search: Evaluated<G> = search.backprop(Solver::new(Average)).window(window).seed(seed);
    set::<G>(Box::new(search), memory)
}
