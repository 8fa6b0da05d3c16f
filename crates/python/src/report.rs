//! Reports, as objects of the classes in `ramure/_report.py`.

use crate::language::Language;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use ramure::search::ActionOf;
use ramure::{ActionReport, Report};

/// Returns a report of the search of `state` as an object.
pub fn report<G: Language>(py: Python<'_>, state: &G, report: &Report<ActionOf<G>>) -> PyResult<Py<PyAny>> {
    let rows = report.actions.iter().map(|entry| row(py, state, entry)).collect::<PyResult<Vec<_>>>()?;
    // An outcome follows each choice.
    let line = report.principal_variation.iter().step_by(1 + usize::from(G::HAS_OUTCOMES));
    let line = state.list(py, &line.cloned().collect::<Vec<_>>())?;
    let best =
        report.chosen.map(|index| state.action_to_python(py, &report.actions[index].action)).transpose()?;
    let sizes = (report.nodes, report.bytes, report.recycled_nodes, report.depth, report.mean_depth);
    let text = || report.to_string();
    let text = state.hooks().map_or_else(text, |hooks| hooks.working(text));
    let found = (rows, best, line, report.player, report.proof);
    let run = (report.iterations, report.root_visits, report.time.as_secs_f64());
    let fields = (found, run, sizes, report.stop_reason.to_string(), report.visit_shares(), text);
    py.import("ramure._report")?.getattr("report_of")?.call1(fields).map(Bound::unbind)
}

/// Returns the numbers of an action as an object.
pub fn row<G: Language>(py: Python<'_>, state: &G, entry: &ActionReport<ActionOf<G>>) -> PyResult<Py<PyAny>> {
    static ACTION: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let action = state.action_to_python(py, &entry.action)?;
    let ActionReport { visits, mean, proof, worth, prior, improved_policy, interval, is_pruned, .. } = *entry;
    let fields = (action, visits, mean, proof, worth, prior, improved_policy, interval, is_pruned);
    ACTION.import(py, "ramure._report", "ActionReport")?.call1(fields).map(Bound::unbind)
}
