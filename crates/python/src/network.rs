//! Networks: functions of Python that evaluate many positions in one call.

use crate::answers::evaluation;
use crate::any_search::{Answer, AnySearch, Asked, Deep, Questions, any, deep, on_threads};
use crate::ending;
use crate::game::PyGame;
use crate::language::Spoken;
use crate::network;
use pyo3::prelude::*;
use pyo3::types::PyList;
use ramure::backpropagation::{Average, Solver};
use ramure::search::{Question, Threads, Window};
use ramure::selection::Puct;
use ramure::simulation::{Evaluate, Evaluator, Position};
use ramure::{BoxError, Mcts};
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
            let of = (position.state.turn(), position.state.players(), position.actions.len());
            let (value, given) =
                evaluation(number, of, &value, priors.as_ref().map(|priors| &priors[number]))?;
            position.set_value(value);
            if let Some(given) = given {
                position.priors().copy_from_slice(&given);
            }
        }
        Ok(())
    }
}

impl<G: Spoken> Evaluator<G> for Network {
    fn evaluate(&self, batch: &mut [Position<'_, G>]) -> Result<(), BoxError> {
        Ok(Python::attach(|py| self.answer(py, batch))?)
    }
}

/// A search by PUCT that has a window of positions evaluated in one call.
pub type Evaluated<G, W = ()> = Mcts<G, Puct, Evaluate<Network>, Solver<Average>, Window<W>>;

deep!(Mcts<PyGame>: texts_by(|state| format!("{state:?}")));
deep!(asked Evaluated<PyGame>: texts_by(|state| format!("{state:?}")));

/// Takes in answers, and asks until the root has so many visits or the window is full. Without visits, drops the
/// questions that are open.
pub fn exchange<G: Spoken, W>(
    search: &mut Evaluated<G, W>,
    answers: Vec<Answer>,
    visits: Option<u32>,
) -> Questions<G> {
    answers.into_iter().try_for_each(|(ticket, rewards, priors)| search.tell(ticket, rewards, &priors))?;
    let Some(visits) = visits else { return search.finish().map(|()| Vec::new()) };
    let (mut asked, visited) =
        (Vec::new(), |search: &Evaluated<G, W>| search.tree().root().map_or(0, |root| root.visits()));
    loop {
        let before = visited(search);
        for _ in before..visits {
            let Some(Question { ticket, state, actions, .. }) = search.ask()? else { break };
            let of = (state.turn(), state.players(), actions.len());
            asked.push(Asked { ticket, state: state.clone(), actions: actions.to_vec(), of });
        }
        // The leaves of finished games need no answer.
        if !asked.is_empty() || visited(search) == before {
            return Ok(asked);
        }
    }
}

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
