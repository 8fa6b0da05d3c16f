//! The class `Search`: a search of any game, by any algorithm.

use crate::builtin::{self, Game};
use crate::ending::{self, Running};
use crate::failure::optional;
use crate::game::PyGame;
use crate::language::{Language, game_of, in_python, result_of};
use crate::{network, planning, report};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use ramure::search::ActionOf;
use ramure::{Budget, Bytes, Every, Mcts, Report, Search};
use ramure_lab::{Registry, Rules, WithNumbers};
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex, TryLockError};
use std::time::Duration;

/// How often a search that runs without the interpreter looks for Ctrl-C.
const LOOK_FOR_SIGNALS: Every = Every::Time(Duration::from_millis(50));

/// What a search by text cannot do, because its type is not known.
const NO_PAGE: &str =
    "only a search by the default algorithm has a page; `actions_after` shows the tree of every search";

/// What most searches cannot do.
const NO_FILE: &str = "only a search of a game in ramure.games by the default algorithm can be a file; save the state, and search again";

/// Why a search of a simulator with keys has no actions after a line.
const NO_LINES: &str = "with `key`, the actions after a step depend on its outcome, which a line of actions does not name; give an \
                        empty line, or `reset` a search to the state in question";

/// What a search of a simulator cannot have.
const NOT_OF_PLANS: &str =
    "a search of a Planning has no `algorithm`, `parallel`, `evaluate` or `window`; leave them out";

/// A search, with what only searches of a known type can do.
pub trait Deep<G: Language>: Search<Space = G> + Send {
    /// Returns the explorer's page, with the `nodes` most visited nodes.
    fn page(&self, title: &str, nodes: usize) -> Result<String, &'static str> {
        let _ = (title, nodes);
        Err(NO_PAGE)
    }

    /// Saves the search as a file.
    fn save(&mut self, path: PathBuf) -> PyResult<()> {
        let _ = path;
        Err(PyTypeError::new_err(NO_FILE))
    }

    /// Goes on where the search in a file was.
    fn load(&mut self, path: PathBuf) -> PyResult<()> {
        let _ = path;
        Err(PyTypeError::new_err(NO_FILE))
    }
}

impl<G: Language> Deep<G> for Box<dyn Search<Space = G> + Send> {}

impl Deep<PyGame> for Mcts<PyGame> {
    fn page(&self, title: &str, nodes: usize) -> Result<String, &'static str> {
        let explorer =
            self.tree().explorer().title(title).nodes(nodes).texts_by(|state| format!("{state:?}"));
        Ok(explorer.to_string())
    }
}

/// A search of any game.
pub trait AnySearch: Send {
    fn run(&mut self, py: Python<'_>, budget: Budget) -> PyResult<Py<PyAny>>;
    fn report(&self, py: Python<'_>) -> PyResult<Py<PyAny>>;
    fn actions_after(&self, line: &[Bound<'_, PyAny>], py: Python<'_>) -> PyResult<Vec<Py<PyAny>>>;
    fn advance(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()>;
    fn reset(&mut self, state: &Bound<'_, PyAny>) -> PyResult<()>;
    fn state(&self, py: Python<'_>) -> PyResult<Py<PyAny>>;
    fn page(&self, py: Python<'_>, title: &str, nodes: usize) -> PyResult<String>;
    fn save(&mut self, py: Python<'_>, path: PathBuf) -> PyResult<()>;
    fn load(&mut self, py: Python<'_>, path: PathBuf) -> PyResult<()>;
    fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError>;
}

impl<G: Language> AnySearch for Box<dyn Deep<G>> {
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

    fn actions_after(&self, line: &[Bound<'_, PyAny>], py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        if G::HAS_OUTCOMES && !line.is_empty() {
            return Err(PyValueError::new_err(NO_LINES));
        }
        let line = line.iter().map(|action| self.space().action_from_python(action));
        let line: Vec<ActionOf<G>> = line.collect::<PyResult<_>>()?;
        let entries = Search::actions_after(self, &line);
        let hooks = self.space().hooks().map(|hooks| &**hooks);
        result_of(py, hooks, Ok(()))?;
        entries.iter().map(|entry| report::row(py, self.space(), entry)).collect()
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
        let space = self.space().at(state)?;
        Search::reset(self, space);
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

    fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.space().visit(visit)
    }
}

/// Runs a search of a game of the crate while other threads use the interpreter, and looks for Ctrl-C.
fn run_detached<G: Language>(
    py: Python<'_>,
    search: &mut Box<dyn Deep<G>>,
    budget: Budget,
) -> PyResult<Report<ActionOf<G>>> {
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
    /// `None` after the garbage collector has freed it.
    search: Mutex<Option<Parts>>,
}

/// A search, and the function that evaluates its leaves.
type Parts = (Box<dyn AnySearch>, Option<Arc<Py<PyAny>>>);

impl PySearch {
    /// Calls `work` with the search, if nothing else uses it.
    fn with<T>(&self, work: impl FnOnce(&mut dyn AnySearch) -> PyResult<T>) -> PyResult<T> {
        match self.search.try_lock() {
            Ok(mut search) => match &mut *search {
                Some((search, _)) => work(&mut **search),
                None => Err(PyRuntimeError::new_err("this search has been freed; create another one")),
            },
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
    #[pyo3(signature = (state, algorithm = None, *, seed = 0, memory = None, parallel = None, evaluate = None, planes = false, window = 1))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn new(
        state: &Bound<'_, PyAny>,
        algorithm: Option<&str>,
        seed: u64,
        memory: Option<usize>,
        parallel: Option<usize>,
        evaluate: Option<&Bound<'_, PyAny>>,
        planes: bool,
        window: usize,
    ) -> PyResult<Self> {
        let parts = |search, function| Ok(PySearch { search: Mutex::new(Some((search, function))) });
        if planning::is_plan(state)? {
            if algorithm.is_some() || parallel.is_some() || evaluate.is_some() || planes || window != 1 {
                return Err(PyValueError::new_err(NOT_OF_PLANS));
            }
            return parts(planning::search(state, seed, memory)?, None);
        }
        let game = state.cast::<Game>().ok();
        let has_window = window != 1;
        let refused = [
            (
                game.is_none() && parallel.is_some(),
                "only the games in ramure.games can be searched by several threads, because only one thread at a time \
                 can run Python; leave out `parallel`",
            ),
            (
                algorithm.is_some() && parallel.is_some(),
                "write the number of trees into the text, as in \"ucb1:trees=4\"",
            ),
            (
                algorithm.is_some() && evaluate.is_some(),
                "a search with `evaluate` is one by PUCT; leave out `algorithm`",
            ),
            (
                parallel.is_some() && evaluate.is_some(),
                "a search with `evaluate` has one tree; leave out `parallel`",
            ),
            (algorithm.is_some() && has_window, "write the window into the text, as in \"ucb1:window=16\""),
            (
                evaluate.is_none() && has_window,
                "only a search with `evaluate` has a window; leave out `window`",
            ),
            (evaluate.is_none() && planes, "`planes` are for a function; give `evaluate`"),
            (
                planes && game.is_none() && optional(state, "planes")?.is_none(),
                "the state has no method planes(); add one, or leave out `planes`",
            ),
        ];
        if let Some((_, text)) = refused.iter().find(|(is_refused, _)| *is_refused) {
            return Err(PyValueError::new_err(*text));
        }
        let function = evaluate.map(|function| network::function(function)).transpose()?;
        let search = match (game, algorithm, &function) {
            (Some(game), None, Some(function)) => {
                network::search(game.try_borrow()?.0.clone(), seed, function, planes, window, memory)
            }
            (Some(game), Some(text), _) => {
                set(Box::new(builtin::by_text(text, &*game.try_borrow()?, seed)?), memory)
            }
            (Some(game), None, None) => {
                builtin::by_default(&game.try_borrow()?.0, seed, memory, parallel.unwrap_or(1))?
            }
            (None, None, Some(function)) => {
                network::search(game_of(state)?, seed, function, planes, window, memory)
            }
            (None, Some(text), _) => set(Box::new(by_text(text, game_of(state)?, seed)?), memory),
            (None, None, None) => set(Box::new(Mcts::new(game_of(state)?).seed(seed)), memory),
        };
        parts(search, function)
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
        self.with(|search| {
            let _running = Running::begin()?;
            search.run(py, budget)
        })
    }

    fn report(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.with(|search| search.report(py))
    }

    fn actions_after(&self, py: Python<'_>, line: Vec<Bound<'_, PyAny>>) -> PyResult<Vec<Py<PyAny>>> {
        self.with(|search| search.actions_after(&line, py))
    }

    fn advance(&self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        self.with(|search| search.advance(action))
    }

    fn reset(&self, state: &Bound<'_, PyAny>) -> PyResult<()> {
        self.with(|search| search.reset(state))
    }

    #[getter]
    fn state(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.with(|search| search.state(py))
    }

    #[pyo3(signature = (title = "The tree of a search", *, nodes = 20_000))]
    fn page(&self, py: Python<'_>, title: &str, nodes: usize) -> PyResult<Py<PyAny>> {
        let page = self.with(|search| search.page(py, title, nodes))?;
        py.import("ramure._report")?.getattr("Page")?.call1((page,)).map(Bound::unbind)
    }

    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.with(|search| search.save(py, path))
    }

    fn load(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.with(|search| search.load(py, path))
    }

    /// A search that runs keeps what it refers to.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let Ok(parts) = self.search.try_lock() else { return Ok(()) };
        let Some((search, function)) = &*parts else { return Ok(()) };
        if let Some(function) = function {
            visit.call(&**function)?;
        }
        search.visit(&visit)
    }

    fn __clear__(&self) {
        let parts = self.search.try_lock().ok().and_then(|mut search| search.take());
        drop(parts); // The search is not locked any more: finalizers may ask it.
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
pub static KNOWN_FOR_PYTHON: LazyLock<Registry<PyGame, WithNumbers<Rules>>> =
    LazyLock::new(|| Registry::new().with_numbers());

/// Returns the search of a game written in Python that a text names.
fn by_text(text: &str, game: PyGame, seed: u64) -> PyResult<Box<dyn Search<Space = PyGame> + Send>> {
    let search = KNOWN_FOR_PYTHON.search(text, game, seed);
    let search = search.map_err(|error| PyValueError::new_err(in_python(&error.to_string())))?;
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
