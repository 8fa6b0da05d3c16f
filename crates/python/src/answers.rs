//! The values that methods written in Python return: players and numbers, and the errors if it is something else.

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use ramure::MAX_PLAYERS;

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
