//! The rules kit for games written in Python.

use crate::ending::running;
use crate::failure::{Failure, Kept, in_python, result_of};
use crate::game::PyGame;
use crate::hooks::{On, PANICS};
use crate::planning::belief;
use pyo3::create_exception;
use pyo3::exceptions::{PyAssertionError, PyValueError};
use pyo3::prelude::*;
use ramure_rules::{Check, Law};
use std::sync::Arc;
use std::time::Duration;

create_exception!(ramure, Violation, PyAssertionError, "A game broke a law.");

/// Checks the laws of a game, and returns a summary as text.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn check(
    game: &Bound<'_, PyAny>,
    games: u32,
    states: usize,
    longest: usize,
    seed: u64,
    patience: Option<f64>,
    constant_sum: Option<f64>,
    without: Vec<String>,
    has_equality: bool,
    seen: Option<(Py<PyAny>, bool)>,
) -> PyResult<String> {
    let py = game.py();
    let _running = running()?;
    let patience = patience
        .map_or(Ok(Duration::MAX), Duration::try_from_secs_f64)
        .map_err(|_| PyValueError::new_err("`patience` must be a number of seconds from 0"))?;
    let state = PyGame::of(game, On::Laws)?;
    let hooks = state.hooks.clone();
    let mut check =
        ramure_rules::check(state).games(games).states(states).longest(longest).seed(seed).patience(patience);
    // Users of Python press Ctrl-C.
    check = check.time(Duration::MAX);
    check = if has_equality { check.hash() } else { check };
    check = if hooks.has("key") { check.keys() } else { check };
    check = if hooks.has("evaluation") { check.evaluation() } else { check };
    if let Some((seen, is_fair)) = seen {
        let seen = Arc::new(seen);
        let sight = || {
            let seen = Arc::clone(&seen);
            move |state: &PyGame, player| {
                let number = |object: &Bound<'_, PyAny>| {
                    state.hooks.actions.number(seen.bind(object.py()).call1((object, player))?.as_any())
                };
                state.ask("seen", number)
            }
        };
        check = check.hidden(sight());
        check = if is_fair { check.fair_guesses(sight()) } else { check };
    }
    check = constant_sum.into_iter().fold(check, Check::constant_sum);
    for name in without {
        let law = Law::ALL.iter().find(|law| format!("{law:?}") == name);
        let law = law.ok_or_else(|| {
            PyValueError::new_err(format!("no law has the name {name}; there are {:?}", Law::ALL))
        })?;
        check = check.without(*law);
    }
    hooks.working(|| match check.run() {
        Ok(summary) => result_of(py, &hooks.kept, Ok(summary.to_string())),
        Err(violation) => Err(exception(py, violation, &hooks.kept)?),
    })
}

/// Checks what particles observe, and returns how many observations told two of them apart.
#[pyfunction]
pub fn check_observations(object: &Bound<'_, PyAny>) -> PyResult<u32> {
    let (_running, belief) = (running()?, belief(object)?);
    let hooks = Arc::clone(&belief.particles().next().expect("a belief has a particle").0.0.hooks);
    let checked = hooks.working(|| ramure_rules::check_observations(&belief));
    result_of(object.py(), &hooks.kept, Ok(()))?;
    checked.map_err(|fault| Violation::new_err(in_python(&fault.to_string())))
}

/// Returns a violation as an exception; what interrupted the check, if that is why it ended.
fn exception(py: Python<'_>, mut violation: ramure_rules::Violation<PyGame>, kept: &Kept) -> PyResult<PyErr> {
    let failure = match kept.take() {
        Some(Failure { hook: None, error }) => return Ok(error),
        // What raised while other laws were checked does not matter.
        failure => failure.filter(|_| violation.law == Law::Calls),
    };
    violation.what = raised(&violation.what);
    let actions: Vec<String> = violation.actions.iter().map(|action| format!("{action:?}")).collect();
    let exception = Violation::new_err(violation.to_string());
    exception.value(py).setattr("law", format!("{:?}", violation.law))?;
    exception.value(py).setattr("actions", actions)?;
    exception.set_cause(py, failure.map(|failure| failure.error));
    Ok(exception)
}

/// Returns the description of a violation without the panic by which the kit heard of an exception.
fn raised(what: &str) -> String {
    let raised = what.split_once(" panicked: ").map(|(_, raised)| raised);
    let text = raised.filter(|raised| raised.starts_with('`')).unwrap_or(what);
    let (text, place) = text.split_once(PANICS).unwrap_or((text, ""));
    format!("{text}{}", place.split_once(')').map_or("", |(_, rest)| rest))
}
