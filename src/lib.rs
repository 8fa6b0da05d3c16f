//! Monte-Carlo tree search for any game. Implement one trait and get a strong player in one line. Swap one
//! type and get another algorithm. Unused features cost nothing.
//!
//! ```
//! use ramure::prelude::*;
//! use ramure_games::Connect4;
//!
//! // In one line:
//! let action = ramure::best_action(&Connect4::new(), Budget::millis(20))?;
//!
//! // The same in three, with a report of the results:
//! let mut search = Mcts::new(Connect4::new()).seed(7);
//! let report = search.run(Budget::iterations(10_000))?;
//! println!("{report}");
//! search.advance(report.best_action())?;
//! # let _ = action;
//! # Ok::<(), SearchError>(())
//! ```
//!
//! # Glossary
//!
//! | word | meaning |
//! |---|---|
//! | *action* | what a player chooses or chance draws; elsewhere also called a move |
//! | *iteration* | one pass of the four phases: selection, expansion, simulation, backpropagation |
//! | *rollout* | the rest of a game, played from a leaf to its end; elsewhere also called a playout |
//! | *reward* | the value of a finished game to a player, in [0, 1]: win 1, draw 1/2, loss 0 |
//! | *visits* N, n | the number of iterations through a node, or a child |
//! | *mean* Q | the mean reward of a child's iterations, for the player who chooses the child |
//! | *prior* P | the probability that an action is the best, estimated before any iteration |
//! | *exploration constant* c | how strongly the search favours actions with few visits |
//! | *robust child* | the action with the most visits |
//!
//! The chapter `docs/glossary.md` has all terms.
//!
//! # Overview
//!
//! - The chapters are files of the repository, from `docs/introduction.md`, ten minutes of Monte-Carlo tree
//!   search, and `docs/first_game.md` to `docs/writing_a_policy.md`.
//! - [`GameState`]: the trait that a game implements. The crate `ramure-games` has implementations.
//! - [`Mcts`]: the search. [`Budget`] limits it, [`GameClock`] divides the time of a whole game, [`Report`]
//!   is its result, [`Expansion`] and [`RootDecision`] are settings. [`Search`] is the trait of all searches.
//! - [`selection`], [`simulation`], [`backpropagation`]: the policies, and the traits for your own.
//! - [`statistics`]: the statistics that tree policies keep per child, and how they are updated.
//! - [`search`]: what can be searched besides a game (hidden information, graphs of positions, simulators),
//!   and the engines of a search: windows and threads, a tree for each player.
//! - `saved`: the module of the [feature](#features) `save`.
//!
//! Other crates use this one: `ramure-games` has games to search, `ramure-rules` tests the rules of your game,
//! `ramure-agents` has players with one trait: searches, minimax, alpha-beta, flat Monte-Carlo,
//! `ramure-puzzles` finds one good line of a puzzle: nested search, nested rollout policy adaptation, and
//! `ramure-explorer` writes the tree of a search as a page to look at.
//!
//! # One rule of perspective
//!
//! A game gives one reward per player. A child's statistics belong to the player who chose the action that
//! leads to it. The search never negates a reward and never alternates players by depth. So the same code
//! handles one player, two players who may have several turns in a row, and eight players.
//!
//! # Features
//!
//! - `serde`: `Serialize` and `Deserialize` for [`Report`], [`Budget`], [`Every`], [`Expansion`],
//!   [`RootDecision`], [`FirstPlay`](selection::FirstPlay), [`Rewards`], [`Turn`], [`GameClock`] and
//!   the types in them. A value that a search would reject is an error, both when it is written and when it is
//!   read.
//! - `save`: saves searches to files and loads them, `Mcts::save` and `Mcts::load`; includes `serde`.
//!   Policies of your own need `Persist`.
//! - `web` (default): reads the browser's clock on `wasm32-unknown-unknown`, by `wasm-bindgen`. Without it, a
//!   module imports one function, which returns milliseconds: `{ env: { ramure_now: () => performance.now() }
//!   }`.
//!
//! # Determinism
//!
//! With a budget of iterations, a seed fixes the result to the bit, in debug and release, on every platform.
//! Sums of rewards are exact up to 2^29 visits.

#![deny(missing_docs, unsafe_code)]
#![warn(clippy::undocumented_unsafe_blocks)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::return_self_not_must_use)]
#![cfg_attr(not(test), warn(clippy::too_many_lines))]
#![cfg_attr(docsrs, feature(doc_cfg))]

// Tests that are compiled here and under `tests` name the crate.
#[cfg(test)]
extern crate self as ramure;

pub mod backpropagation;
#[cfg_attr(
    all(target_arch = "x86_64", not(debug_assertions)),
    expect(unsafe_code, reason = "calls a function compiled for instructions detected at run time")
)]
mod cpu_features;
mod custom_error;
mod game;
mod iteration;
mod math;
#[cfg(not(feature = "save"))]
mod missing_feature;
mod parameter;
#[cfg(feature = "save")]
mod persist;
pub mod prelude;
#[cfg(test)]
#[path = "../tests/programs/mod.rs"]
mod programs;
mod run;
#[cfg(feature = "save")]
#[cfg_attr(docsrs, doc(cfg(feature = "save")))]
pub mod saved;
pub mod search;
pub mod selection;
mod sentence;
#[cfg(feature = "serde")]
mod serialization;
pub mod simulation;
mod space;
pub mod statistics;
#[expect(unsafe_code, reason = "the store manages raw memory in chunks")]
mod tree;
#[cfg(test)]
#[path = "../tests/twin/mod.rs"]
mod twin;

pub use cpu_features::with_best_instructions;
pub use custom_error::{BoxError, CustomError};
pub use game::{
    ActionCode, ActionIndex, ActionSampler, Belief, BeliefError, GameFault, GameState, HiddenInformation,
    Keyed, MAX_PLAYERS, PartiallyObserved, Picture, Player, Rewards, Rng, Scored, Simulator, SkipTurn,
    StaticEvaluation, Symmetric, Turn, fail, hash_key, take_failure,
};
pub use iteration::expansion::{Expansion, Order};
pub use iteration::root_actions::RootActions;
pub use parameter::ParameterError;
#[cfg(feature = "save")]
#[cfg_attr(docsrs, doc(cfg(feature = "save")))]
pub use persist::Persist;
pub use run::budget::{Budget, Bytes, Every, StopReason};
pub use run::clock::WallClock;
pub use run::error::SearchError;
pub use run::game_clock::GameClock;
pub use run::report::root_decision::RootDecision;
pub use run::report::{ActionReport, Report};
pub use run::stop_handle::StopHandle;
pub use search::mcts::{Mcts, best_action};
pub use search::search_trait::Search;
pub use simulation::line_of_play::LineOfPlay;

#[doc(hidden)]
pub use sentence::__sentence;

/// Seals the views that searches give to policies, so that they can get new methods.
#[doc(hidden)]
pub mod __sealed {
    /// Only this crate and its own tests implement this.
    pub trait Sealed {}

    /// The default of a choice between engines.
    impl Sealed for () {}
}

/// Returns `full` if the environment variable `RAMURE_DEEP` is set, as in `.ci/deep`, and `quick` otherwise.
#[cfg(test)]
fn sized<T>(quick: T, full: T) -> T {
    if std::env::var_os("RAMURE_DEEP").is_some() { full } else { quick }
}
