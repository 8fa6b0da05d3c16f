//! [`RanksError`]: what ends a program on all ranks.

use crate::Failure;
use crate::contest::{ContestError, in_full};
use core::error::Error;
use ramure::BoxError;

/// Why a program over several ranks ends on this one.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum RanksError {
    /// Another rank failed.
    #[error("rank {rank}: {message}")]
    OtherRank {
        /// The number of that rank.
        rank: usize,
        /// Its error, in words.
        message: String,
    },
    /// Another rank takes another course than this one.
    #[error(
        "rank {rank} {there}, but this one {here}; start all ranks with the same program and the same \
         arguments; no decision may depend on the clock or on files of one machine"
    )]
    Differ {
        /// The number of that rank.
        rank: usize,
        /// The activity of this rank, as in `is at step 2`.
        here: String,
        /// The activity of that rank.
        there: String,
    },
    /// A message makes no sense.
    #[error("a message of rank {rank} is malformed; start the same program on all ranks")]
    Malformed {
        /// The number of the rank that sent it.
        rank: usize,
    },
    /// A message could not be sent or received.
    #[error("the ranks cannot reach each other")]
    Link(#[source] BoxError),
}

ramure::debug_as_sentence!(RanksError);

/// An error that other ranks are told of, and that can be one of theirs.
pub trait Shared: From<RanksError> {
    fn as_error(&self) -> &(dyn Error + 'static);

    /// Returns the error in words, with its sources.
    fn in_words(&self) -> String {
        in_full(self.as_error())
    }

    /// Returns the number of the rank that failed, 0 if it was not another one, and its error in words.
    fn origin(&self) -> (usize, String) {
        let of_ranks = match self.as_error().downcast_ref() {
            Some(ContestError::Ranks(error)) => Some(error),
            _ => self.as_error().downcast_ref(),
        };
        match of_ranks {
            Some(RanksError::OtherRank { rank, message }) => (*rank, message.clone()),
            _ => (0, self.in_words()),
        }
    }
}

impl Shared for ContestError {
    fn as_error(&self) -> &(dyn Error + 'static) {
        self
    }
}

impl Shared for Failure {
    fn as_error(&self) -> &(dyn Error + 'static) {
        &**self
    }
}
