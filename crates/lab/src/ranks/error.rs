//! [`RanksError`]: what ends a program on all ranks.

use crate::commands::Failure;
use crate::contest::{ContestError, in_full};
use core::fmt;
use ramure::BoxError;

/// Why a program over several ranks ends on this one.
#[non_exhaustive]
pub enum RanksError {
    /// Another rank failed.
    OtherRank {
        /// The number of that rank.
        rank: usize,
        /// Its error, in words.
        message: String,
    },
    /// Another rank takes another course than this one.
    Differ {
        /// The number of that rank.
        rank: usize,
        /// What this rank does, as in `is at step 2`.
        here: String,
        /// What that rank does.
        there: String,
    },
    /// A message makes no sense.
    Malformed {
        /// The number of the rank that sent it.
        rank: usize,
    },
    /// A message could not be sent or received.
    Link(BoxError),
}

impl fmt::Display for RanksError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RanksError::OtherRank { rank, message } => write!(f, "rank {rank}: {message}"),
            RanksError::Differ { rank, here, there } => write!(
                f,
                "rank {rank} {there}, but this one {here}; start all ranks with the same program and the same \
                 arguments; no decision may depend on the clock or on files of one machine"
            ),
            RanksError::Malformed { rank } => {
                write!(f, "a message of rank {rank} is malformed; start the same program on all ranks")
            }
            RanksError::Link(_) => f.write_str("the ranks cannot reach each other"),
        }
    }
}

ramure::debug_as_sentence!(RanksError);

impl core::error::Error for RanksError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            RanksError::Link(error) => Some(&**error),
            _ => None,
        }
    }
}

/// An error that other ranks are told of, and that can be one of theirs.
pub trait Shared: From<RanksError> {
    /// Returns the error in words, with its sources.
    fn in_words(&self) -> String;

    /// Returns the error of another rank that this one is.
    fn of_ranks(&self) -> Option<&RanksError>;

    /// Returns the number of the rank that failed, if it was not `here`, and its error in words.
    fn origin(&self, here: usize) -> (usize, String) {
        match self.of_ranks() {
            Some(RanksError::OtherRank { rank, message }) => (*rank, message.clone()),
            _ => (here, self.in_words()),
        }
    }
}

impl Shared for ContestError {
    fn in_words(&self) -> String {
        in_full(self)
    }

    fn of_ranks(&self) -> Option<&RanksError> {
        match self {
            ContestError::Ranks(error) => Some(error),
            _ => None,
        }
    }
}

impl Shared for Failure {
    fn in_words(&self) -> String {
        in_full(&**self)
    }

    fn of_ranks(&self) -> Option<&RanksError> {
        self.downcast_ref().or_else(|| self.downcast_ref::<ContestError>()?.of_ranks())
    }
}
