//! Matches between agents: texts, and functions from a state to an action. Tuning, which plays such matches.

use crate::builtin::{Game, KNOWN};
use crate::ending::{self, Outside, Running};
use crate::failure::{Hooks, On};
use crate::game::PyGame;
use crate::language::in_python;
use crate::network::Spoken;
use crate::search::{Known, known_for_python};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use ramure::agents::Agent;
use ramure::{CustomError, GameState, SearchError, StopHandle};
use ramure_lab::Recipe;
use ramure_lab::contest::{Conditions, Estimate, Match, MatchResult, Tally};
use ramure_lab::tuning::{Playing, Row, Tuner};
use std::error::Error;
use std::fmt::Display;
use std::sync::Arc;

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
        let hooks = state.hooks();
        let index = Python::attach(|py| {
            if self.outside.stop.is_stopped() || hooks.is_some_and(|hooks| hooks.has_failed()) {
                return None;
            }
            let copy = match (state.state_to_python(py), hooks) {
                (Err(error), Some(hooks)) => return hooks.fail(py, "__copy__", error),
                (copy, _) => copy,
            };
            let call = || {
                ending::check()?;
                self.function.bind(py).call1((copy?, state.list(py, &legal)?))?.extract::<usize>()
            };
            call().map_err(|error| self.outside.raise(py, error)).ok()
        });
        let raised = || SearchError::Agent(CustomError::new("the game or the agent raised an exception"));
        index.map(|index| legal[index].clone()).ok_or_else(raised)
    }
}

/// The name of an agent, which is its text, or its function.
type Named = (String, Option<Py<PyAny>>);

/// Plays a match between agents: texts, which `read` reads, and functions.
fn play<G: Spoken>(
    py: Python<'_>,
    game: G,
    agents: Vec<Named>,
    conditions: Conditions,
    read: impl Fn(&str) -> PyResult<Recipe<G>>,
) -> PyResult<MatchResult> {
    let outside = Outside::new(StopHandle::default(), game.hooks().cloned());
    let recipe = |(name, function): Named| {
        let Some(function) = function else { return read(&name) };
        let function = Function { name, function: Arc::new(function), outside: outside.clone() };
        Ok(Recipe::new(move || function.clone()))
    };
    let contest = Match::new(game, agents.into_iter().map(recipe).collect::<PyResult<Vec<_>>>()?);
    let conditions = conditions.stop_handle(outside.stop.clone());
    outside.watch(py, || contest.run(&conditions))?.map_err(in_full)
}

/// Returns the game written in Python that an object is, to play it.
fn played(state: &Bound<'_, PyAny>) -> PyResult<(PyGame, &'static Known)> {
    let game = PyGame::new(state, Hooks::of(state, On::Match, "game")?)?;
    let known = known_for_python(game.hooks());
    Ok((game, known))
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
    let conditions = Conditions::games(games).openings(openings).seed(seed);
    let conditions = threads.into_iter().fold(conditions, Conditions::threads);
    let result = if let Ok(game) = state.cast::<Game>() {
        let game = game.try_borrow()?.0.clone();
        let conditions = conditions.label(game.game_name());
        play(py, game, agents, conditions, |text| KNOWN.read(text).map_err(wrong))?
    } else {
        let (game, known) = played(state)?;
        let conditions = conditions.label(state.get_type().name()?.to_string());
        play(py, game, agents, conditions, |text| known.read(text).map_err(wrong))?
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
    let stop = StopHandle::default();
    let mut playing = Playing { openings, seed, stop: stop.clone(), ..Playing::default() };
    playing.threads = threads.unwrap_or(playing.threads);
    // A tuner stays on its thread.
    let tuning = if let Ok(game) = state.cast::<Game>() {
        let game = game.try_borrow()?.0.clone();
        let tune = || limited(KNOWN.tuner(game, default)?, games, minutes).playing(playing).run();
        Outside::new(stop, None).watch(py, tune)?
    } else {
        let (game, known) = played(state)?;
        known.read(default).map_err(wrong)?;
        let outside = Outside::new(stop, Some(game.hooks().clone()));
        let tune = || limited(Tuner::new(game, known, default)?, games, minutes).playing(playing).run();
        outside.watch(py, tune)?
    };
    let tuning = tuning.map_err(in_full)?;
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
