//! Games whose model can fail: [`fail`] keeps the error of a game until the search asks for it.

use super::{GameFault, GameState};
use crate::custom_error::BoxError;
use core::cell::RefCell;

std::thread_local! {
    /// The first error that a game has reported on this thread since the last one was taken.
    static FAILURE: RefCell<Option<BoxError>> = const { RefCell::new(None) };
}

/// Reports that a method of a game failed, and returns `T::default()` in place of its answer.
///
/// A game may ask a simulator, a database or a language model for its actions, and they can fail. The methods
/// of [`GameState`] and of [`Simulator`](crate::Simulator) return no `Result`, so give this to
/// [`unwrap_or_else`](Result::unwrap_or_else), and set [`GameState::CAN_FAIL`] (or
/// [`Simulator::CAN_FAIL`](crate::Simulator::CAN_FAIL)):
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
///     const CAN_FAIL: bool = true;
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
/// keeps the tree. The next run goes on, and asks the game again.
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
    T::default()
}

/// Takes the error that a method of a game has reported by [`fail`] on this thread since the last call, if
/// there is one. If there were several, returns the first.
///
/// **Who needs it:** agents and tools of your own that call the methods of a game. Searches call it
/// themselves. Call it once before you begin, to drop what an earlier call has left, and after each answer
/// that you want to use.
///
/// ```
/// let answer: Vec<u8> = ramure::fail("the model does not answer");
/// assert!(answer.is_empty());
/// assert_eq!(ramure::take_failure().unwrap().to_string(), "the model does not answer");
/// assert!(ramure::take_failure().is_none());
/// ```
#[cold]
pub fn take_failure() -> Option<BoxError> {
    FAILURE.take()
}

/// Puts an error back that was taken, in place of any other.
#[cold]
pub(crate) fn put_failure_back(error: Option<BoxError>) {
    FAILURE.set(error);
}

/// Returns whether a game of this type has reported an error on this thread.
#[inline(always)]
pub(crate) fn has_failed<G: GameState>() -> bool {
    G::CAN_FAIL && is_set()
}

/// Returns whether a game has reported an error on this thread.
#[inline(never)]
pub(crate) fn is_set() -> bool {
    FAILURE.with_borrow(|first| first.is_some())
}

/// Returns a fault if a game of this type has reported an error on this thread although it declares that it
/// cannot fail: then what it returned may have been used.
#[inline(always)]
pub(crate) fn unless_undeclared<G: GameState>() -> Result<(), GameFault> {
    if !G::CAN_FAIL && take_failure().is_some() {
        return Err(GameFault::Undeclared { method: "fail", constant: "CAN_FAIL" });
    }
    Ok(())
}

/// Returns a fault if a game of this type has reported an error on this thread.
#[inline(always)]
pub(crate) fn unless_failed<G: GameState>() -> Result<(), GameFault> {
    if has_failed::<G>() { Err(GameFault::Failed) } else { Ok(()) }
}
