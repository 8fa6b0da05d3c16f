//! Every call into a game goes through a probe: panics are caught, lists bounded, and the watchdog knows of the call.

use super::law::Law;
use super::watchdog::Watched;
use crate::game::{GameState, Player, Rng, Turn};
use core::cell::{Cell, RefCell};
use core::time::Duration;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Once};

/// More actions than this are taken to be endlessly many.
const LONGEST_LIST: usize = 1 << 20;

/// What broke which law.
#[derive(Clone, Debug)]
pub(super) struct Breach {
    pub law: Law,
    pub what: String,
    /// After how many actions of the line, if not at its end.
    pub at: Option<usize>,
    /// Whether shorter lines cannot break it, so that none need be tried.
    pub rigid: bool,
}

impl Breach {
    pub fn new(law: Law, what: impl Into<String>) -> Self {
        Breach { law, what: what.into(), at: None, rigid: false }
    }

    pub fn at(self, length: usize) -> Self {
        Breach { at: Some(length), ..self }
    }

    pub fn rigid(self) -> Self {
        Breach { rigid: true, ..self }
    }
}

pub(super) struct Probe {
    watched: Watched,
}

impl Probe {
    pub fn new(patience: Duration) -> Self {
        Probe { watched: Watched::new(patience) }
    }

    /// Tells the watchdog which line is being played.
    pub fn set_line(&self, line: impl Iterator<Item = Arc<str>>) {
        let mut progress = self.watched.progress();
        progress.line.clear();
        progress.line.extend(line);
    }

    /// Tells the watchdog that one more action is being played.
    pub fn push(&self, action: Arc<str>) {
        self.watched.progress().line.push(action);
    }

    /// The line being played.
    pub fn line(&self) -> String {
        self.watched.progress().line_text()
    }

    /// Calls what may panic or never return.
    pub fn call<T>(&self, name: &'static str, call: impl FnOnce() -> T) -> Result<T, Breach> {
        let mut progress = self.watched.progress();
        progress.call = Some(name);
        progress.calls += 1;
        drop(progress);
        let result = catch(call);
        self.watched.progress().call = None;
        result.map_err(|message| Breach::new(Law::Calls, format!("{name} panicked: {message}")))
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
        Err(Breach::new(
            Law::Calls,
            format!(
                "`actions` yields more than {LONGEST_LIST} actions and is taken to be endless; it begins {}",
                super::look::list(&actions)
            ),
        ))
    }

    pub fn apply<G: GameState>(&self, state: &mut G, action: G::Action) -> Result<(), Breach> {
        // The watchdog is to know what is being played.
        let text = self.debug(&action)?;
        self.push(text.as_str().into());
        let result = self.call("`apply`", || state.apply(action));
        self.watched.progress().line.pop();
        result.map_err(|breach| Breach {
            what: breach.what.replacen("`apply`", &format!("`apply` of {text}"), 1),
            ..breach
        })
    }

    /// The state after an action.
    pub fn after<G: GameState>(&self, state: &G, action: G::Action) -> Result<G, Breach> {
        let mut next = self.clone(state)?;
        self.apply(&mut next, action)?;
        Ok(next)
    }

    pub fn reward<G: GameState>(&self, state: &G, player: Player) -> Result<f64, Breach> {
        self.call("`reward`", || state.reward(player))
    }

    pub fn weight<G: GameState>(&self, state: &G, outcome: G::Action) -> Result<f64, Breach> {
        self.call("`weight`", || state.weight(outcome))
    }

    pub fn random_action<G: GameState>(&self, state: &G, rng: &mut Rng) -> Result<Option<G::Action>, Breach> {
        self.call("`random_action`", || state.random_action(rng))
    }

    pub fn is_legal<G: GameState>(&self, state: &G, action: G::Action) -> Result<bool, Breach> {
        self.call("`is_legal`", || state.is_legal(action))
    }

    pub fn debug<T: core::fmt::Debug>(&self, value: &T) -> Result<String, Breach> {
        self.call("`Debug`", || format!("{value:?}"))
    }
}

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    static MESSAGE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs what may panic; the panic is not printed, but its message returned, with the place.
fn catch<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // Where a panic aborts, this is the last chance to be heard.
            if !CATCHING.get() || cfg!(panic = "abort") {
                return before(info);
            }
            let message = info.payload_as_str().unwrap_or("no message");
            let place = info.location().map(|place| format!(" ({}:{})", place.file(), place.line()));
            MESSAGE.set(Some(format!("{message}{}", place.unwrap_or_default())));
        }));
    });
    let outer = CATCHING.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(call));
    CATCHING.set(outer);
    result.map_err(|_| MESSAGE.take().unwrap_or_else(|| "no message".to_owned()))
}
