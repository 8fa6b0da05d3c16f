//! The class `Search`: a search of any game, by any algorithm.

use crate::any_search::{AnySearch, Given, Inputs, Progress, Task, Until, any};
use crate::builtin::{self, Game};
use crate::failure::wrong;
use crate::game::PyGame;
use crate::hidden;
use crate::hooks::On;
use crate::network;
use crate::planning::{self, Plan};
use crate::words;
use pyo3::exceptions::PyRuntimeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use ramure::{Budget, Bytes, Mcts, Player, StopHandle};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

/// The settings of an object around a state: of a `Planning`, or whether an `InformationSet` has a tree for each player.
#[derive(FromPyObject)]
enum Wrapper {
    Plan(Plan),
    Hidden(bool),
}

/// The interface behind the class `Search` of Python.
#[pyclass(frozen, module = "ramure._ramure")]
pub struct RawSearch {
    /// `None` after the garbage collector has freed it.
    search: Mutex<Option<Box<dyn AnySearch>>>,
    /// Ends the run that is going on, if there is one.
    stop: Mutex<Option<StopHandle>>,
}

impl RawSearch {
    fn stopper(&self) -> MutexGuard<'_, Option<StopHandle>> {
        self.stop.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `work` with the search, if nothing else uses it.
    fn with<T>(&self, work: impl FnOnce(&mut dyn AnySearch) -> PyResult<T>) -> PyResult<T> {
        let why = match self.search.try_lock().as_deref_mut() {
            Ok(Some(search)) => return work(&mut **search),
            Ok(None) => "this search has been freed; create another one",
            Err(TryLockError::Poisoned(_)) => "this search has panicked before; create another one",
            Err(TryLockError::WouldBlock) => {
                "this search is running, on another thread or around this call; wait until it has returned, or create another search"
            }
        };
        Err(PyRuntimeError::new_err(why))
    }
}

#[pymethods]
impl RawSearch {
    #[new]
    fn new(
        state: &Bound<'_, PyAny>,
        algorithm: Option<&str>,
        seed: u64,
        memory: Option<usize>,
        threads: Option<usize>,
        evaluate: Option<network::Function>,
        wrapper: Option<Wrapper>,
    ) -> PyResult<Self> {
        let in_python = || PyGame::of(state, On::Search);
        let mut search = match (Game::of(state)?, algorithm, evaluate, wrapper) {
            (Some(game), Some(text), ..) => {
                any(words::OF_THE_CRATE.search(text, game, seed).map_err(wrong)?, None)
            }
            (Some(game), _, evaluate, _) => builtin::search(game, seed, threads, evaluate)?,
            (_, _, Some(evaluate), _) => network::search(in_python()?, seed, evaluate),
            (_, Some(text), ..) => {
                let game = in_python()?;
                any(words::of_python(&game.hooks).search(text, game, seed).map_err(wrong)?, None)
            }
            (.., Some(Wrapper::Plan(plan))) => planning::search(state, plan, seed)?,
            (.., Some(Wrapper::Hidden(has_trees))) => hidden::search(state, has_trees, seed)?,
            (.., None) => any(Mcts::new(in_python()?).seed(seed), None),
        };
        if let Some(bytes) = memory {
            search.set_memory_limit(Bytes(bytes));
        }
        Ok(RawSearch { search: Mutex::new(Some(search)), stop: Mutex::default() })
    }

    fn run(
        &self,
        py: Python<'_>,
        iterations: Option<u64>,
        millis: Option<f64>,
        memory: Option<usize>,
        stop_early: bool,
        progress: Option<(Py<PyAny>, f64)>,
    ) -> PyResult<Py<PyAny>> {
        let time = millis.and_then(|millis| Duration::try_from_secs_f64(millis / 1e3).ok());
        let budget = Budget::until_stopped();
        let budget = iterations.into_iter().fold(budget, Budget::and_iterations);
        let budget = time.into_iter().fold(budget, Budget::and_time);
        let budget = memory.map(Bytes).into_iter().fold(budget, Budget::and_bytes);
        let budget = if stop_early { budget.or_decided() } else { budget };
        let seconds = |millis: f64| Duration::try_from_secs_f64(millis / 1e3).unwrap_or(Duration::MAX);
        let progress = progress.map(|(function, millis)| Progress { function, every: seconds(millis) });
        self.with(|search| {
            let stop = search.stop_handle();
            *self.stopper() = Some(stop.clone());
            let report = search.run(py, budget, progress);
            *self.stopper() = None;
            // A request that came at the last moment is not for the next run.
            stop.clear();
            report
        })
    }

    /// Ends the run that is going on. Does nothing between two runs.
    fn stop(&self) {
        if let Some(stop) = &*self.stopper() {
            stop.stop();
        }
    }

    fn report(&self, py: Python<'_>, player: Option<Player>) -> PyResult<Py<PyAny>> {
        self.with(|search| search.report(py, player))
    }

    fn actions_after(&self, py: Python<'_>, line: Vec<Bound<'_, PyAny>>) -> PyResult<Vec<Py<PyAny>>> {
        self.with(|search| search.actions_after(&line, py))
    }

    fn advance(&self, action: &Bound<'_, PyAny>, observation: Option<(Bound<'_, PyAny>,)>) -> PyResult<()> {
        self.with(|search| search.advance(action, observation))
    }

    fn exchange<'py>(&self, py: Python<'py>, given: Given<'py>, until: Until) -> Inputs<'py> {
        self.with(|search| search.exchange(py, given, until))
    }

    fn reset(&self, state: &Bound<'_, PyAny>) -> PyResult<()> {
        self.with(|search| search.reset(state))
    }

    fn state(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.with(|search| search.state(py))
    }

    /// The root itself, which must not be changed, if the game is written in Python.
    fn root(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.with(|search| Ok(search.root(py)))
    }

    fn page(&self, py: Python<'_>, title: &str, nodes: usize) -> PyResult<String> {
        self.with(|search| search.perform(py, Task::Page(title, nodes)))
    }

    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.with(|search| search.perform(py, Task::Save(&path))).map(drop)
    }

    fn load(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.with(|search| search.perform(py, Task::Load(&path))).map(drop)
    }

    /// A search that runs keeps what it refers to.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self.search.try_lock().as_deref() {
            Ok(Some(search)) => search.held().into_iter().try_for_each(|object| visit.call(object)),
            _ => Ok(()),
        }
    }

    fn __clear__(&self) {
        let search = self.search.try_lock().ok().and_then(|mut search| search.take());
        drop(search); // The search is not locked any more: finalizers may ask it.
    }
}
