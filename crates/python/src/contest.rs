//! Matches between agents: texts, and functions from a state to an action. Tuning, which plays such matches.

use crate::builtin::Game;
use crate::ending::{self, Outside, running};
use crate::failure::{in_python, wrong};
use crate::game::PyGame;
use crate::hooks::On;
use crate::language::Spoken;
use crate::words;
use pyo3::prelude::*;
use ramure::SearchError;
use ramure_agents::Agent;
use ramure_lab::contest::{Conditions, Estimate, Match, MatchResult, Tally, in_full};
use ramure_lab::tuning::{self, Playing, Row, Tuner};
use ramure_lab::{ReadError, Recipe};
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
        let Outside { stop, kept } = &self.outside;
        let index = Python::attach(|py| {
            if stop.is_stopped() || kept.has_failed() {
                return None;
            }
            let copy = state.state_to_python(py);
            let copy = copy.map_err(|error| kept.keep(py, Some("__copy__"), error, false)).ok()?;
            let call = || {
                ending::check()?;
                self.function.bind(py).call1((copy, state.list(py, &legal)?))?.extract::<usize>()
            };
            call().map_err(|error| self.outside.raise(py, error)).ok()
        });
        let raised = || SearchError::Agent("the game or the agent raised an exception".into());
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
    read: impl Fn(&str) -> Result<Recipe<G>, ReadError>,
) -> PyResult<MatchResult> {
    let outside = Outside { kept: game.kept(), ..Outside::default() };
    let recipe = |(name, function): Named| {
        let Some(function) = function else { return read(&name).map_err(wrong) };
        let function = Function { name, function: Arc::new(function), outside: outside.clone() };
        Ok(Recipe::new(move || function.clone()))
    };
    let contest = Match::new(game, agents.into_iter().map(recipe).collect::<PyResult<Vec<_>>>()?);
    let conditions = conditions.stop_handle(outside.stop.clone());
    outside.watch(py, || contest.run(&conditions))?.map_err(|error| wrong(in_full(&error)))
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
    let _running = running()?;
    let conditions = Conditions::games(games).openings(openings).seed(seed);
    let conditions = threads.into_iter().fold(conditions, Conditions::threads);
    let result = if let Some(game) = Game::of(state)? {
        let conditions = conditions.label(game.game_name());
        play(py, game, agents, conditions, |text| words::OF_THE_CRATE.read(text))?
    } else {
        let game = PyGame::of(state, On::Match)?;
        let known = words::of_python(&game.hooks);
        let conditions = conditions.label(state.get_type().name()?.to_string());
        play(py, game, agents, conditions, |text| known.read(text))?
    };
    let rows = result.standings.iter();
    let rows = rows.map(|of| row(&of.name, of.tally, of.score, of.seconds, &of.forfeits));
    Ok((rows.collect(), in_python(&result.to_string())))
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
    let _running = running()?;
    let playing = Playing { openings, seed, ..Playing::default() };
    let playing = Playing { threads: threads.unwrap_or(playing.threads), ..playing };
    let effort = (games, minutes);
    let tuning = if let Some(game) = Game::of(state)? {
        tuned(py, game, effort, playing, |game| words::OF_THE_CRATE.tuner(game, default))?
    } else {
        let game = PyGame::of(state, On::Match)?;
        let known = words::of_python(&game.hooks);
        tuned(py, game, effort, playing, |game| Tuner::new(game, known, default))?
    };
    let of = |of: &Row| row(&of.agent, of.tally, of.score, 0.0, &of.forfeits);
    let rows = |rows: &[Row]| rows.iter().map(of).collect();
    let best = tuning.best().agent.clone();
    let (tried, fresh) = (rows(&tuning.rows), rows(&tuning.fresh));
    let (played, text) = (tuning.games(), in_python(&tuning.to_string()));
    Ok((best, tried, fresh, tuning.code, played, text))
}

/// Tunes for so many games, or minutes. A tuner stays on the thread that creates it.
fn tuned<G: Spoken>(
    py: Python<'_>,
    game: G,
    (games, minutes): (Option<u64>, Option<f64>),
    playing: Playing,
    tuner: impl FnOnce(G) -> Result<Tuner<G>, ReadError> + Send,
) -> PyResult<tuning::Tuning> {
    let outside = Outside { kept: game.kept(), ..Outside::default() };
    let playing = Playing { stop: outside.stop.clone(), ..playing };
    let tune = || {
        let tuner = games.into_iter().fold(tuner(game)?, Tuner::games);
        minutes.into_iter().fold(tuner, Tuner::minutes).playing(playing).run()
    };
    outside.watch(py, tune)?.map_err(|error| wrong(in_full(&error)))
}

/// The fields of a `Tuning`.
type Tuning = (String, Vec<Standing>, Vec<Standing>, Option<String>, u64, String);

/// The fields of a `Standing`.
type Standing = (String, (u32, u32, u32), Option<(f64, f64, f64)>, f64, Vec<String>);

fn row(name: &str, tally: Tally, score: Option<Estimate>, seconds: f64, forfeits: &[String]) -> Standing {
    let score = score.map(|score| (score.value, score.low, score.high));
    let forfeits = forfeits.iter().map(|text| in_python(text)).collect();
    (name.to_owned(), (tally.wins, tally.draws, tally.losses), score, seconds, forfeits)
}
