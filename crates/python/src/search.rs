//! The class `Search`: a search of any game, by any algorithm.

use crate::builtin::{self, Game, another_game};
use crate::ending::{self, Running};
use crate::game::PyGame;
use crate::language::{Language, result_of};
use crate::{network, report};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use ramure::{Budget, Bytes, Every, Mcts, Report, Search};
use ramure_lab::Registry;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, MutexGuard, TryLockError};
use std::time::Duration;

/// How often a search that runs without the interpreter looks for Ctrl-C.
const LOOK_FOR_SIGNALS: Every = Every::Time(Duration::from_millis(50));

/// What a search by text cannot do, because its type is not known.
const ONLY_DEFAULT: &str =
    "only a search by the default algorithm can do this; leave out `algorithm` and `evaluate`";

/// A search, with what only searches of a known type can do.
pub trait Deep<G: Language>: Search<Space = G> + Send {
    /// Returns the explorer's page, with the `nodes` most visited nodes.
    fn page(&self, title: &str, nodes: usize) -> Result<String, &'static str> {
        let _ = (title, nodes);
        Err(ONLY_DEFAULT)
    }

    /// Saves the search as a file.
    fn save(&mut self, path: PathBuf) -> Result<(), PyErr> {
        let _ = path;
        Err(PyValueError::new_err(ONLY_DEFAULT))
    }

    /// Goes on where the search in a file was.
    fn load(&mut self, path: PathBuf) -> Result<(), PyErr> {
        let _ = path;
        Err(PyValueError::new_err(ONLY_DEFAULT))
    }
}

impl<G: Language> Deep<G> for Box<dyn Search<Space = G> + Send> {}

impl Deep<PyGame> for Mcts<PyGame> {
    fn page(&self, title: &str, nodes: usize) -> Result<String, &'static str> {
        let explorer =
            self.tree().explorer().title(title).nodes(nodes).texts_by(|state| format!("{state:?}"));
        Ok(explorer.to_string())
    }

    fn save(&mut self, _: PathBuf) -> Result<(), PyErr> {
        Err(PyTypeError::new_err("a search of a game written in Python cannot be saved; save its state"))
    }

    fn load(&mut self, _: PathBuf) -> Result<(), PyErr> {
        Err(PyTypeError::new_err("a search of a game written in Python cannot be loaded"))
    }
}

/// A search of any game.
pub trait AnySearch: Send {
    fn run(&mut self, py: Python<'_>, budget: Budget) -> PyResult<Py<PyAny>>;
    fn report(&self, py: Python<'_>) -> PyResult<Py<PyAny>>;
    fn advance(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()>;
    fn reset(&mut self, state: &Bound<'_, PyAny>) -> PyResult<()>;
    fn state(&self, py: Python<'_>) -> PyResult<Py<PyAny>>;
    fn page(&self, py: Python<'_>, title: &str, nodes: usize) -> PyResult<String>;
    fn save(&mut self, py: Python<'_>, path: PathBuf) -> PyResult<()>;
    fn load(&mut self, py: Python<'_>, path: PathBuf) -> PyResult<()>;
}

impl<G: Language<Action: Send>> AnySearch for Box<dyn Deep<G>> {
    fn run(&mut self, py: Python<'_>, budget: Budget) -> PyResult<Py<PyAny>> {
        let report = match self.space().hooks().cloned() {
            Some(hooks) => {
                let report = hooks.printing(|| Search::run(self, budget));
                result_of(py, Some(&hooks), report)?
            }
            None => run_detached(py, self, budget)?,
        };
        report::report(py, self.space(), &report)
    }

    fn report(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let hooks = self.space().hooks().map(|hooks| &**hooks);
        let report = result_of(py, hooks, Search::report(self))?;
        report::report(py, self.space(), &report)
    }

    fn advance(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        let hooks = self.space().hooks().cloned();
        let advanced = self.space().action_from_python(action)?;
        let advance = || Search::advance(self, advanced);
        let result = match &hooks {
            Some(hooks) => hooks.printing(advance),
            None => advance(),
        };
        result_of(action.py(), hooks.as_deref(), result)
    }

    fn reset(&mut self, state: &Bound<'_, PyAny>) -> PyResult<()> {
        let state = G::state_from_python(state)?;
        if !self.space().is_same_game(&state) {
            return Err(another_game());
        }
        Search::reset(self, state);
        Ok(())
    }

    fn state(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.space().state_to_python(py)
    }

    fn page(&self, py: Python<'_>, title: &str, nodes: usize) -> PyResult<String> {
        let hooks = self.space().hooks().map(|hooks| &**hooks);
        let page = match hooks {
            Some(hooks) => hooks.printing(|| Deep::page(&**self, title, nodes)),
            None => Deep::page(&**self, title, nodes),
        };
        result_of(py, hooks, Ok(()))?;
        page.map_err(PyValueError::new_err)
    }

    fn save(&mut self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| Deep::save(&mut **self, path))
    }

    fn load(&mut self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| Deep::load(&mut **self, path))
    }
}

/// Runs a search of a game of the crate while other threads use the interpreter, and looks for Ctrl-C.
fn run_detached<G: Language>(
    py: Python<'_>,
    search: &mut Box<dyn Deep<G>>,
    budget: Budget,
) -> PyResult<Report<G::Action>> {
    let stop = search.stop_handle();
    let mut raised = None;
    let report = py.detach(|| {
        search.run_with(budget, LOOK_FOR_SIGNALS, &mut |_| {
            // At the end of the interpreter, nobody waits for the result.
            match Python::try_attach(|py| ending::check().and_then(|()| py.check_signals())) {
                Some(Ok(())) => return,
                Some(Err(error)) => raised = raised.take().or(Some(error)),
                None => {}
            }
            stop.stop();
        })
    });
    stop.clear();
    match raised {
        Some(error) => Err(error),
        None => result_of(py, None, report),
    }
}

/// The class `Search`.
#[pyclass(frozen, module = "ramure", name = "Search", weakref)]
pub struct PySearch {
    search: Mutex<Box<dyn AnySearch>>,
}

impl PySearch {
    /// Returns the search, if nothing else uses it.
    fn search(&self) -> PyResult<MutexGuard<'_, Box<dyn AnySearch>>> {
        match self.search.try_lock() {
            Ok(search) => Ok(search),
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(
                "this search is running, on another thread or around this call; wait until it has returned, or \
                 create another search",
            )),
            Err(TryLockError::Poisoned(_)) => {
                Err(PyRuntimeError::new_err("this search has panicked before; create another one"))
            }
        }
    }
}

#[pymethods]
impl PySearch {
    #[new]
    #[pyo3(signature = (state, algorithm = None, *, seed = 0, memory = None, parallel = None, evaluate = None, window = 1))]
    fn new(
        state: &Bound<'_, PyAny>,
        algorithm: Option<&str>,
        seed: u64,
        memory: Option<usize>,
        parallel: Option<usize>,
        evaluate: Option<&Bound<'_, PyAny>>,
        window: usize,
    ) -> PyResult<Self> {
        let game = state.cast::<Game>().ok();
        let refused = match (game, algorithm, parallel, evaluate) {
            (None, _, Some(_), _) => Some(
                "only the games in ramure.games can be searched by several threads, because only one thread at a time \
                 can run Python; leave out `parallel`",
            ),
            (_, Some(_), Some(_), _) => {
                Some("write the number of trees into the text, as in \"ucb1:trees=4\"")
            }
            (_, Some(_), _, Some(_)) => {
                Some("a search with `evaluate` is one by PUCT; leave out `algorithm`")
            }
            (_, _, Some(_), Some(_)) => Some("a search with `evaluate` has one tree; leave out `parallel`"),
            (_, Some(_), _, None) if window != 1 => {
                Some("write the window into the text, as in \"ucb1:window=16\"")
            }
            (_, None, _, None) if window != 1 => {
                Some("only a search with `evaluate` has a window; leave out `window`")
            }
            _ => None,
        };
        if let Some(text) = refused {
            return Err(PyValueError::new_err(text));
        }
        let search = match (game, algorithm, evaluate) {
            (Some(game), None, Some(function)) => {
                set(network::search(game.try_borrow()?.0.clone(), seed, function, window)?, memory)
            }
            (Some(game), Some(text), _) => {
                set(Box::new(builtin::by_text(text, &*game.try_borrow()?, seed)?), memory)
            }
            (Some(game), None, None) => {
                builtin::by_default(&game.try_borrow()?.0, seed, memory, parallel.unwrap_or(1))?
            }
            (None, None, Some(function)) => {
                set(network::search(PyGame::state_from_python(state)?, seed, function, window)?, memory)
            }
            (None, Some(text), _) => {
                set(Box::new(by_text(text, PyGame::state_from_python(state)?, seed)?), memory)
            }
            (None, None, None) => {
                set(Box::new(Mcts::new(PyGame::state_from_python(state)?).seed(seed)), memory)
            }
        };
        Ok(PySearch { search: Mutex::new(search) })
    }

    #[pyo3(signature = (*, iterations = None, millis = None, memory = None, stop_early = false))]
    fn run(
        &self,
        py: Python<'_>,
        iterations: Option<u64>,
        millis: Option<f64>,
        memory: Option<usize>,
        stop_early: bool,
    ) -> PyResult<Py<PyAny>> {
        let budget = budget(iterations, millis, memory, stop_early)?;
        let mut search = self.search()?;
        let _running = Running::begin()?;
        search.run(py, budget)
    }

    fn report(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.search()?.report(py)
    }

    fn advance(&self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        self.search()?.advance(action)
    }

    fn reset(&self, state: &Bound<'_, PyAny>) -> PyResult<()> {
        self.search()?.reset(state)
    }

    #[getter]
    fn state(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.search()?.state(py)
    }

    #[pyo3(signature = (title = "The tree of a search", *, nodes = 20_000))]
    fn page(&self, py: Python<'_>, title: &str, nodes: usize) -> PyResult<Py<PyAny>> {
        let page = self.search()?.page(py, title, nodes)?;
        py.import("ramure._report")?.getattr("Page")?.call1((page,)).map(Bound::unbind)
    }

    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.search()?.save(py, path)
    }

    fn load(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.search()?.load(py, path)
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a search cannot be pickled or copied; pickle its state, seed and reports, or `save` it",
        ))
    }
}

/// Returns a search of any game with its limit of memory.
pub fn set<G: Language>(mut search: Box<dyn Deep<G>>, memory: Option<usize>) -> Box<dyn AnySearch> {
    if let Some(bytes) = memory {
        search.set_memory_limit(Bytes(bytes));
    }
    Box::new(search)
}

/// The words of searches and agents of games written in Python.
pub static KNOWN_FOR_PYTHON: LazyLock<Registry<PyGame>> = LazyLock::new(Registry::new);

/// Returns the search of a game written in Python that a text names.
fn by_text(text: &str, game: PyGame, seed: u64) -> PyResult<Box<dyn Search<Space = PyGame> + Send>> {
    let search = KNOWN_FOR_PYTHON.search(text, game, seed);
    let search = search.map_err(|error| PyValueError::new_err(error.to_string()))?;
    one_thread(text).map(|()| search)
}

/// Returns an error if the text of a search or an agent asks for several threads. They would wait for the
/// interpreter, which the thread that waits for them holds.
pub fn one_thread(text: &str) -> PyResult<()> {
    let parameters = || text.split([':', ',']).filter_map(|part| part.split_once('='));
    let value = |name| parameters().find(|(other, _)| other.trim() == name).map(|(_, value)| value.trim());
    if value("trees").is_some_and(|trees| trees != "1") && value("threads") != Some("1") {
        return Err(PyValueError::new_err(
            "a game written in Python is searched by one thread, because only one thread at a time can run Python; add \
             threads=1, or leave out `trees`",
        ));
    }
    Ok(())
}

/// Returns the budget that the arguments of `run` describe.
fn budget(
    iterations: Option<u64>,
    millis: Option<f64>,
    memory: Option<usize>,
    stop_early: bool,
) -> PyResult<Budget> {
    let mut budget = Budget::until_stopped();
    if iterations.is_none() && millis.is_none() {
        return Err(PyValueError::new_err("this search would never end; give `iterations` or `millis`"));
    }
    if let Some(iterations) = iterations {
        budget = budget.and_iterations(iterations);
    }
    if let Some(millis) = millis {
        let time = Duration::try_from_secs_f64(millis / 1e3).map_err(|_| {
            PyValueError::new_err(format!(
                "`millis` is {millis}; it must be a number of milliseconds above 0"
            ))
        })?;
        budget = budget.and_time(time);
    }
    if let Some(bytes) = memory {
        budget = budget.and_bytes(Bytes(bytes));
    }
    Ok(if stop_early { budget.or_decided() } else { budget })
}
