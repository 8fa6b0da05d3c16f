//! Matches between agents that texts name.

use crate::builtin::{Game, KNOWN};
use crate::ending::{self, Running};
use crate::failure::{Hooks, On};
use crate::game::PyGame;
use crate::language::{Language, result_of};
use crate::search::{KNOWN_FOR_PYTHON, one_thread};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use ramure::StopHandle;
use ramure_lab::Recipe;
use ramure_lab::contest::{Conditions, ContestError, Match, MatchResult};
use std::fmt::Display;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Plays a match between the agents that texts name, and returns its result.
#[pyfunction]
#[pyo3(signature = (state, *agents, games = 100, openings = 0, seed = 0, threads = None))]
pub fn compare(
    state: &Bound<'_, PyAny>,
    agents: Vec<String>,
    games: u32,
    openings: u32,
    seed: u64,
    threads: Option<usize>,
) -> PyResult<Py<PyAny>> {
    let py = state.py();
    let _running = Running::begin()?;
    let conditions = Conditions::games(games).openings(openings).seed(seed);
    let result = if let Ok(game) = state.cast::<Game>() {
        let game = game.try_borrow()?.0.clone();
        let recipes =
            agents.iter().map(|text| KNOWN.read(text).map_err(wrong)).collect::<PyResult<Vec<_>>>()?;
        let conditions = conditions.label(game.game_name());
        let conditions = threads.into_iter().fold(conditions, Conditions::threads);
        play(py, game, recipes, conditions)?.map_err(wrong)?
    } else {
        if threads.is_some_and(|threads| threads != 1) {
            return Err(PyValueError::new_err(
                "games written in Python are played one at a time, because only one thread at a time can run Python; \
                 leave out `threads`",
            ));
        }
        let game = PyGame::new(state, Hooks::of(state, On::Match)?)?;
        let hooks = game.hooks().clone();
        let read = |text: &String| {
            let recipe = KNOWN_FOR_PYTHON.read(text).map_err(wrong)?;
            one_thread(recipe.name()).map(|()| recipe)
        };
        let recipes = agents.iter().map(read).collect::<PyResult<Vec<_>>>()?;
        let conditions = conditions.label(state.get_type().name()?.to_string()).threads(1);
        let result = play(py, game, recipes, conditions)?;
        // An agent whose search fails loses its game. If the game itself raised, the match has no result.
        result_of(py, Some(&hooks), Ok(()))?;
        result.map_err(wrong)?
    };
    let standings = result.standings.iter().map(|standing| {
        let tally = (standing.tally.wins, standing.tally.draws, standing.tally.losses);
        let score = standing.score.map(|score| (score.value, (score.low, score.high)));
        (&standing.name, tally, score, standing.seconds, &standing.forfeits)
    });
    let standings = Vec::from_iter(standings);
    py.import("ramure._report")?
        .getattr("_comparison")?
        .call1((standings, result.to_string()))
        .map(Bound::unbind)
}

fn wrong(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Plays a match on another thread, while this one looks for Ctrl-C.
fn play<G: Language>(
    py: Python<'_>,
    start: G,
    agents: Vec<Recipe<G>>,
    conditions: Conditions,
) -> PyResult<Result<MatchResult, ContestError>> {
    let stop = StopHandle::default();
    let conditions = conditions.stop_handle(stop.clone());
    let contest = Match::new(start, agents);
    let (result, raised) = py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = channel::<()>();
            let conditions = &conditions;
            let worker = scope.spawn(move || {
                let _sender = sender; // is dropped when the match has ended
                contest.run(conditions)
            });
            let mut raised = None;
            while let Err(RecvTimeoutError::Timeout) = receiver.recv_timeout(Duration::from_millis(50)) {
                match Python::try_attach(|py| ending::check().and_then(|()| py.check_signals())) {
                    Some(Ok(())) => {}
                    Some(Err(error)) => {
                        raised = raised.take().or(Some(error));
                        stop.stop();
                    }
                    None => stop.stop(),
                }
            }
            (worker.join().ok(), raised)
        })
    });
    match (raised, result) {
        (Some(error), _) => Err(error),
        (None, Some(result)) => Ok(result),
        (None, None) => Err(wrong("the match ended without a result, because its thread panicked")),
    }
}
