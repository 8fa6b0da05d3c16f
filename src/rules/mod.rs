//! Tests the rules of a game: the laws that every game obeys, on thousands of lines of play. Uses `game`; and `search` with
//! `backpropagation`, for the laws of what a search makes of a game. Behind the feature `proptest`.
//!
//! A person who writes a game makes mistakes that no search can survive: an action that is not legal, a state that is shared
//! between clones, a winner forgotten on the last move. A few lines find them:
//!
//! ```
//! // in tests/rules.rs of the author of Connect 4
//! use ramure::games::Connect4;
//!
//! ramure::rules::laws!(
//!     mod connect4_rules, Connect4::new();
//!     hash, text, symmetry,
//!     invariant = nothing_floats, // a function of yours, `fn(&Connect4) -> bool`
//!     twin = PlainConnect4::new() // the game once more, as plainly as you can write it
//! );
//! ```
//!
//! *Laws* find a broken contract, an *invariant* finds a state that cannot be, and a *twin*, the game once more as plainly as
//! possible, finds rules of another game. Rules that were misread break no law, so a twin is worth its hour.
//!
//! # Three ways in
//!
//! - [`laws!`] writes one `#[test]` per [`Law`].
//! - [`check`] returns a [`Summary`] of what was covered, or the [`Violation`]: for use outside of tests. [`agree`] does so for two
//!   implementations of one game.
//! - [`games`], [`reachable`] and [`positions_and_actions`] are strategies of proptest, for laws of your own.
//!
//! All three play the same lines, and shorten one that breaks a law in the same way: to fewer actions, and to actions that are listed
//! earlier.
//!
//! Beside them, [`perft()`] counts lines of play, [`divide()`] tells them apart by the first action, and [`perft_table`] compares
//! the counts with those in a file.

mod check;
mod engine;
mod law;
mod laws;
mod list;
mod look;
mod macros;
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

#[doc(inline)]
pub use crate::__ramure_laws as laws;
pub use check::{Check, agree, check};
pub use law::Law;
pub use perft::{Divide, Perft, PerftColumn, PerftRow, TableError, TableSummary, divide, perft, perft_table};
pub use strategies::{Line, games, positions_and_actions, reachable};
pub use summary::{Spread, Summary};
#[doc(hidden)]
pub use violation::{Ask as __Ask, ByDebug as __ByDebug, ByDisplay as __ByDisplay};
pub use violation::{Found, Violation};

use crate::game::GameState;
use core::fmt::Debug;
use core::time::Duration;

/// The longest line of play that the strategies take.
pub const LONGEST_LINE: usize = 1_000;

/// How many games a check plays, if nothing else is said.
const GAMES: u32 = 1_000;

/// How long a call into a game may take, if nothing else is said.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a test of [`laws!`] does.
#[doc(hidden)]
#[track_caller]
pub fn __uphold<G: GameState + Debug + 'static>(check: Check<G>, law: Law) {
    if check.leaves_out(law) {
        return;
    }
    match check.only([law]).run() {
        Err(violation) if violation.law == law => panic!("\n\n{violation}\n"),
        Err(violation) => {
            eprintln!("not all could be looked at, since this law is broken as well: {}", violation.law)
        }
        Ok(_) => {}
    }
}
