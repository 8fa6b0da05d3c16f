//! The rules kit for games written in Python.

use crate::ending::Running;
use crate::failure::{Failure, Hooks, On, PANICS};
use crate::game::PyGame;
use crate::language::result_of;
use pyo3::create_exception;
use pyo3::exceptions::{PyAssertionError, PyValueError};
use pyo3::prelude::*;
use ramure::rules::{self, Check, Law};
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
) -> PyResult<String> {
    let py = game.py();
    let _running = Running::begin()?;
    let patience = patience
        .map_or(Ok(Duration::MAX), Duration::try_from_secs_f64)
        .map_err(|_| PyValueError::new_err("`patience` must be a number of seconds from 0"))?;
    let state = PyGame::new(game, Hooks::of(game, On::Laws, "game")?)?;
    let hooks = state.hooks().clone();
    let mut check =
        rules::check(state).games(games).states(states).longest(longest).seed(seed).patience(patience);
    check = if has_equality { check.hash() } else { check };
    check = if hooks.has("key") { check.keys() } else { check };
    check = if hooks.has("evaluation") { check.evaluation() } else { check };
    check = constant_sum.into_iter().fold(check, Check::constant_sum);
    for name in without {
        let law = Law::ALL.iter().find(|law| format!("{law:?}") == name);
        let law = law.ok_or_else(|| {
            PyValueError::new_err(format!("no law has the name {name}; there are {:?}", Law::ALL))
        })?;
        check = check.without(*law);
    }
    hooks.working(|| match check.run() {
        Ok(summary) => result_of(py, Some(&hooks), Ok(summary.to_string())),
        Err(violation) => Err(exception(py, violation, &hooks)?),
    })
}

/// Returns a violation as an exception; what interrupted the check, if that is why it ended.
fn exception(py: Python<'_>, mut violation: rules::Violation<PyGame>, hooks: &Hooks) -> PyResult<PyErr> {
    let failure = match hooks.take_failure() {
        Some(Failure { error, is_bare: true, .. }) => return Ok(error),
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
    let text = match what.split_once(" panicked: ") {
        Some((_, raised)) if raised.starts_with('`') => raised,
        _ => what,
    };
    match text.split_once(PANICS) {
        Some((text, place)) => format!("{text}{}", place.split_once(')').map_or("", |(_, rest)| rest)),
        None => text.to_owned(),
    }
}
