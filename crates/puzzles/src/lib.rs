//! Puzzles for [`ramure`]: searches for the line of play with the greatest puzzle score, in puzzles and other
//! one-player games.
//!
//! A game implements [`Scored`](ramure::Scored). [`Optimization`] runs an algorithm, an [`Optimizer`]; each
//! has a file of its own. It keeps the best line that was ever played, even if the algorithm goes on with
//! another one, so you may stop at any moment.
//!
//! - [`Nrpa`], [`NestedSearch`]: nested searches, with beams.
//! - [`SinglePlayerMcts`]: tree search with restarts.
//! - [`FlatSampling`]: the baseline.
//!
//! An optimizer of your own can do what these do: all of them use only what is documented in `ramure`.
//!
//! ```
//! use ramure::prelude::*;
//! use ramure_games::SameGame;
//! use ramure_puzzles::{Nrpa, Optimization};
//!
//! let board = SameGame::random(7);
//! let best = Optimization::new(board, Nrpa::new(2)).seed(1).run(Budget::iterations(300))?;
//! println!("{best}");
//!
//! let mut end = board;
//! best.actions.iter().for_each(|&action| end.apply(action));
//! assert_eq!((end.turn(), f64::from(end.points())), (Turn::Over, best.score));
//! # Ok::<(), SearchError>(())
//! ```
//!
//! The feature `save` adds `Snapshot`: what a search has found, to be written in any format of `serde`.

#![deny(missing_docs, unsafe_code)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::return_self_not_must_use)]
#![cfg_attr(not(test), warn(clippy::too_many_lines))]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod attempts;
mod driver;
mod error;
mod flat_sampling;
mod nested_search;
mod nrpa;
mod score_tree;
mod single_player_mcts;
#[cfg(feature = "save")]
mod snapshot;
mod solution;
mod weights;

pub use attempts::{Attempts, Ended};
pub use driver::{Optimization, Optimizer};
pub use error::PuzzleError;
pub use flat_sampling::FlatSampling;
pub use nested_search::NestedSearch;
pub use nrpa::{Bias, Nrpa};
pub use single_player_mcts::SinglePlayerMcts;
#[cfg(feature = "save")]
#[cfg_attr(docsrs, doc(cfg(feature = "save")))]
pub use snapshot::{Snapshot, SnapshotError};
pub use solution::{Solution, StopReason};

/// Returns `full` if the environment variable `RAMURE_DEEP` is set, as in `.ci/deep`, and `quick` otherwise.
#[cfg(test)]
fn sized<T>(quick: T, full: T) -> T {
    if std::env::var_os("RAMURE_DEEP").is_some() { full } else { quick }
}
