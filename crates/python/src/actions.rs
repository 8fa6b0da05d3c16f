//! The actions of a search, which are objects of Python: each gets a number, and trees keep numbers.

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde::{Deserialize, Serialize};

/// The number of an action. Equal objects have equal numbers in one search.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PyAction(u32);

impl PyAction {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The actions that a search has met.
pub struct Actions {
    pub numbers: Py<PyDict>,
    /// By their numbers.
    pub objects: Py<PyList>,
}

impl Actions {
    pub fn new(py: Python<'_>) -> Self {
        Actions { numbers: PyDict::new(py).unbind(), objects: PyList::empty(py).unbind() }
    }

    /// Gives these objects, read from a file, the numbers of their places.
    pub fn of(objects: &Bound<'_, PyList>) -> PyResult<Self> {
        let actions = Actions::new(objects.py());
        for (place, object) in objects.iter().enumerate() {
            if actions.number(&object)?.index() != place {
                let text = format!("{} equals another action or key of the file", object.repr()?);
                return Err(PyValueError::new_err(text));
            }
        }
        Ok(actions)
    }

    /// Returns the number of an action, a new one if it is new. Fails if the object is not hashable.
    pub fn number(&self, action: &Bound<'_, PyAny>) -> PyResult<PyAction> {
        let py = action.py();
        let numbers = self.numbers.bind(py);
        if let Some(number) = numbers.get_item(action)? {
            return Ok(PyAction(number.extract()?));
        }
        let objects = self.objects.bind(py);
        let number = u32::try_from(objects.len())
            .map_err(|_| PyOverflowError::new_err("a search can tell at most 2^32 actions apart"))?;
        objects.append(action)?;
        numbers.set_item(action, number)?;
        Ok(PyAction(number))
    }

    /// Returns the object of an action.
    pub fn object<'py>(&self, py: Python<'py>, PyAction(number): PyAction) -> PyResult<Bound<'py, PyAny>> {
        self.objects.bind(py).get_item(number as usize)
    }
}
