//! Networks: functions of Python that evaluate many positions in one call.

use crate::answers::wrong_type;
use crate::any_search::{AnySearch, Deep, any, deep, on_threads};
use crate::ending;
use crate::game::PyGame;
use crate::language::Spoken;
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;
use ramure::backpropagation::{Average, Solver};
use ramure::search::{Threads, Window};
use ramure::selection::Puct;
use ramure::simulation::{Evaluate, Evaluator, Position};
use ramure::{BoxError, Mcts, Rewards, Turn};
use std::sync::Arc;

/// A function from a list of states and the lists of their actions to values and priors.
pub struct Network {
    function: Arc<Py<PyAny>>,
    /// Whether the function gets an array of planes in place of the states.
    planes: bool,
}

impl Network {
    /// Evaluates the positions of a batch.
    fn answer<G: Spoken>(&self, py: Python<'_>, batch: &mut [Position<'_, G>]) -> PyResult<()> {
        ending::check()?;
        py.check_signals()?; // The function may be written in C.
        let states: Vec<&G> = batch.iter().map(|position| position.state).collect();
        let actions = batch.iter().map(|position| position.state.list(py, position.actions));
        let actions = PyList::new(py, actions.collect::<PyResult<Vec<_>>>()?)?;
        let answer = py.import("ramure._network")?.getattr("answer")?;
        let answer = answer.call1((&*self.function, G::inputs(py, &states, self.planes)?, actions))?;
        let (values, priors): (Vec<Bound<'_, PyAny>>, Option<Vec<Bound<'_, PyAny>>>) = answer.extract()?;
        for (number, (position, value)) in batch.iter_mut().zip(values).enumerate() {
            let (state, count) = (position.state, position.actions.len());
            position.set_value(rewards(number, state.turn(), state.players(), &value)?);
            let Some(priors) = priors.as_ref().map(|priors| &priors[number]).filter(|_| count > 0) else {
                continue;
            };
            let wrong = |kind| format!("the priors of state {number} are {kind}; return numbers");
            let given: Vec<f32> = priors.extract().map_err(|error| wrong_type(priors, error, wrong))?;
            if given.len() != count {
                return Err(PyValueError::new_err(format!(
                    "state {number} has {count} actions and {} priors; return a prior for each action, in their order",
                    given.len(),
                )));
            }
            position.priors().copy_from_slice(&given);
        }
        Ok(())
    }
}

/// Returns the rewards of all players: a number is the reward of the player to move.
fn rewards(number: usize, turn: Turn, players: u8, value: &Bound<'_, PyAny>) -> PyResult<Rewards> {
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
        (&[reward], Turn::Player(mover @ (0 | 1)), 2) => {
            Ok(Rewards::new(2, |player| if player == mover { reward } else { 1.0 - reward }))
        }
        (given, ..) if given.len() == usize::from(players) => {
            Ok(Rewards::new(players, |player| given[usize::from(player)]))
        }
        (given, ..) => Err(PyValueError::new_err(format!(
            "the value of state {number}{place} has {} rewards; return one for each of the {players} players{or}",
            given.len(),
        ))),
    }
}

impl<G: Spoken> Evaluator<G> for Network {
    fn evaluate(&self, batch: &mut [Position<'_, G>]) -> Result<(), BoxError> {
        Ok(Python::attach(|py| self.answer(py, batch))?)
    }
}

/// A search by PUCT that has a window of positions evaluated in one call.
pub type Evaluated<G, W = ()> = Mcts<G, Puct, Evaluate<Network>, Solver<Average>, Window<W>>;

deep!(Mcts<PyGame>, Evaluated<PyGame>: texts_by(|state| format!("{state:?}")));

/// A function, whether it gets planes, and how many states at most in one call.
pub type Function = (Py<PyAny>, bool, usize);

/// Returns a search by a function, which is called on the thread that searches.
pub fn search<G: Spoken>(state: G, seed: u64, function: Function) -> Box<dyn AnySearch>
where
    Evaluated<G>: Deep,
{
    let (search, function) = evaluated(state, seed, function);
    any(search, Some(function))
}

/// Returns a search on several threads by a function, which all of them call.
pub fn search_on<G: Spoken>(threads: usize, state: G, seed: u64, function: Function) -> Box<dyn AnySearch>
where
    Evaluated<G, Threads>: Deep,
{
    let (search, function) = evaluated(state, seed, function);
    on_threads(search.threads(threads), function)
}

fn evaluated<G: Spoken>(
    state: G,
    seed: u64,
    (function, planes, window): Function,
) -> (Evaluated<G>, Arc<Py<PyAny>>) {
    let function = Arc::new(function);
    let network = Evaluate::new(Network { function: Arc::clone(&function), planes });
    let search = Mcts::new(state).tree_policy(Puct::default()).rollout_policy(network);
    (search.backprop(Solver::new(Average)).window(window).seed(seed), function)
}
