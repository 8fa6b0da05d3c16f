//! Games whose model can fail: [`fail`] keeps the error of a game until the search asks for it.

use super::{GameFault, GameState};
use crate::custom_error::{BoxError, CustomError};
use core::cell::{Cell, RefCell};

std::thread_local! {
    /// The first error that a game has reported on this thread since the last one was taken.
    static FAILURE: RefCell<Option<BoxError>> = const { RefCell::new(None) };

    /// Whether there is one: this costs less to ask.
    static HAS_FAILED: Cell<bool> = const { Cell::new(false) };
}

/// Reports that a method of a game failed, and returns `T::default()` in place of its answer.
///
/// A game may ask a simulator, a database or a language model for its actions, and they can fail. The methods
/// of [`GameState`] and of [`Simulator`](crate::Simulator) return no `Result`, so give this to
/// [`unwrap_or_else`](Result::unwrap_or_else):
///
/// ```
/// use ramure::fail;
/// use ramure::prelude::*;
/// use std::error::Error;
/// use std::io;
///
/// /// Reads the actions after each line of play from a file.
/// #[derive(Clone)]
/// struct Opening { line: String }
///
/// impl Opening {
///     fn read(&self) -> io::Result<Vec<char>> {
///         Ok(std::fs::read_to_string(format!("no such folder/{}", self.line))?.chars().collect())
///     }
/// }
///
/// impl GameState for Opening {
///     type Action = char;
///
///     fn turn(&self) -> Turn {
///         if self.line.len() == 8 { Turn::Over } else { Turn::Player(self.line.len() as Player % 2) }
///     }
///     fn actions(&self) -> impl IntoIterator<Item = char> {
///         self.read().unwrap_or_else(fail)
///     }
///     fn apply(&mut self, action: char) {
///         self.line.push(action);
///     }
///     fn reward(&self, _: Player) -> f64 {
///         0.5
///     }
/// }
///
/// let mut search = Mcts::new(Opening { line: String::new() });
/// let error = search.run(Budget::iterations(100)).unwrap_err();
/// let error = error.source().unwrap().downcast_ref::<io::Error>().unwrap();
/// assert_eq!(error.kind(), io::ErrorKind::NotFound);
/// ```
///
/// The call of a search or of an agent during which the game failed then returns
/// [`SearchError::Failed`](crate::SearchError::Failed), whose [`source`](core::error::Error::source) is
/// `error`. It drops the iteration that met the error, uses nothing that the game returned after it, and
/// keeps the tree. The next run goes on, and asks the game again. If `apply` fails, nothing more is asked of
/// that state. Another method may be followed by a few more questions, whose answers do not matter.
///
/// To name the line of play, the search plays the iteration that failed once more.
///
/// [`turn`](GameState::turn) cannot fail: a [`Turn`](crate::Turn) has no default. If only the model knows whose
/// turn it is, let `apply` ask it.
///
/// Call this on the thread on which the method was called. If a method reports several errors, the search
/// returns the first one. You can also report errors in the methods of extension traits, such as
/// [`determinize`](crate::HiddenInformation::determinize) or
/// [`evaluate`](crate::StaticEvaluation::evaluate). Evaluators and rollout policies return their errors.
#[cold]
pub fn fail<T: Default, E: Into<BoxError>>(error: E) -> T {
    let error = error.into();
    FAILURE.with_borrow_mut(|first| {
        first.get_or_insert(error);
    });
    HAS_FAILED.set(true);
    T::default()
}

/// Takes the error that a method of a game has reported by [`fail`] on this thread since the last call, if
/// there is one. If there were several, returns the first.
///
/// **Who needs it:** agents and tools of your own that call the methods of a game. Searches call it
/// themselves. Call it once before you begin, to drop what an earlier call has left, and after the answers
/// that you want to use. To return the error with the line of play that led there, see
/// [`SearchError::unless_failed`](crate::SearchError::unless_failed).
///
/// ```
/// let answer: Vec<u8> = ramure::fail("the model does not answer");
/// assert!(answer.is_empty());
/// assert_eq!(ramure::take_failure().unwrap().to_string(), "the model does not answer");
/// assert!(ramure::take_failure().is_none());
/// ```
#[inline]
pub fn take_failure() -> Option<BoxError> {
    if HAS_FAILED.replace(false) { FAILURE.take() } else { None }
}

/// Returns whether a game has reported an error on this thread.
#[inline(always)]
pub(crate) fn has_failed() -> bool {
    HAS_FAILED.get()
}

/// Returns a fault if a game has reported an error on this thread. Asked before what the game has said is
/// kept; the end of each iteration finds out which error it was.
#[inline(always)]
pub(crate) fn unless_failed() -> Result<(), GameFault> {
    if has_failed() { Err(GameFault::Failed) } else { Ok(()) }
}

/// Plays `action` in `state`. Fails if the game has: then nobody may ask the state anything.
#[inline(always)]
pub(crate) fn try_apply<G: GameState>(state: &mut G, action: G::Action) -> Result<(), GameFault> {
    state.apply(action);
    unless_failed()
}

/// Why an iteration has no rewards.
#[derive(Clone, Debug)]
pub(crate) enum Cause {
    /// The game or a policy broke its contract.
    Fault(GameFault),
    /// The game or a policy failed with an error of its own.
    Error(CustomError),
}

impl Cause {
    /// Returns the cause of `fault`: the error that has been reported on this thread, if there is one.
    #[cold]
    pub fn of(fault: GameFault) -> Self {
        take_failure().map_or(Cause::Fault(fault), Cause::from)
    }
}

impl From<GameFault> for Cause {
    fn from(fault: GameFault) -> Self {
        Cause::Fault(fault)
    }
}

/// An error may be a fault, too.
impl From<BoxError> for Cause {
    fn from(error: BoxError) -> Self {
        match error.downcast::<GameFault>() {
            Ok(fault) => Cause::Fault(*fault),
            Err(error) => Cause::Error(error.into()),
        }
    }
}

/// Ends an iteration: if an error has been reported on this thread, that is its result, whatever else it
/// came to.
#[inline(always)]
pub(crate) fn concluded<T>(result: Result<T, GameFault>) -> Result<T, Cause> {
    match result {
        Ok(found) if !has_failed() => Ok(found),
        Ok(_) => Err(Cause::of(GameFault::Failed)),
        Err(fault) => Err(Cause::of(fault)),
    }
}
