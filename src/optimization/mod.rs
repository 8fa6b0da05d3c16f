//! Optimisation: searches for the line of play with the greatest puzzle score, in puzzles and other
//! one-player games.
//!
//! A game implements [`Scored`](crate::Scored). [`Optimization`] runs an algorithm, an [`Optimizer`]; each
//! has a file of its own. It keeps the best line that was ever played, even if the algorithm goes on with
//! another one, so you may stop at any moment. This layer uses `game`, `simulation`, `search` and
//! `saved`, and for [`SinglePlayerMcts`] also `selection` and `backpropagation`.
//!
//! ```
//! use ramure::optimization::{Nrpa, Optimization};
//! use ramure::prelude::*;
//! use ramure_games::SameGame;
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

mod attempts;
mod driver;
mod flat_sampling;
mod nested_search;
mod nrpa;
#[cfg(feature = "save")]
mod saved;
mod score_tree;
mod single_player_mcts;
mod solution;
mod weights;

pub use attempts::{Attempts, Ended};
pub use driver::{Optimization, Optimizer};
pub use flat_sampling::FlatSampling;
pub use nested_search::NestedSearch;
pub use nrpa::Nrpa;
pub use single_player_mcts::SinglePlayerMcts;
pub use solution::Solution;
