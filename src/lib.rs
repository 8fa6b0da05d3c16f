//! Monte-Carlo tree search for any game: implement one trait, get a strong player in one line; swap one type, get another
//! algorithm; pay for nothing you do not use.
//!
//! ```
//! use ramure::prelude::*;
//! use ramure::games::Connect4;
//!
//! // The one line.
//! let action = ramure::best_action(&Connect4::new(), Budget::millis(20))?;
//!
//! // The same with everything in the open.
//! let mut search = Mcts::new(Connect4::new())
//!     .tree_policy(Ucb1::new(0.7))
//!     .backprop(Solver::new(Average))
//!     .seed(7);
//! let report = search.run(Budget::iterations(10_000))?;
//! println!("{report}");
//! search.advance(report.best_action())?;
//! # let _ = action;
//! # Ok::<(), SearchError>(())
//! ```
//!
//! # Words
//!
//! | word | meaning |
//! |---|---|
//! | *action* | what a player chooses, or chance draws; other texts say move |
//! | *iteration* | one pass of the four phases: selection, expansion, simulation, backpropagation |
//! | *rollout* | the simulation phase: the game played on from a leaf; also playout |
//! | *reward* | what a finished game is worth to a player, in [0, 1]: win 1, draw 1/2, loss 0 |
//! | *visits* N, n | how many iterations went through a node, or a child |
//! | *mean* Q | the mean reward of a child's iterations, for the player who chooses it |
//! | *prior* P | how likely an action is the best, judged before any iteration |
//! | *exploration constant* c | how much untried actions are favoured |
//! | *robust child* | the action with the most visits |
//!
//! # Where things are
//!
//! - [`GameState`]: the trait that a game implements, and the module `games`, where some do.
//! - [`Mcts`]: the search. [`Budget`] says how long, [`Report`] what was found, [`Expansion`] and [`RootDecision`] are
//!   its settings, [`Search`] is any search.
//! - [`selection`], [`simulation`], [`backpropagation`]: the policies, and the traits for your own.
//! - [`statistics`]: what tree policies keep per child, and what feeds it.
//! - [`agents`]: players of all kinds behind one trait: searches, minimax and alpha-beta, flat Monte-Carlo.
//!
//! # One rule of perspective
//!
//! Rewards are asked per player. A child's statistics belong to the player who chose the action that leads to it. Nothing
//! is ever negated, or flipped by depth; so one player, two who may act twice running, and eight are the same code.
//!
//! # Features
//!
//! - `games` (default): the four games, and two problems on which searches are measured.
//! - `proptest`: `rules`, which tests the rules of a game on thousands of lines of play.
//!
//! # Determinism
//!
//! With a budget of iterations, a seed fixes the result to the bit, in debug and release, on every platform. Sums of
//! rewards are exact.

#![deny(missing_docs, unsafe_code)]
#![warn(clippy::undocumented_unsafe_blocks)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod agents;
pub mod backpropagation;
pub mod game;
#[cfg(feature = "games")]
#[cfg_attr(docsrs, doc(cfg(feature = "games")))]
pub mod games;
mod math;
mod parameter;
pub mod prelude;
#[cfg(feature = "proptest")]
#[cfg_attr(docsrs, doc(cfg(feature = "proptest")))]
pub mod rules;
pub mod search;
pub mod selection;
pub mod simulation;
pub mod statistics;
#[expect(unsafe_code, reason = "the chunks of the store are raw memory")]
mod tree;

pub use backpropagation::Backprop;
pub use game::{
    ActionIndex, GameFault, GameState, MAX_PLAYERS, Player, Rewards, Rng, StaticEvaluation, Symmetric, Turn,
};
pub use parameter::ParameterError;
pub use search::{
    ActionReport, Budget, Bytes, Every, Expansion, Mcts, Order, Report, RootDecision, Search, SearchError,
    StopHandle, StopReason, best_action,
};
pub use selection::{FirstPlay, TreePolicy};
pub use simulation::RolloutPolicy;

/// The README and the chapters of `docs/`: their code runs as doctests.
#[cfg(all(doctest, feature = "games"))]
mod chapters {
    #[doc = include_str!("../README.md")]
    struct Readme;
    #[doc = include_str!("../docs/introduction.md")]
    struct Introduction;
    #[doc = include_str!("../docs/first_game.md")]
    struct FirstGame;
    #[cfg(feature = "proptest")]
    #[doc = include_str!("../docs/test_your_rules.md")]
    struct TestYourRules;
    #[doc = include_str!("../docs/policies.md")]
    struct Policies;
    #[doc = include_str!("../docs/writing_a_policy.md")]
    struct WritingAPolicy;
    #[doc = include_str!("../docs/budgets.md")]
    struct Budgets;
    #[doc = include_str!("../docs/memory.md")]
    struct Memory;
    #[doc = include_str!("../docs/architecture.md")]
    struct Architecture;
    #[doc = include_str!("../docs/glossary.md")]
    struct Glossary;
    #[doc = include_str!("../docs/references.md")]
    struct References;
}
