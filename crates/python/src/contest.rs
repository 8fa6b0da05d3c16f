//! Matches between agents: texts, and functions from a state to an action. Tuning, which plays such matches.

use crate::builtin::{Game, KNOWN};
use crate::ending::{self, Running};
use crate::failure::{GAME, Hooks, On};
use crate::game::{PyGame, kind_of};
use crate::language::{in_python, result_of};
use crate::network::Spoken;
use crate::search::{KNOWN_FOR_PYTHON, one_thread};
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;
use ramure::agents::Agent;
use ramure::{CustomError, GameState, SearchError, StopHandle};
use ramure_lab::Recipe;
use ramure_lab::commands::AnyGame;
use ramure_lab::contest::{Conditions, Estimate, Match, Tally};
use ramure_lab::tuning::{Playing, Row, Tuner, Tuning};
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
        hooks: Option<&Hooks>,
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

/// An agent that a function of Python is.
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
        let has_failed = || state.hooks().is_some_and(|hooks| hooks.has_failed());
        let choice = Python::attach(|py| {
            ending::check()?;
            if has_failed() {
                return Ok(None);
            }
            let copy = match (state.state_to_python(py), state.hooks()) {
                (Err(error), Some(hooks)) => return Ok(hooks.fail(py, "__copy__", error)),
                (copy, _) => copy?,
            };
            let chosen = self.function.bind(py).call1((copy,))?;
            let cause = match state.action_from_python(&chosen) {
                Ok(action) if state.actions().into_iter().any(|legal| legal == action) => {
                    return Ok(Some(action));
                }
                Ok(_) => None,
                // Such as Ctrl-C in `__hash__`.
                Err(error) if !error.is_instance_of::<PyException>(py) => return Err(error),
                Err(error) => Some(error),
            };
            if has_failed() {
                return Ok(None); // `actions` raised.
            }
            let text = match chosen.repr() {
                Ok(text) => text.to_string(),
                Err(error) if !error.is_instance_of::<PyException>(py) => return Err(error),
                Err(_) => kind_of(&chosen),
            };
            let error = wrong(format!(
                "the agent {} chose {text}, which is not legal; choose one of `actions()`",
                self.name
            ));
            error.set_cause(py, cause);
            Err(error)
        });
        match choice {
            Ok(Some(action)) => Ok(action),
            Ok(None) => Err(SearchError::Agent(CustomError::new("the game raised an exception"))),
            Err(error) => {
                self.outside.raise(error);
                Err(SearchError::Agent(CustomError::new("the agent raised an exception")))
            }
        }
    }
}

/// Returns the recipes of agents: texts, which `read` reads, and functions.
fn recipes<G: Spoken>(
    agents: &[Bound<'_, PyAny>],
    outside: &Outside,
    read: fn(&str) -> PyResult<Recipe<G>>,
) -> PyResult<Vec<Recipe<G>>> {
    let recipe = |agent: &Bound<'_, PyAny>| {
        if !agent.is_callable() {
            let text = agent.extract::<String>().map_err(|_| {
                let kind = kind_of(agent);
                PyTypeError::new_err(format!(
                    "an agent is {kind}; give a text or a function from a state to an action"
                ))
            });
            return read(&text?);
        }
        let name = match agent.getattr_opt("__name__")? {
            Some(name) => name.str()?.to_string(),
            None => agent.get_type().name()?.to_string(),
        };
        let (function, outside) = (Arc::new(agent.clone().unbind()), outside.clone());
        Ok(Recipe::new(move || Function {
            name: name.clone(),
            function: Arc::clone(&function),
            outside: outside.clone(),
        }))
    };
    agents.iter().map(recipe).collect()
}

/// A state from which games begin.
enum Start {
    Crate(Box<AnyGame>),
    Python(PyGame),
}

/// Returns the start of games, their name, and the number of threads that play them: by default all cores, or one
/// if there is a function that may not be safe to call from several.
fn start(
    state: &Bound<'_, PyAny>,
    threads: Option<usize>,
    has_function: bool,
) -> PyResult<(Start, String, Option<usize>)> {
    if let Ok(game) = state.cast::<Game>() {
        let game = game.try_borrow()?.0.clone();
        let name = game.game_name();
        return Ok((Start::Crate(Box::new(game)), name, threads.or(has_function.then_some(1))));
    }
    if threads.is_some_and(|threads| threads != 1) {
        return Err(PyValueError::new_err(
            "games written in Python are played one at a time, because only one thread at a time can run Python; leave \
             out `threads`",
        ));
    }
    let game = PyGame::new(state, Hooks::of(state, On::Match, &GAME)?)?;
    Ok((Start::Python(game), state.get_type().name()?.to_string(), Some(1)))
}

fn read(text: &str) -> PyResult<Recipe<AnyGame>> {
    KNOWN.read(text).map_err(wrong)
}

fn read_for_python(text: &str) -> PyResult<Recipe<PyGame>> {
    let recipe = KNOWN_FOR_PYTHON.read(text).map_err(|error| wrong(in_python(&error.to_string())))?;
    one_thread(recipe.name()).map(|()| recipe)
}

/// Plays a match between agents, and returns its result.
#[pyfunction]
#[pyo3(signature = (state, *agents, games = 100, openings = 0, seed = 0, threads = None))]
pub fn compare(
    state: &Bound<'_, PyAny>,
    agents: Vec<Bound<'_, PyAny>>,
    games: u32,
    openings: u32,
    seed: u64,
    threads: Option<usize>,
) -> PyResult<Py<PyAny>> {
    let py = state.py();
    let _running = Running::begin()?;
    let outside = Outside::default();
    let has_function = agents.iter().any(Bound::is_callable);
    let (start, name, threads) = start(state, threads, has_function)?;
    let conditions = Conditions::games(games).openings(openings).seed(seed).label(name);
    let conditions = threads.into_iter().fold(conditions, Conditions::threads);
    let conditions = conditions.stop_handle(outside.stop.clone());
    let result = match start {
        Start::Crate(game) => {
            let contest = Match::new(*game, recipes(&agents, &outside, read)?);
            outside.watch(py, None, || contest.run(&conditions))?
        }
        Start::Python(game) => {
            let hooks = game.hooks().clone();
            let contest = Match::new(game, recipes(&agents, &outside, read_for_python)?);
            outside.watch(py, Some(&hooks), || contest.run(&conditions))?
        }
    };
    let standings = result.standings.iter();
    let standings = standings
        .map(|of| standing(&of.name, of.tally, of.score, of.seconds, &of.forfeits))
        .collect::<Vec<_>>();
    let report = py.import("ramure._report")?;
    report.getattr("_comparison")?.call1((standings, in_python(&result.to_string()))).map(Bound::unbind)
}

/// Finds a good search by games, and returns the result.
#[pyfunction]
#[pyo3(signature = (state, default = "mcts:1000", *, games = None, minutes = None, openings = 2, seed = 0, threads = None))]
pub fn tune(
    state: &Bound<'_, PyAny>,
    default: &str,
    games: Option<u64>,
    minutes: Option<f64>,
    openings: u32,
    seed: u64,
    threads: Option<usize>,
) -> PyResult<Py<PyAny>> {
    let py = state.py();
    let _running = Running::begin()?;
    let outside = Outside::default();
    if games.is_some() == minutes.is_some() {
        return Err(PyValueError::new_err("give `games` or `minutes`, how long the tuning may take"));
    }
    let (start, _, threads) = start(state, threads, false)?;
    let mut playing = Playing { openings, seed, stop: outside.stop.clone(), ..Playing::default() };
    playing.threads = threads.unwrap_or(playing.threads);
    // A tuner stays on its thread.
    let tuning = match start {
        Start::Crate(game) => outside.watch(py, None, || {
            limited(KNOWN.tuner(*game, default)?, games, minutes).playing(playing).run()
        })?,
        Start::Python(game) => {
            read_for_python(default)?;
            let hooks = game.hooks().clone();
            outside.watch(py, Some(&hooks), || {
                let tuner = Tuner::new(game, &KNOWN_FOR_PYTHON, default)?;
                limited(tuner, games, minutes).playing(playing).run()
            })?
        }
    };
    let row = |row: &Row| {
        standing(&row.agent, row.tally, row.score, 0.0, &row.forfeits).into_pyobject(py).map(Bound::unbind)
    };
    let rows = |rows: &[Row]| rows.iter().map(row).collect::<PyResult<Vec<_>>>();
    let Tuning { rows: tried, fresh, code, .. } = &tuning;
    let fields = (
        &tuning.best().agent,
        rows(tried)?,
        rows(fresh)?,
        code,
        tuning.games(),
        in_python(&tuning.to_string()),
    );
    py.import("ramure._report")?.getattr("_tuning")?.call1(fields).map(Bound::unbind)
}

/// Sets how long a tuning may take.
fn limited<G: GameState + Sync>(tuner: Tuner<G>, games: Option<u64>, minutes: Option<f64>) -> Tuner<G> {
    let tuner = games.into_iter().fold(tuner, Tuner::games);
    minutes.into_iter().fold(tuner, Tuner::minutes)
}

/// The fields of a `Standing`.
type Standing<'a> = (&'a str, (u32, u32, u32), Option<(f64, (f64, f64))>, f64, Vec<String>);

fn standing<'a>(
    name: &'a str,
    tally: Tally,
    score: Option<Estimate>,
    seconds: f64,
    forfeits: &[String],
) -> Standing<'a> {
    let score = score.map(|score| (score.value, (score.low, score.high)));
    let forfeits = forfeits.iter().map(|text| in_python(text)).collect();
    (name, (tally.wins, tally.draws, tally.losses), score, seconds, forfeits)
}

fn wrong(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns an error with what it follows from.
fn in_full(error: impl Error) -> PyErr {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text += &format!(": {error}");
        source = error.source();
    }
    wrong(in_python(&text))
}
