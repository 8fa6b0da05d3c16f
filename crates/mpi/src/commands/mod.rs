//! The commands, one a file, and what can go wrong in them.

pub mod matches;
pub mod play;
pub mod search;

use ramure::{BoxError, SearchError};
use ramure_lab::contest::in_full;

/// Why a command fails.
#[derive(thiserror::Error)]
pub enum Failure {
    /// There is no game with this name.
    #[error("there is no game `{0}`; choose connect4, hex:N, tic-tac-toe or sudo-tic-tac-toe")]
    NoGame(String),
    #[error("{}", in_full(.0))]
    Search(#[from] SearchError),
    #[error(transparent)]
    Link(#[from] BoxError),
}

ramure::debug_as_sentence!(Failure);

impl Failure {
    /// Whether all ranks fail for the same reason.
    pub fn is_everywhere(&self) -> bool {
        !matches!(
            self,
            Failure::Link(_) | Failure::Search(SearchError::Link { .. } | SearchError::RanksDiffer { .. })
        )
    }
}
