//! The random numbers of steps and rollouts written in Python.

use pyo3::intern;
use pyo3::prelude::*;
use ramure::Rng;

/// The source of the numbers of `ramure._planning.Random`.
#[pyclass(module = "ramure._ramure")]
pub struct Draws(Rng);

#[pymethods]
impl Draws {
    fn unit(&mut self) -> f64 {
        self.0.unit()
    }

    fn bits(&mut self) -> u64 {
        self.0.bits()
    }
}

/// The source of random numbers of steps and rollouts.
pub struct Random {
    draws: Py<Draws>,
    /// The `Random` that draws from `draws`.
    object: Py<PyAny>,
}

impl Random {
    pub fn new(py: Python<'_>) -> PyResult<Self> {
        let draws = Py::new(py, Draws(Rng::seeded(0)))?;
        let object = py.import("ramure._planning")?.getattr("Random")?.call1((&draws,))?.unbind();
        Ok(Random { draws, object })
    }

    /// Returns the object, whose next numbers are those of the seed `bits`.
    pub fn seeded<'py>(&self, py: Python<'py>, bits: u64) -> PyResult<&Bound<'py, PyAny>> {
        self.draws.borrow_mut(py).0 = Rng::seeded(bits);
        let object = self.object.bind(py);
        object.setattr(intern!(py, "gauss_next"), py.None())?; // a number that `gauss` keeps
        Ok(object)
    }
}
