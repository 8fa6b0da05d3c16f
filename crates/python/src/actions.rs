//! The actions of a search, which are objects of Python: each gets a number, and trees keep numbers.

use pyo3::exceptions::{PyKeyboardInterrupt, PyOverflowError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

/// The number of an action. Equal objects have equal numbers in one search.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PyAction(u32);

impl PyAction {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The actions that a search has met.
pub struct Actions {
    numbers: Py<PyDict>,
    objects: Py<PyList>,
}

impl Actions {
    pub fn new(py: Python<'_>) -> Self {
        Actions { numbers: PyDict::new(py).unbind(), objects: PyList::empty(py).unbind() }
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

    /// Shows the objects to the garbage collector.
    pub fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.numbers)?;
        visit.call(&self.objects)
    }

    /// Returns the object of an action.
    pub fn object<'py>(&self, py: Python<'py>, PyAction(number): PyAction) -> PyResult<Bound<'py, PyAny>> {
        self.objects.bind(py).get_item(number as usize)
    }
}

thread_local! {
    /// The actions whose numbers `Debug` prints as objects.
    static PRINTED: RefCell<Option<Arc<Actions>>> = const { RefCell::new(None) };
}

/// Calls `work`, in which `Debug` prints the numbers of `actions` as their objects.
pub fn printing<T>(actions: &Arc<Actions>, work: impl FnOnce() -> T) -> T {
    /// Puts back the actions of a search around this one, also after a panic.
    struct Before(Option<Arc<Actions>>);
    impl Drop for Before {
        fn drop(&mut self) {
            PRINTED.set(self.0.take());
        }
    }
    let _before = Before(PRINTED.replace(Some(Arc::clone(actions))));
    work()
}

/// From now on, `Debug` prints the numbers of `actions` as their objects on this thread.
pub fn print_here(actions: &Arc<Actions>) {
    PRINTED.with_borrow_mut(|printed| _ = printed.get_or_insert_with(|| Arc::clone(actions)));
}

impl fmt::Debug for PyAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let actions = PRINTED.with_borrow(Option::clone);
        let text = Python::attach(|py| {
            let text =
                actions?.object(py, *self).and_then(|object| object.repr()).map(|text| text.to_string());
            if text.as_ref().is_err_and(|error| error.is_instance_of::<PyKeyboardInterrupt>(py)) {
                // Nothing can be raised here, so Ctrl-C comes once more.
                let _ = py.import("_thread").and_then(|module| module.call_method0("interrupt_main"));
            }
            text.ok()
        });
        match text {
            Some(text) => f.pad(&text),
            None => write!(f, "(action number {})", self.0),
        }
    }
}
