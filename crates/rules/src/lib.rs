//! Tests for the rules of a game that [`ramure`] searches: laws that every game must obey, checked on thousands
//! of lines of play.
//!
//! When you write a game, you can make mistakes that no search can work around: an illegal action in the
//! list, a state shared between clones, a win by the last action that is not detected. A few lines of test
//! code find them:
//!
//! ```
//! // tests/rules.rs in the crate of Connect 4
//! use ramure_games::Connect4;
//!
//! ramure_rules::laws!(
//!     mod connect4_rules, Connect4::new();
//!     hash, text, symmetry,
//!     invariant = nothing_floats, // your own function, `fn(&Connect4) -> bool`
//!     twin = PlainConnect4::new() // a second implementation, written as plainly as possible
//! );
//! ```
//!
//! *Laws* find a broken contract. An *invariant* finds an impossible state. A *twin*, a second implementation
//! written as plainly as possible, finds rules of another game. Misread rules break no law, so a twin is well
//! worth an hour of work.
//!
//! # Three ways in
//!
//! - [`laws!`] writes one `#[test]` per [`Law`].
//! - [`check`] returns a [`Summary`] of what it covered, or a [`Violation`]; use it outside of tests.
//! - [`games`], [`reachable`] and [`positions_and_actions`] are strategies of [`proptest`], for laws of your own.
//!   This crate exports the whole of it, so you need not add it.
//!
//! All three play the same lines, and shorten a line that breaks a law in the same way: to fewer actions, and
//! to actions that are listed earlier.
//!
//! [`check_observations`] does the same for a simulator whose state the planner does not see: its observations must be as
//! likely as it says.
//!
//! In addition, [`perft()`] counts lines of play, [`divide()`] splits the counts by the first action, and
//! [`perft_table`] compares them with the counts in a file.

#![deny(missing_docs)]
#![forbid(unsafe_code)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::return_self_not_must_use)]
#![cfg_attr(not(test), warn(clippy::too_many_lines))]

mod check;
mod engine;
mod law;
mod laws;
mod list;
mod look;
mod macros;
mod observations;
mod outcome;
mod perft;
mod probe;
mod settings;
mod shrink;
mod strategies;
mod summary;
mod violation;
mod walk;
mod watchdog;

pub use check::{Check, check};
#[doc(hidden)]
pub use check::{ShownByDebug as __ShownByDebug, ShownByDisplay as __ShownByDisplay};
pub use law::Law;
pub use observations::{ObservationFault, check_observations};
pub use perft::{Divide, Perft, PerftRow, TableError, divide, perft, perft_table};
#[doc(no_inline)]
pub use proptest;
pub use strategies::{Line, games, positions_and_actions, reachable};
pub use summary::{Spread, Summary};
pub use violation::Violation;

use core::fmt::Debug;
use core::time::Duration;
use ramure::GameState;

/// The greatest length of a line of play that the strategies generate.
const LONGEST_LINE: usize = 1_000;

/// The default number of games of a check.
const GAMES: u32 = 1_000;

/// The default number of states of a check.
const STATES: usize = 1_000;

/// The default limit for the time of one call into a game.
const PATIENCE: Duration = Duration::from_secs(10);

/// The default time limit of a check.
const TIME: Duration = Duration::from_secs(60);

/// Runs one test of [`laws!`].
#[doc(hidden)]
#[track_caller]
pub fn __uphold<G: GameState + Debug + 'static>(check: Check<G>, law: Law) {
    if check.leaves_out(law) {
        return;
    }
    match check.only([law]).run() {
        Err(violation) if violation.law == law => panic!("\n\n{violation}\n"),
        Err(violation) => {
            eprintln!("the check of this law is incomplete, because another law is broken: {}", violation.law)
        }
        Ok(_) => {}
    }
}

/// Returns `full` if the environment variable `RAMURE_DEEP` is set, and `quick` otherwise.
#[cfg(test)]
fn sized<T>(quick: T, full: T) -> T {
    if std::env::var_os("RAMURE_DEEP").is_some() { full } else { quick }
}
