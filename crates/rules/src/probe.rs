//! The probe, which makes all calls into a game: it catches panics and errors, bounds lists, and informs the
//! watchdog.

use super::law::Law;
use super::watchdog::{Progress, lock, watched};
use core::cell::{Cell, RefCell};
use core::time::Duration;
use ramure::CustomError;
use ramure::{GameState, Player, Rng, Turn, take_failure};
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex, MutexGuard, Once, Weak};

/// A longer list of actions is taken to be endless.
const LONGEST_LIST: usize = 1 << 20;

/// A breach of a law.
#[derive(Clone, Debug)]
pub(super) struct Breach {
    /// The law, if it is not that of the rule that found the breach.
    pub law: Option<Law>,
    pub what: String,
    /// The number of actions after which it showed, if not at the end of the line.
    pub at: Option<usize>,
    /// Whether shorter lines cannot break it, so that none need be tried.
    pub rigid: bool,
}

impl Breach {
    /// A breach of the law of the rule that finds it.
    pub fn new(what: impl Into<String>) -> Self {
        Breach { law: None, what: what.into(), at: None, rigid: false }
    }

    /// A breach if something is wrong.
    pub fn of(wrong: Option<String>) -> Result<(), Self> {
        wrong.map_or(Ok(()), broken)
    }

    /// A call that panics, that [fails](ramure::fail) or that does not end.
    fn of_call(what: String) -> Self {
        Breach::new(what).by(Law::Calls)
    }

    /// The breach of a game that has [failed](ramure::fail).
    pub fn failed(name: &str, error: CustomError) -> Self {
        Breach::of_call(format!("{name} failed: {error:?}"))
    }

    /// Names the law, unless it is named already.
    pub fn by(self, law: Law) -> Self {
        Breach { law: self.law.or(Some(law)), ..self }
    }

    pub fn at(self, length: usize) -> Self {
        Breach { at: Some(length), ..self }
    }

    pub fn rigid(self) -> Self {
        Breach { rigid: true, ..self }
    }
}

/// Returns the breach of the law of the rule that calls it.
pub(super) fn broken<T>(what: impl Into<String>) -> Result<T, Breach> {
    Err(Breach::new(what))
}

pub(super) struct Probe {
    progress: Arc<Mutex<Progress>>,
    /// Whether a call was refused, because the time is up.
    has_refused: Cell<bool>,
}

impl Probe {
    /// `what` is checked, for at most this `time`; after that, all calls are refused.
    pub fn new(patience: Duration, time: Duration, what: String) -> Self {
        take_failure(); // of a call outside of checks
        let progress = watched(patience, time, what);
        CURRENT.set(Arc::downgrade(&progress));
        Probe { progress, has_refused: Cell::new(false) }
    }

    /// Whether a call was refused since this was last asked, so that no result since then counts.
    pub fn take_refused(&self) -> bool {
        self.has_refused.take()
    }

    pub fn has_refused(&self) -> bool {
        self.has_refused.get()
    }

    /// Lifts the time limit.
    pub fn unlimited(&self) {
        let long = &mut self.progress().long;
        (long.time, long.is_over) = (Duration::MAX, false);
        long.what.clear();
    }

    /// Tells the watchdog how far the check is.
    pub fn count(&self, states: u64, games: u32) {
        self.progress().long.counts = (states, games);
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        lock(&self.progress)
    }

    /// Tells the watchdog which line is being played.
    pub fn set_line(&self, line: impl Iterator<Item = Arc<str>>) {
        let mut progress = self.progress();
        progress.line.clear();
        progress.line.extend(line);
        progress.announced = progress.line.len();
    }

    /// Tells the watchdog that one more action is being played.
    pub fn push(&self, action: Arc<str>) {
        let mut progress = self.progress();
        progress.line.push(action);
        progress.announced = progress.line.len();
    }

    /// The line being played.
    pub fn line(&self) -> String {
        self.progress().line_text()
    }

    /// The number of calls; expensive ones count as several.
    pub fn calls(&self) -> u64 {
        self.progress().calls
    }

    /// Adds the cost of the next call, in calls.
    pub fn charge(&self, calls: u64) {
        self.progress().calls += calls;
    }

    /// Makes a call that may panic, fail, or never return.
    pub fn call<T>(&self, name: &'static str, call: impl FnOnce() -> T) -> Result<T, Breach> {
        let (mut call, mut result) = (Some(call), None);
        self.make(name, &mut || {
            if let Some(call) = call.take() {
                result = Some(call());
            }
        })?;
        match result {
            Some(result) => Ok(result),
            None => Err(Breach::of_call(format!("{name} did not return"))),
        }
    }

    /// Makes a call. It is a function of its own, so that it is compiled once.
    fn make(&self, name: &'static str, call: &mut dyn FnMut()) -> Result<(), Breach> {
        let mut progress = self.progress();
        if progress.long.is_over {
            self.has_refused.set(true);
            return Err(Breach::of_call(format!("{name} was not called, because the time is up")));
        }
        progress.call = Some(name);
        progress.calls += 1;
        drop(progress);
        let result = catch(call);
        self.progress().call = None;
        // Whatever came after it follows from it.
        if let Some(error) = take_failure() {
            return Err(Breach::failed(name, error.into()));
        }
        result.map_err(|message| {
            let progress = self.progress();
            let ahead = progress.line.get(progress.announced..).filter(|ahead| !ahead.is_empty());
            let ahead = ahead.map(|ahead| format!("; then {} was played", ahead.join(", ")));
            Breach::of_call(format!("{name} panicked: {message}{}", ahead.unwrap_or_default()))
        })
    }

    pub fn clone<G: GameState>(&self, state: &G) -> Result<G, Breach> {
        self.call("`clone`", || state.clone())
    }

    pub fn players<G: GameState>(&self, state: &G) -> Result<u8, Breach> {
        self.call("`players`", || state.players())
    }

    pub fn turn<G: GameState>(&self, state: &G) -> Result<Turn, Breach> {
        self.call("`turn`", || state.turn())
    }

    pub fn actions<G: GameState>(&self, state: &G) -> Result<Vec<G::Action>, Breach> {
        let list = || state.actions().into_iter().take(LONGEST_LIST + 1).collect::<Vec<_>>();
        let actions = self.call("`actions`", list)?;
        if actions.len() <= LONGEST_LIST {
            return Ok(actions);
        }
        Err(Breach::of_call(format!(
            "`actions` yields more than {LONGEST_LIST} actions and is taken to be endless; it begins {}",
            super::list::list(&actions)
        )))
    }

    /// Returns the action as text, which the watchdog must know before the action is played.
    pub fn apply<G: GameState>(&self, state: &mut G, action: &G::Action) -> Result<Arc<str>, Breach> {
        let text: Arc<str> = self.debug(action)?.into();
        self.progress().line.push(text.clone());
        let result = self.call("`apply`", || state.apply(action.clone()));
        self.progress().line.pop();
        result.map(|()| text)
    }

    /// The state after an action.
    pub fn after<G: GameState>(&self, state: &G, action: &G::Action) -> Result<G, Breach> {
        let mut next = self.clone(state)?;
        self.apply(&mut next, action)?;
        Ok(next)
    }

    pub fn reward<G: GameState>(&self, state: &G, player: Player) -> Result<f64, Breach> {
        self.call("`reward`", || state.reward(player))
    }

    pub fn probability<G: GameState>(&self, state: &G, outcome: &G::Action) -> Result<f64, Breach> {
        self.call("`probability`", || state.probability(outcome.clone()))
    }

    /// Draws an action of the player to move, or an outcome of chance; none if the game is over.
    pub fn draw<G: GameState>(
        &self,
        state: &G,
        turn: Turn,
        rng: &mut Rng,
    ) -> Result<Option<G::Action>, Breach> {
        match turn {
            Turn::Player(_) => self.call("`random_action`", || state.random_action(rng)),
            Turn::Chance => self.call("`random_outcome`", || state.random_outcome(rng)),
            Turn::Over => Ok(None),
        }
    }

    pub fn is_legal<G: GameState>(&self, state: &G, action: &G::Action) -> Result<bool, Breach> {
        self.call("`is_legal`", || state.is_legal(action.clone()))
    }

    pub fn debug<T: core::fmt::Debug>(&self, value: &T) -> Result<String, Breach> {
        self.call("`Debug`", || format!("{value:?}"))
    }
}

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    /// The progress of the check that runs on this thread.
    static CURRENT: RefCell<Weak<Mutex<Progress>>> = const { RefCell::new(Weak::new()) };
    static MESSAGE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs code that may panic. The panic is not printed; its message is returned, with its location.
pub(super) fn catch(call: &mut dyn FnMut()) -> Result<(), String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // If panics abort, this is the last chance to print anything.
            if !CATCHING.get() {
                return before(info);
            }
            if cfg!(panic = "abort") {
                if let Some(progress) = CURRENT.with_borrow(Weak::upgrade) {
                    let line = lock(&progress).line_text();
                    eprintln!("ramure-rules: a panic, after {line}");
                }
                return before(info);
            }
            // `payload_as_str` does the same, and needs Rust 1.91.
            let payload = info.payload();
            let literal = payload.downcast_ref::<&str>().copied();
            let message = literal.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
            let message = message.unwrap_or("no message");
            let place = info.location().map(|place| format!(" ({}:{})", place.file(), place.line()));
            MESSAGE.set(Some(format!("{message}{}", place.unwrap_or_default())));
        }));
    });
    let outer = CATCHING.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(call));
    CATCHING.set(outer);
    result.map_err(|_| MESSAGE.take().unwrap_or_else(|| "no message".to_owned()))
}
