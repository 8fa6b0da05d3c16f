//! Matches between agents: texts, and functions from a state to an action. Tuning, which plays such matches.

use crate::builtin::{Game, KNOWN};
use crate::ending::{self, Running};
use crate::failure::{Hooks, On};
use crate::game::PyGame;
use crate::language::{in_python, result_of};
use crate::network::Spoken;
use crate::search::known_for_python;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use ramure::agents::Agent;
use ramure::{CustomError, GameState, SearchError, StopHandle};
use ramure_lab::Recipe;
use ramure_lab::commands::AnyGame;
use ramure_lab::contest::{Conditions, Estimate, Match, Tally};
use ramure_lab::tuning::{Playing, Row, Tuner};
use std::error::Error;
use std::fmt::Display;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// What happens outside of the games: an end that was asked for, and what a function raised.
#[derive(Clone, Default)]
struct Outside {
    stop: StopHandle,
    raised: Arc<Mutex<Option<PyErr>>>,
}

impl Outside {
    /// Keeps the first exception, and ends the match after the games that are being played.
    fn raise(&self, error: PyErr) {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.stop.stop();
    }

    /// Calls `work` on another thread, while this one looks for Ctrl-C.
    fn watch<T: Send, E: Error + Send>(
        &self,
        py: Python<'_>,
        hooks: Option<&Arc<Hooks>>,
        work: impl FnOnce() -> Result<T, E> + Send,
    ) -> PyResult<T> {
        let result = py.detach(|| {
            thread::scope(|scope| {
                // If this thread panics, the scope waits for the games, which would go on to their end.
                let _end = StopWhenUnwinding(&self.stop);
                let (sender, receiver) = channel::<()>();
                let worker = scope.spawn(move || {
                    let _sender = sender; // is dropped when the work has ended
                    work()
                });
                while let Err(RecvTimeoutError::Timeout) = receiver.recv_timeout(Duration::from_millis(50)) {
                    match Python::try_attach(|py| ending::check().and_then(|()| py.check_signals())) {
                        Some(Ok(())) => {}
                        Some(Err(error)) => self.raise(error),
                        None => self.stop.stop(),
                    }
                }
                worker.join().ok()
            })
        });
        if let Some(error) = self.raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(error);
        }
        // A failing search forfeits its game. An exception of the game itself ends the match without a result.
        result_of(py, hooks, Ok(()))?;
        result
            .ok_or_else(|| wrong("the games ended without a result, because their thread panicked"))?
            .map_err(in_full)
    }
}

/// Stops the games if it is dropped by a panic.
struct StopWhenUnwinding<'a>(&'a StopHandle);

impl Drop for StopWhenUnwinding<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

/// An agent that a function of Python is: from a state and its legal actions to the index of one.
#[derive(Clone)]
struct Function {
    name: String,
    function: Arc<Py<PyAny>>,
    outside: Outside,
}

impl<G: Spoken> Agent<G> for Function {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, state: &G) -> Result<G::Action, SearchError> {
        let legal: Vec<G::Action> = state.actions().into_iter().collect();
        let choice = Python::attach(|py| {
            ending::check()?;
            let hooks = state.hooks();
            if hooks.is_some_and(|hooks| hooks.has_failed()) {
                return Ok(None::<usize>);
            }
            let copy = match (state.state_to_python(py), hooks) {
                (Err(error), Some(hooks)) => return Ok(hooks.fail(py, "__copy__", error)),
                (copy, _) => copy?,
            };
            self.function.bind(py).call1((copy, state.list(py, &legal)?))?.extract().map(Some)
        });
        match choice {
            Ok(Some(index)) => Ok(legal[index].clone()),
            Ok(None) => Err(SearchError::Agent(CustomError::new("the game raised an exception"))),
            Err(error) => {
                self.outside.raise(error);
                Err(SearchError::Agent(CustomError::new("the agent raised an exception")))
            }
        }
    }
}

/// The name of an agent, which is its text, or its function.
type Named = (String, Option<Py<PyAny>>);

/// Returns the recipes of agents: texts, which `read` reads, and functions.
fn recipes<G: Spoken>(
    agents: Vec<Named>,
    outside: &Outside,
    read: impl Fn(&str) -> PyResult<Recipe<G>>,
) -> PyResult<Vec<Recipe<G>>> {
    let recipe = |(name, function): Named| {
        let Some(function) = function else { return read(&name) };
        let function = Function { name, function: Arc::new(function), outside: outside.clone() };
        Ok(Recipe::new(move || function.clone()))
    };
    agents.into_iter().map(recipe).collect()
}

/// A state from which games begin.
enum Start {
    Crate(Box<AnyGame>),
    Python(PyGame),
}

/// Returns the start of games, and their name.
fn start(state: &Bound<'_, PyAny>) -> PyResult<(Start, String)> {
    if let Ok(game) = state.cast::<Game>() {
        let game = game.try_borrow()?.0.clone();
        let name = game.game_name();
        return Ok((Start::Crate(Box::new(game)), name));
    }
    let game = PyGame::new(state, Hooks::of(state, On::Match, "game")?)?;
    Ok((Start::Python(game), state.get_type().name()?.to_string()))
}

/// Plays a match between agents, and returns its result.
#[pyfunction]
#[pyo3(signature = (state, agents, games, openings, seed, threads))]
pub fn compare(
    state: &Bound<'_, PyAny>,
    agents: Vec<Named>,
    games: u32,
    openings: u32,
    seed: u64,
    threads: Option<usize>,
) -> PyResult<(Vec<Standing>, String)> {
    let py = state.py();
    let _running = Running::begin()?;
    let outside = Outside::default();
    let (start, name) = start(state)?;
    let conditions = Conditions::games(games).openings(openings).seed(seed).label(name);
    let conditions = threads.into_iter().fold(conditions, Conditions::threads);
    let conditions = conditions.stop_handle(outside.stop.clone());
    let result = match start {
        Start::Crate(game) => {
            let contest =
                Match::new(*game, recipes(agents, &outside, |text| KNOWN.read(text).map_err(wrong))?);
            outside.watch(py, None, || contest.run(&conditions))?
        }
        Start::Python(game) => {
            let hooks = game.hooks().clone();
            let agents =
                recipes(agents, &outside, |text| known_for_python(&hooks).read(text).map_err(wrong))?;
            let contest = Match::new(game, agents);
            outside.watch(py, Some(&hooks), || contest.run(&conditions))?
        }
    };
    let standings = result.standings.iter();
    let standings = standings.map(|of| standing(&of.name, of.tally, of.score, of.seconds, &of.forfeits));
    Ok((standings.collect(), in_python(&result.to_string())))
}

/// Finds a good search by games, and returns the result.
#[pyfunction]
#[pyo3(signature = (state, default, games, minutes, openings, seed, threads))]
pub fn tune(
    state: &Bound<'_, PyAny>,
    default: &str,
    games: Option<u64>,
    minutes: Option<f64>,
    openings: u32,
    seed: u64,
    threads: Option<usize>,
) -> PyResult<Tuning> {
    let py = state.py();
    let _running = Running::begin()?;
    let outside = Outside::default();
    let (start, _) = start(state)?;
    let mut playing = Playing { openings, seed, stop: outside.stop.clone(), ..Playing::default() };
    playing.threads = threads.unwrap_or(playing.threads);
    // A tuner stays on its thread.
    let tuning = match start {
        Start::Crate(game) => outside.watch(py, None, || {
            limited(KNOWN.tuner(*game, default)?, games, minutes).playing(playing).run()
        })?,
        Start::Python(game) => {
            let hooks = game.hooks().clone();
            known_for_python(&hooks).read(default).map_err(wrong)?;
            outside.watch(py, Some(&hooks), || {
                let tuner = Tuner::new(game, known_for_python(&hooks), default)?;
                limited(tuner, games, minutes).playing(playing).run()
            })?
        }
    };
    let row = |row: &Row| standing(&row.agent, row.tally, row.score, 0.0, &row.forfeits);
    let rows = |rows: &[Row]| rows.iter().map(row).collect();
    let best = tuning.best().agent.clone();
    let (tried, fresh) = (rows(&tuning.rows), rows(&tuning.fresh));
    let (played, text) = (tuning.games(), in_python(&tuning.to_string()));
    Ok((best, tried, fresh, tuning.code, played, text))
}

/// Sets how long a tuning may take.
fn limited<G: GameState + Sync>(tuner: Tuner<G>, games: Option<u64>, minutes: Option<f64>) -> Tuner<G> {
    let tuner = games.into_iter().fold(tuner, Tuner::games);
    minutes.into_iter().fold(tuner, Tuner::minutes)
}

/// The fields of a `Tuning`.
type Tuning = (String, Vec<Standing>, Vec<Standing>, Option<String>, u64, String);

/// The fields of a `Standing`.
type Standing = (String, (u32, u32, u32), Option<(f64, f64, f64)>, f64, Vec<String>);

fn standing(
    name: &str,
    tally: Tally,
    score: Option<Estimate>,
    seconds: f64,
    forfeits: &[String],
) -> Standing {
    let score = score.map(|score| (score.value, score.low, score.high));
    let forfeits = forfeits.iter().map(|text| in_python(text)).collect();
    (name.to_owned(), (tally.wins, tally.draws, tally.losses), score, seconds, forfeits)
}

pub fn wrong(error: impl Display) -> PyErr {
    PyValueError::new_err(in_python(&error.to_string()))
}

/// Returns an error with what it follows from.
fn in_full(error: impl Error) -> PyErr {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text += &format!(": {error}");
        source = error.source();
    }
    wrong(text)
}
