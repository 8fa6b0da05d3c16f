//! Reports, as objects of the classes in `ramure/_report.py`.

use crate::language::Language;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyTuple};
use ramure::search::ActionOf;
use ramure::{ActionReport, Report};

/// Returns a class of `ramure._report`.
fn class<'py>(
    py: Python<'py>,
    name: &str,
    class: &'static PyOnceLock<Py<PyAny>>,
) -> PyResult<&'py Bound<'py, PyAny>> {
    let class =
        class.get_or_try_init(py, || Ok::<_, PyErr>(py.import("ramure._report")?.getattr(name)?.unbind()))?;
    Ok(class.bind(py))
}

/// Returns a report of the search of `state` as an object.
pub fn report<G: Language>(py: Python<'_>, state: &G, report: &Report<ActionOf<G>>) -> PyResult<Py<PyAny>> {
    static REPORT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let rows = report.actions.iter().map(|entry| row(py, state, entry)).collect::<PyResult<Vec<_>>>()?;
    let line = report.principal_variation.iter().filter(|action| !G::is_outcome(action));
    let line = line.map(|action| state.action_to_python(py, action));
    let line = line.collect::<PyResult<Vec<_>>>()?;
    let best =
        report.chosen.map(|index| state.action_to_python(py, &report.actions[index].action)).transpose()?;
    let sizes = (report.nodes, report.bytes, report.recycled_nodes, report.depth, report.mean_depth);
    let text = match state.hooks() {
        Some(hooks) => hooks.working(|| report.to_string()),
        None => report.to_string(),
    };
    let found = (PyList::new(py, rows)?, best, PyList::new(py, line)?, report.player, report.proof);
    let run = (report.iterations, report.root_visits, report.time.as_secs_f64());
    let fields = [
        found.into_pyobject(py)?,
        run.into_pyobject(py)?,
        sizes.into_pyobject(py)?,
        (report.stop_reason.to_string(), text).into_pyobject(py)?,
    ];
    let fields: Vec<_> = fields.iter().flat_map(|part: &Bound<'_, PyTuple>| part.iter()).collect();
    class(py, "Report", &REPORT)?.call1(PyTuple::new(py, fields)?).map(Bound::unbind)
}

/// Returns the numbers of an action as an object.
pub fn row<G: Language>(py: Python<'_>, state: &G, entry: &ActionReport<ActionOf<G>>) -> PyResult<Py<PyAny>> {
    static ACTION: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let action = state.action_to_python(py, &entry.action)?;
    let ActionReport { visits, mean, proof, prior, interval, is_pruned, .. } = *entry;
    let fields = (action, visits, mean, proof, prior, interval, is_pruned);
    class(py, "ActionReport", &ACTION)?.call1(fields).map(Bound::unbind)
}
