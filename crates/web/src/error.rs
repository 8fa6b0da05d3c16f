//! The errors of the page: [`PageError`].

use core::fmt;
use ramure::{ParameterError, SearchError};
use strsim::levenshtein;

/// An error that the page shows to the visitor.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PageError {
    /// No game has this name.
    #[error(fmt = no_game)]
    Game {
        /// The text that was read.
        found: String,
        /// The names of the games.
        known: Vec<&'static str>,
    },
    /// An action of a link is not legal where it stands.
    #[error("`{action}`, action {} of the link, is not legal there", .index + 1)]
    Link {
        /// The number of actions before it.
        index: usize,
        /// The action.
        action: String,
    },
    /// The action is not legal at the table.
    #[error("`{0}` is not a legal move here; choose another one")]
    Move(String),
    /// An action before a lesson is not legal where it stands.
    #[error("`{0}` is not legal there; choose another action")]
    Start(String),
    /// No policy has this name.
    #[error("no policy has the name `{found}`; choose one of {}", .known.join(", "))]
    Policy {
        /// The text that was read.
        found: String,
        /// The names of the policies.
        known: Vec<&'static str>,
    },
    /// The policy has no such constant.
    #[error("{policy} has no constant `{found}`; leave it out")]
    Name {
        /// The policy.
        policy: &'static str,
        /// The text that was read.
        found: String,
    },
    /// A constant is out of its range.
    #[error("{name} cannot be {found}; choose a number from {least} to {most}")]
    Constant {
        /// The name of the constant.
        name: &'static str,
        /// The text that was read.
        found: f64,
        /// The least possible number.
        least: f64,
        /// The greatest possible number.
        most: f64,
    },
    /// The number of milliseconds or iterations is out of its range.
    #[error("a search cannot think for {found} milliseconds or iterations; choose from 1 to {most}")]
    Effort {
        /// The text that was read.
        found: u64,
        /// The greatest possible number.
        most: u64,
    },
    /// The game has no network.
    #[error("this game has no network; choose another tree policy")]
    NoNetwork,
    /// A bandit has no arms, or too many.
    #[error("a bandit cannot have {found} arms here; choose from 1 to {most}")]
    Arms {
        /// How many there are.
        found: usize,
        /// The greatest possible number.
        most: usize,
    },
    /// The library refused a parameter.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// A search failed.
    #[error(transparent)]
    Search(#[from] SearchError),
}

ramure::debug_as_sentence!(PageError);

/// Writes the message of [`PageError::Game`].
fn no_game(found: &str, known: &[&str], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "no game has the name `{found}`; the games are {}", known.join(", "))?;
    // Two letters may be wrong.
    match known.iter().map(|word| (levenshtein(found, word), word)).min() {
        Some((0..=2, word)) => write!(f, "; did you mean `{word}`?"),
        _ => Ok(()),
    }
}
