//! The commands, one a file, and which of their failures all ranks share.

pub mod matches;
pub mod play;
pub mod search;

use ramure::SearchError;
use ramure_lab::Failure;

/// The error for an unknown game.
#[derive(thiserror::Error)]
#[error("there is no game `{0}`; choose connect4, hex:N, tic-tac-toe or sudo-tic-tac-toe")]
pub struct NoGame(pub String);

ramure::debug_as_sentence!(NoGame);

/// Whether all ranks fail for the same reason.
pub fn is_everywhere(failure: &Failure) -> bool {
    let of_search = |error: &_| !matches!(error, SearchError::Link { .. } | SearchError::RanksDiffer { .. });
    failure.is::<NoGame>() || failure.downcast_ref().is_some_and(of_search)
}
