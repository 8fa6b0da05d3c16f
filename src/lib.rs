#![doc = "TODO front page"]
#![deny(missing_docs, unsafe_code)]

pub mod backpropagation;
pub mod game;
#[cfg(feature = "games")]
pub mod games;
mod math;
mod parameter;
pub mod prelude;
pub mod search;
pub mod selection;
pub mod simulation;
pub mod statistics;
#[expect(unsafe_code, reason = "the chunks of the store are raw memory")]
mod tree;

pub use backpropagation::Backprop;
pub use game::{
    ActionIndex, GameFault, GameState, MAX_PLAYERS, Player, Rewards, Rng, StaticEvaluation, Turn,
};
pub use parameter::ParameterError;
pub use search::{
    ActionReport, Budget, Bytes, Expansion, Mcts, Order, Report, RootDecision, Search, SearchError,
    StopHandle, StopReason, best_action,
};
pub use selection::{FirstPlay, TreePolicy};
pub use simulation::RolloutPolicy;
