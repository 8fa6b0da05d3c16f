//! A search of any space and of any type, as Python uses it.

use crate::answers::{Of, evaluation};
use crate::ending::{Outside, running};
use crate::failure::{Kept, result_of};
use crate::language::Language;
use crate::report;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyList};
use ramure::saved::FileError;
use ramure::search::{ActionOf, Space, Ticket};
use ramure::{Budget, Bytes, Every, Player, Report, Rewards, Search, SearchError, StopHandle};
use std::error::Error;
use std::io;
use std::mem;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The error for a call that a search by text cannot serve, because its type is not known.
const NO_TASKS: &str = "only searches by the default algorithm and with `evaluate` have pages and files, and those of a belief have no files; `actions_after` shows the tree of every search";

/// A call that only searches of a known type answer.
pub enum Task<'a> {
    /// Returns the explorer's page with this title, with so many of the most visited nodes.
    Page(&'a str, usize),
    /// Saves the search as a file.
    Save(&'a Path),
    /// Goes on where the search in a file was.
    Load(&'a Path),
}

/// The page, or an empty text; `None` if the type of the search is not known.
pub type Done = Option<Result<String, FileError>>;

/// A search that can do a [`Task`], if its type is known.
pub trait Deep: Search<Space: Language> + Send {
    /// Does a task. \[Default: `None`\]
    fn perform(&mut self, task: Task<'_>) -> Done {
        let _ = task;
        None
    }

    /// Takes in an action and what was observed after it. Only searches of beliefs are asked.
    fn observe(&mut self, _: ActionOf<Self::Space>, _: ActionOf<Self::Space>) -> Result<(), SearchError> {
        unreachable!("this search has no belief")
    }

    /// Reports on the tree of a player. Only searches with a tree for each player are asked.
    fn report_of(&self, _: Player) -> Result<Report<ActionOf<Self::Space>>, SearchError> {
        unreachable!("this search has one tree")
    }

    /// Takes in answers, and returns the next questions. Only searches with a function that evaluates are asked.
    fn exchange(&mut self, _: Vec<Answer>, _: Option<u32>) -> Questions<Self::Space> {
        unreachable!("this search has no `evaluate`")
    }
}

/// A leaf to evaluate.
pub struct Asked<S: Space> {
    pub ticket: Ticket,
    pub state: S::Game,
    pub actions: Vec<ActionOf<S>>,
    pub of: Of,
}

/// The questions of a search.
pub type Questions<S> = Result<Vec<Asked<S>>, SearchError>;

/// The answer to a question: rewards and priors.
pub type Answer = (Ticket, Rewards, Vec<f32>);

/// The place of the first question in a batch, and the values and the priors that a function returned for questions.
pub type Given<'py> = Option<(usize, Vec<Bound<'py, PyAny>>, Option<Vec<Bound<'py, PyAny>>>)>;

/// What a function gets for questions, and the lists of their actions.
pub type Inputs<'py> = PyResult<Option<(Py<PyAny>, Bound<'py, PyList>)>>;

/// The visits of the root until which a search asks, and whether it asks with planes. `None` drops the open questions.
pub type Until = Option<(u32, bool)>;

impl<G: Language> Deep for Box<dyn Search<Space = G> + Send> {}

/// Implements [`Deep`] for searches of known types, whose page shows states by this method of `Explorer`. Those that
/// are `asked` have a function that evaluates leaves.
macro_rules! deep {
    ($($search:ty),*: $show:ident $how:tt) => {
        $(impl $crate::any_search::Deep for $search { deep!(@ $show $how); })*
    };
    (asked $($search:ty),*: $show:ident $how:tt) => {
        $(impl $crate::any_search::Deep for $search {
            deep!(@ $show $how);
            fn exchange(&mut self, answers: Vec<Answer>, visits: Option<u32>) -> Questions<Self::Space> {
                network::exchange(self, answers, visits)
            }
        })*
    };
    (@ $show:ident $how:tt) => {
        fn perform(&mut self, task: $crate::any_search::Task<'_>) -> $crate::any_search::Done {
            use $crate::any_search::Task;
            Some(match task {
                Task::Page(title, nodes) => {
                    let explorer = ramure_explorer::Explorer::new(self.tree());
                    Ok(explorer.title(title).nodes(nodes).$show $how.to_string())
                }
                Task::Save(path) => self.save(path).map(|()| String::new()),
                Task::Load(path) => self.resume(path).map(|()| String::new()),
            })
        }
    };
}
pub(crate) use deep;

/// A function of Python that gets a report so often while a search runs, and ends the run if it returns `False`.
pub struct Progress {
    pub function: Py<PyAny>,
    pub every: Duration,
}

/// A search of any space.
pub trait AnySearch: Send {
    fn run(&mut self, py: Python<'_>, budget: Budget, progress: Option<Progress>) -> PyResult<Py<PyAny>>;
    fn stop_handle(&self) -> StopHandle;
    fn report(&self, py: Python<'_>, player: Option<Player>) -> PyResult<Py<PyAny>>;
    fn actions_after(&self, line: &[Bound<'_, PyAny>], py: Python<'_>) -> PyResult<Vec<Py<PyAny>>>;
    /// Plays an action, after which this was observed.
    fn advance(
        &mut self,
        action: &Bound<'_, PyAny>,
        observation: Option<(Bound<'_, PyAny>,)>,
    ) -> PyResult<()>;
    /// Answers the last questions, and asks the next ones.
    fn exchange<'py>(&mut self, py: Python<'py>, given: Given<'py>, until: Until) -> Inputs<'py>;
    fn reset(&mut self, state: &Bound<'_, PyAny>) -> PyResult<()>;
    fn state(&self, py: Python<'_>) -> PyResult<Py<PyAny>>;
    /// Returns the root state itself, if it is written in Python.
    fn root(&self, py: Python<'_>) -> Option<Py<PyAny>>;
    fn perform(&mut self, py: Python<'_>, task: Task<'_>) -> PyResult<String>;
    fn set_memory_limit(&mut self, limit: Bytes);
    /// Returns what the garbage collector must know of.
    fn held(&self) -> Vec<&Py<PyAny>>;
}

/// A search of a space.
struct Searched<G: Language> {
    search: Box<dyn Deep<Space = G>>,
    /// The function of Python that evaluates its leaves.
    function: Option<Arc<Py<PyAny>>>,
    /// Whether the function is called on the thread that asks for a run.
    is_called_here: bool,
    /// The questions that [`AnySearch::exchange`] has asked.
    open: Vec<(Ticket, Of)>,
}

/// Returns a search whose leaves `function` evaluates, if there is one, on the thread that asks for a run.
pub fn any<S: Deep + 'static>(search: S, function: Option<Arc<Py<PyAny>>>) -> Box<dyn AnySearch> {
    let is_called_here = function.is_some();
    Box::new(Searched::<S::Space> { search: Box::new(search), function, is_called_here, open: Vec::new() })
}

/// Returns a search whose leaves `function` evaluates on any thread.
pub fn on_threads<S: Deep + 'static>(search: S, function: Arc<Py<PyAny>>) -> Box<dyn AnySearch> {
    let (search, function) = (Box::new(search), Some(function));
    Box::new(Searched::<S::Space> { search, function, is_called_here: false, open: Vec::new() })
}

impl<G: Language> Searched<G> {
    /// Lets the search work on this thread, with the interpreter only if it needs it.
    fn work<T: Send>(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn Deep<Space = G>) -> Result<T, SearchError> + Send,
    ) -> PyResult<T> {
        let (hooks, kept) = (self.search.space().hooks().cloned(), self.search.space().kept());
        let search = &mut *self.search;
        let result = match &hooks {
            Some(hooks) => hooks.working(|| work(search)),
            None => py.detach(|| work(search)),
        };
        result_of(py, &kept, result)
    }
}

/// Calls the function of Python with a report. Ends the run if it returns `False`, or raises.
fn show<G: Language>(
    py: Python<'_>,
    space: &G,
    Progress { function, .. }: &Progress,
    report: &Report<ActionOf<G>>,
    outside: &Outside,
) {
    let answer = report::report(py, space, report).and_then(|report| function.call1(py, (report,)));
    match answer {
        Ok(answer) if answer.bind(py).is(PyBool::new(py, false)) => outside.stop.stop(),
        Ok(_) => {}
        Err(error) => outside.raise(py, error),
    }
}

impl<G: Language> AnySearch for Searched<G> {
    fn run(&mut self, py: Python<'_>, budget: Budget, progress: Option<Progress>) -> PyResult<Py<PyAny>> {
        let _running = running()?;
        let is_outside = self.search.space().in_python().is_none() && !self.is_called_here;
        let kept = if is_outside { Kept::default() } else { self.search.space().kept() };
        let outside = Outside { stop: self.search.stop_handle(), kept };
        // The search lends its space to nobody while it runs.
        let space = progress.as_ref().map(|_| self.search.space().clone());
        let every =
            progress.as_ref().map_or(Every::Iterations(u64::MAX), |progress| Every::Time(progress.every));
        let mut observer = |report: &Report<ActionOf<G>>| {
            if let (Some(space), Some(progress)) = (&space, &progress) {
                Python::attach(|py| show(py, space, progress, report, &outside));
            }
        };
        let report = if is_outside {
            let report = outside.watch(py, || self.search.run_with(budget, every, &mut observer));
            outside.stop.clear();
            result_of(py, &Kept::default(), report?)?
        } else {
            self.work(py, |search| search.run_with(budget, every, &mut observer))?
        };
        report::report(py, self.search.space(), &report)
    }

    fn stop_handle(&self) -> StopHandle {
        self.search.stop_handle()
    }

    fn report(&self, py: Python<'_>, player: Option<Player>) -> PyResult<Py<PyAny>> {
        let (space, search) = (self.search.space(), &self.search);
        let report = player.map_or_else(|| search.report(), |player| search.report_of(player));
        report::report(py, space, &result_of(py, &space.kept(), report)?)
    }

    fn actions_after(&self, line: &[Bound<'_, PyAny>], py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        let space = self.search.space();
        let Some(line) = space.line_from_python(line)? else { return Ok(Vec::new()) };
        let entries = self.search.actions_after(&line);
        result_of(py, &space.kept(), Ok(()))?;
        entries.iter().map(|entry| report::row(py, space, entry)).collect()
    }

    fn advance(
        &mut self,
        action: &Bound<'_, PyAny>,
        observation: Option<(Bound<'_, PyAny>,)>,
    ) -> PyResult<()> {
        let read = |object: &_| self.search.space().action_from_python(object);
        let (advanced, observed) = (read(action)?, observation.map(|(seen,)| read(&seen)).transpose()?);
        self.work(action.py(), |search| match observed {
            Some(observed) => search.observe(advanced, observed),
            None => search.advance(advanced),
        })
    }

    fn exchange<'py>(&mut self, py: Python<'py>, given: Given<'py>, until: Until) -> Inputs<'py> {
        let _running = running()?;
        let (first, values, priors) = given.unwrap_or_default();
        let open = mem::take(&mut self.open).into_iter().zip(&values).enumerate();
        let answers = open.map(|(number, ((ticket, of), value))| {
            let priors = priors.as_ref().map(|priors| &priors[number]);
            let (rewards, priors) = evaluation(first + number, of, value, priors)?;
            Ok((ticket, rewards, priors.unwrap_or_else(|| vec![1.0; of.2])))
        });
        let answers = answers.collect::<PyResult<Vec<_>>>()?;
        let asked = self.work(py, |search| search.exchange(answers, until.map(|(visits, _)| visits)))?;
        let Some((_, planes)) = until.filter(|_| !asked.is_empty()) else { return Ok(None) };
        let space = self.search.space();
        let lists = asked.iter().map(|asked| space.list(py, &asked.actions)).collect::<PyResult<Vec<_>>>()?;
        let states: Vec<&G::Game> = asked.iter().map(|asked| &asked.state).collect();
        let inputs = G::inputs(py, &states, planes)?;
        self.open = asked.iter().map(|asked| (asked.ticket, asked.of)).collect();
        Ok(Some((inputs, PyList::new(py, lists)?)))
    }

    fn reset(&mut self, state: &Bound<'_, PyAny>) -> PyResult<()> {
        let space = self.search.space().at(state)?;
        self.search.reset(space);
        Ok(())
    }

    fn state(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.search.space().state_to_python(py)
    }

    fn root(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.search.space().in_python().map(|game| game.object.clone_ref(py))
    }

    fn perform(&mut self, py: Python<'_>, task: Task<'_>) -> PyResult<String> {
        let _running = running()?;
        let done = self.work(py, |search| Ok(search.perform(task)))?;
        let done = done.ok_or_else(|| PyValueError::new_err(NO_TASKS))?;
        done.map_err(|error| match error.source().and_then(|source| source.downcast_ref::<io::Error>()) {
            Some(source) => io::Error::new(source.kind(), format!("{error}: {source}")).into(),
            None => PyValueError::new_err(error.to_string()),
        })
    }

    fn set_memory_limit(&mut self, limit: Bytes) {
        self.search.set_memory_limit(limit);
    }

    fn held(&self) -> Vec<&Py<PyAny>> {
        let game = self.search.space().in_python().into_iter();
        let of_game = game.flat_map(|game| [&game.object].into_iter().chain(game.hooks.held()));
        of_game.chain(self.function.as_deref()).collect()
    }
}
