//! Errors of a training.

use crate::LoadError;
use ramure::{GameFault, SearchError};
use std::io;
use std::path::PathBuf;

/// The reason why a training cannot start or continue.
///
/// Earlier files stay as they are. The message of the error beneath is that of the
/// [`source`](std::error::Error::source).
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// A setting is out of its range.
    #[error("the setting `{name}` is {value}; it must be {range}")]
    Setting {
        /// The name of the field of [`Settings`](super::Settings).
        name: &'static str,
        /// Its value.
        value: f64,
        /// The range.
        range: &'static str,
    },
    /// A step of the optimiser would need too much memory.
    #[error(
        "a step of the training would keep {numbers} numbers, more than {limit}; make `batch`, `filters`, \
         `blocks` or `hidden` smaller"
    )]
    TooLarge {
        /// The numbers that it would keep.
        numbers: usize,
        /// The limit.
        limit: usize,
    },
    /// The loss or a weight is not finite, or absurd. Lower the learning rate, and continue from the last
    /// checkpoint.
    #[error(
        "the training exploded at step {step}, with a loss of {policy} for the policy and of {value} for the \
         value; lower the learning rate and continue from the last checkpoint"
    )]
    Exploded {
        /// The step of the optimiser.
        step: u64,
        /// The loss of the policy.
        policy: f32,
        /// The loss of the value.
        value: f32,
    },
    /// A search failed.
    #[error("a search failed")]
    Search(#[from] SearchError),
    /// A finished game broke a rule, for example with a reward out of range.
    #[error("the end of a game broke a rule")]
    Rules(#[source] GameFault),
    /// The network that was trained cannot be loaded, for example because the game has no player.
    #[error("the network cannot be used")]
    Network(#[from] LoadError),
    /// A game cannot be played by networks: players move at the same time, or the first state is already
    /// over.
    #[error("this game cannot be trained: {reason}")]
    Game {
        /// The fault.
        reason: &'static str,
    },
    /// The rewards of a game of two players do not fit a network with one value: they must sum to 1.
    #[error("a game ended with the rewards {found:?}; the rewards of two players must sum to 1")]
    Rewards {
        /// The rewards.
        found: Vec<f64>,
    },
    /// A game took more actions than [`Settings::longest_game`](super::Settings::longest_game).
    #[error(
        "a game took more than {limit} actions; let the rules end it, or raise the setting `longest_game`"
    )]
    LongGame {
        /// The limit.
        limit: u32,
    },
    /// An iteration ended in an error, so there is nothing to save. Continue from the last checkpoint.
    #[error(
        "iteration {iteration} ended in an error, so there is nothing to save; continue from the last \
         checkpoint"
    )]
    Unfinished {
        /// The number of the iteration.
        iteration: u64,
    },
    /// A [`Round`](super::Round) of games, or what was played for it, is not what the training sent or asked
    /// for.
    #[error(
        "a round of games is wrong: {reason}; play each of its games once, with the same program in all \
         processes"
    )]
    Round {
        /// The fault.
        reason: String,
    },
    /// A file cannot be read or written.
    #[error("cannot read or write {}", .path.display())]
    File {
        /// The path.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// A checkpoint is damaged, or of another game or version.
    #[error("{} cannot be continued: {reason}", .path.display())]
    Checkpoint {
        /// The path.
        path: PathBuf,
        /// The fault.
        reason: String,
    },
    /// The library that computes gradients failed.
    #[error("the gradients cannot be computed: {reason}")]
    Library {
        /// The message of that library.
        reason: String,
    },
}

ramure::debug_as_sentence!(TrainError);

impl From<candle_core::Error> for TrainError {
    fn from(error: candle_core::Error) -> Self {
        TrainError::Library { reason: error.to_string() }
    }
}
