//! The class `Search`: a search of any game, by any algorithm.

use crate::builtin::{self, Game, KNOWN};
use crate::contest::wrong;
use crate::ending::{Outside, Running};
use crate::failure::Hooks;
use crate::game::PyGame;
use crate::language::{Language, game_of, result_of};
use crate::network::{self, Evaluated};
use crate::planning::{self, Plan};
use crate::report;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use ramure::saved::FileError;
use ramure::search::ActionOf;
use ramure::{Budget, Bytes, Mcts, Search};
use ramure_lab::{Registry, WithEvaluation, WithNumbers};
use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, TryLockError};
use std::time::Duration;

/// What a search by text cannot do, because its type is not known.
const NO_TASKS: &str = "only searches by the default algorithm and with `evaluate` have pages and files; `actions_after` shows the tree of every search";

/// Why a search of a simulator with keys has no actions after a line.
const NO_LINES: &str = "with `key`, the actions after a step depend on its outcome, which a line of actions does not name; give an \
                        empty line, or `reset` a search to the state in question";

/// What only searches of a known type can do.
pub enum Task<'a> {
    /// Returns the explorer's page with this title, with so many of the most visited nodes.
    Page(&'a str, usize),
    /// Saves the search as a file.
    Save(&'a Path),
    /// Goes on where the search in a file was.
    Load(&'a Path),
}

/// A search that can do a [`Task`], if its type is known.
pub trait Deep<G: Language>: Search<Space = G> + Send {
    /// Returns the page, or an empty text. \[Default: `None`\]
    fn perform(&mut self, task: Task<'_>) -> Option<Result<String, FileError>> {
        let _ = task;
        None
    }
}

impl<G: Language> Deep<G> for Box<dyn Search<Space = G> + Send> {}

/// Implements [`Deep`] for searches of a known type.
macro_rules! deep {
    ($space:ty: $($search:ty),*) => {$(
        impl $crate::search::Deep<$space> for $search {
            fn perform(&mut self, task: $crate::search::Task<'_>) -> Option<Result<String, ramure::saved::FileError>> {
                use $crate::{language::Shown, search::Task};
                Some(match task {
                    Task::Page(title, nodes) => {
                        let explorer = self.tree().explorer().title(title).nodes(nodes);
                        Ok(match <$space as Shown>::HAS_PICTURES {
                            true => explorer.pictures_by(<$space as Shown>::shown).to_string(),
                            false => explorer.texts_by(|state| <$space as Shown>::shown(state, None)).to_string(),
                        })
                    }
                    Task::Save(path) => self.save(path).map(|()| String::new()),
                    Task::Load(path) => self.resume(path).map(|()| String::new()),
                })
            }
        }
    )*};
}
pub(crate) use deep;

deep!(PyGame: Mcts<PyGame>, Evaluated<PyGame>);

/// A search of any game.
pub trait AnySearch: Send {
    /// Runs the search, on this thread if it `evaluates` its leaves by a function of Python.
    fn run(&mut self, py: Python<'_>, budget: Budget, evaluates: bool) -> PyResult<Py<PyAny>>;
    fn report(&self, py: Python<'_>) -> PyResult<Py<PyAny>>;
    fn actions_after(&self, line: &[Bound<'_, PyAny>], py: Python<'_>) -> PyResult<Vec<Py<PyAny>>>;
    fn advance(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()>;
    fn reset(&mut self, state: &Bound<'_, PyAny>) -> PyResult<()>;
    fn state(&self, py: Python<'_>) -> PyResult<Py<PyAny>>;
    fn perform(&mut self, py: Python<'_>, task: Task<'_>) -> PyResult<String>;
    fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError>;
}

impl<G: Language> AnySearch for Box<dyn Deep<G>> {
    fn run(&mut self, py: Python<'_>, budget: Budget, evaluates: bool) -> PyResult<Py<PyAny>> {
        let _running = Running::begin()?;
        let hooks = self.space().hooks().cloned();
        let report = match &hooks {
            Some(hooks) => hooks.working(|| Search::run(self, budget)),
            None if evaluates => py.detach(|| Search::run(self, budget)),
            None => {
                let outside = Outside::new(self.stop_handle(), None);
                let report = outside.watch(py, || Search::run(self, budget));
                outside.stop.clear();
                report?
            }
        };
        report::report(py, self.space(), &result_of(py, hooks.as_ref(), report)?)
    }

    fn report(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let report = result_of(py, self.space().hooks(), Search::report(self))?;
        report::report(py, self.space(), &report)
    }

    fn actions_after(&self, line: &[Bound<'_, PyAny>], py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        if G::HAS_OUTCOMES && !line.is_empty() {
            return Err(PyValueError::new_err(NO_LINES));
        }
        let line = line.iter().map(|action| self.space().action_from_python(action));
        let line: Vec<ActionOf<G>> = line.collect::<PyResult<_>>()?;
        let entries = Search::actions_after(self, &line);
        result_of(py, self.space().hooks(), Ok(()))?;
        entries.iter().map(|entry| report::row(py, self.space(), entry)).collect()
    }

    fn advance(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        let hooks = self.space().hooks().cloned();
        let advanced = self.space().action_from_python(action)?;
        let advance = || Search::advance(self, advanced);
        let result = match &hooks {
            Some(hooks) => hooks.working(advance),
            None => advance(),
        };
        result_of(action.py(), hooks.as_ref(), result)
    }

    fn reset(&mut self, state: &Bound<'_, PyAny>) -> PyResult<()> {
        let space = self.space().at(state)?;
        Search::reset(self, space);
        Ok(())
    }

    fn state(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.space().state_to_python(py)
    }

    fn perform(&mut self, py: Python<'_>, task: Task<'_>) -> PyResult<String> {
        let _running = Running::begin()?;
        let hooks = self.space().hooks().cloned();
        let done = match &hooks {
            Some(hooks) => hooks.working(|| Deep::perform(&mut **self, task)),
            None => py.detach(|| Deep::perform(&mut **self, task)),
        };
        result_of(py, hooks.as_ref(), Ok(()))?;
        let done = done.ok_or_else(|| PyValueError::new_err(NO_TASKS))?;
        done.map_err(|error| match error.source().and_then(|source| source.downcast_ref::<io::Error>()) {
            Some(source) => io::Error::new(source.kind(), format!("{error}: {source}")).into(),
            None => PyValueError::new_err(error.to_string()),
        })
    }

    fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.space().in_python().map_or(Ok(()), |game| game.visit(visit))
    }
}

/// What the class `Search` of Python calls.
#[pyclass(frozen, module = "ramure._ramure")]
pub struct RawSearch {
    /// `None` after the garbage collector has freed it.
    search: Mutex<Option<Parts>>,
}

/// A search, and the function that evaluates its leaves.
type Parts = (Box<dyn AnySearch>, Option<Arc<Py<PyAny>>>);

impl RawSearch {
    /// Calls `work` with the search, if nothing else uses it.
    fn with<T>(&self, work: impl FnOnce(&mut dyn AnySearch) -> PyResult<T>) -> PyResult<T> {
        self.with_parts(|(search, _)| work(&mut **search))
    }

    fn with_parts<T>(&self, work: impl FnOnce(&mut Parts) -> PyResult<T>) -> PyResult<T> {
        let why = match self.search.try_lock().as_deref_mut() {
            Ok(Some(parts)) => return work(parts),
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
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn new(
        state: &Bound<'_, PyAny>,
        algorithm: Option<&str>,
        seed: u64,
        memory: Option<usize>,
        trees: usize,
        evaluate: Option<Py<PyAny>>,
        planes: bool,
        window: usize,
        plan: Option<Plan>,
    ) -> PyResult<Self> {
        let function = evaluate.map(Arc::new);
        let evaluate = function.as_ref().map(|function| (function, planes, window));
        let search = match (state.cast::<Game>(), algorithm, evaluate, plan) {
            (Ok(game), Some(text), ..) => {
                let game = game.try_borrow()?.0.clone();
                set(Box::new(KNOWN.search(text, game, seed).map_err(wrong)?), memory)
            }
            (Ok(game), ..) => builtin::search(&game.try_borrow()?.0, seed, memory, trees, evaluate)?,
            (_, _, Some(evaluate), _) => network::search(game_of(state)?, seed, memory, evaluate),
            (_, Some(text), ..) => {
                let game = game_of(state)?;
                let known = known_for_python(game.hooks());
                set(Box::new(known.search(text, game, seed).map_err(wrong)?), memory)
            }
            (.., Some(plan)) => planning::search(state, plan, seed, memory)?,
            (.., None) => set(Box::new(Mcts::new(game_of(state)?).seed(seed)), memory),
        };
        Ok(RawSearch { search: Mutex::new(Some((search, function))) })
    }

    fn run(
        &self,
        py: Python<'_>,
        iterations: Option<u64>,
        millis: Option<f64>,
        memory: Option<usize>,
        stop_early: bool,
    ) -> PyResult<Py<PyAny>> {
        let time = millis.and_then(|millis| Duration::try_from_secs_f64(millis / 1e3).ok());
        let budget = Budget::until_stopped();
        let budget = iterations.into_iter().fold(budget, Budget::and_iterations);
        let budget = time.into_iter().fold(budget, Budget::and_time);
        let budget = memory.map(Bytes).into_iter().fold(budget, Budget::and_bytes);
        let budget = if stop_early { budget.or_decided() } else { budget };
        self.with_parts(|(search, function)| search.run(py, budget, function.is_some()))
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

    fn state(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.with(|search| search.state(py))
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
}

/// Returns a search of any game with its limit of memory.
pub fn set<G: Language>(mut search: Box<dyn Deep<G>>, memory: Option<usize>) -> Box<dyn AnySearch> {
    if let Some(bytes) = memory {
        search.set_memory_limit(Bytes(bytes));
    }
    Box::new(search)
}

/// The words of searches and agents of games written in Python, which share their loops.
pub type Known = Registry<PyGame, WithNumbers<WithEvaluation>>;

/// Returns the words for a game that has the methods that `hooks` says.
pub fn known_for_python(hooks: &Hooks) -> &'static Known {
    static KNOWN: LazyLock<[Known; 4]> = LazyLock::new(|| {
        let all = || Registry::new().with_evaluation().with_numbers();
        let keyed = all().with_keys();
        [all().without_evaluation(), all(), keyed.clone().without_evaluation(), keyed]
    });
    &KNOWN[usize::from(hooks.has("evaluation")) + 2 * usize::from(hooks.has("key"))]
}
