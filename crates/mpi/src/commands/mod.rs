//! The commands, one a file, and what can go wrong in them.

pub mod matches;
pub mod play;
pub mod search;

use ramure::{BoxError, SearchError};
use std::fmt;

/// Why a command fails.
#[derive(Debug)]
pub enum Failure {
    /// There is no game with this name.
    NoGame(String),
    Search(SearchError),
    Link(BoxError),
}

impl Failure {
    /// Whether all ranks fail for the same reason.
    pub fn is_everywhere(&self) -> bool {
        !matches!(
            self,
            Failure::Link(_) | Failure::Search(SearchError::Link { .. } | SearchError::RanksDiffer { .. })
        )
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::NoGame(name) => {
                write!(
                    f,
                    "there is no game `{name}`; choose connect4, hex:N, tic-tac-toe or sudo-tic-tac-toe"
                )
            }
            Failure::Search(error) => {
                write!(f, "{error}")?;
                std::error::Error::source(error).map_or(Ok(()), |source| write!(f, ": {source}"))
            }
            Failure::Link(error) => error.fmt(f),
        }
    }
}

impl From<SearchError> for Failure {
    fn from(error: SearchError) -> Self {
        Failure::Search(error)
    }
}

impl From<BoxError> for Failure {
    fn from(error: BoxError) -> Self {
        Failure::Link(error)
    }
}
