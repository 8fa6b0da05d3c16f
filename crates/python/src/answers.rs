//! The values that methods and functions written in Python return, and the errors if it is something else.

use pyo3::exceptions::{PyException, PyOverflowError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use ramure::{MAX_PLAYERS, Rewards, Turn};

/// Describes the type of a value, for errors.
pub fn kind_of(value: &Bound<'_, PyAny>) -> String {
    let kind =
        || value.py().import("ramure._methods")?.getattr("kind_of")?.call1((value,))?.extract::<String>();
    kind().unwrap_or_else(|_| "another type".into())
}

/// Returns an exception with `text` of the type of `value`, if `error` says that it has a wrong type or is
/// out of range. Otherwise returns `error`, which a method of `value` raised.
pub fn wrong_type(value: &Bound<'_, PyAny>, error: PyErr, text: impl FnOnce(String) -> String) -> PyErr {
    let py = value.py();
    let is_wrong = error.is_instance_of::<PyTypeError>(py) || error.is_instance_of::<PyOverflowError>(py);
    if is_wrong { PyTypeError::new_err(text(kind_of(value))) } else { error }
}

/// Returns the number that the method `hook` returned. `expected` says in errors what to return.
pub fn value_of(hook: &str, value: Bound<'_, PyAny>, expected: &str) -> PyResult<f64> {
    value.extract().map_err(|error| {
        wrong_type(&value, error, |kind| format!("`{hook}` returned {kind}; return {expected}"))
    })
}

/// Returns the number of a player, or of players. Errors show the value.
pub fn player_of(hook: &str, value: Bound<'_, PyAny>, expected: &str) -> PyResult<u8> {
    value.extract().or_else(|error| {
        let text = value.repr()?;
        Err(wrong_type(&value, error, |_| format!("`{hook}` returned {text}; return {expected}")))
    })
}

/// Returns the number of players.
pub fn players_of(object: &Bound<'_, PyAny>) -> PyResult<u8> {
    let players = object.call_method0(intern!(object.py(), "players"))?;
    let expected = format!("the number of players, from 1 to {MAX_PLAYERS}");
    let count = player_of("players", players.clone(), &expected)?;
    if (1..=MAX_PLAYERS as u8).contains(&count) {
        return Ok(count);
    }
    Err(PyValueError::new_err(format!("`players` returned {}; return {expected}", players.repr()?)))
}

/// The player to move in a state, and the numbers of its players and its actions.
pub type Of = (Turn, u8, usize);

/// Returns the rewards and the priors of state `number` of a batch; no priors where chance moves.
pub fn evaluation(
    number: usize,
    (turn, players, count): Of,
    value: &Bound<'_, PyAny>,
    priors: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Rewards, Option<Vec<f32>>)> {
    let rewards = rewards(number, turn, players, value)?;
    let Some(priors) = priors.filter(|_| count > 0) else { return Ok((rewards, None)) };
    let wrong = |kind| format!("the priors of state {number} are {kind}; return numbers");
    let given: Vec<f32> = priors.extract().map_err(|error| wrong_type(priors, error, wrong))?;
    if given.len() == count {
        return Ok((rewards, Some(given)));
    }
    let text = format!(
        "state {number} has {count} actions and {} priors; return a prior for each action, in their order",
        given.len()
    );
    Err(PyValueError::new_err(text))
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
