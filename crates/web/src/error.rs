//! What can go wrong behind the page: [`PageError`].

use core::fmt;
use ramure::{ParameterError, SearchError};
use strsim::levenshtein;

/// What went wrong behind the page, which shows it to the visitor.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum PageError {
    /// No game has this name.
    Game {
        /// What was read.
        found: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// An action of a link is not legal where it stands.
    Link {
        /// The number of actions before it.
        index: usize,
        /// The action.
        action: String,
    },
    /// The action is not legal at the table.
    Move(String),
    /// An action before a lesson is not legal where it stands.
    Start(String),
    /// There is no such policy.
    Policy {
        /// What was read.
        found: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// The policy has no such constant.
    Name {
        /// The policy.
        policy: &'static str,
        /// What was read.
        found: String,
    },
    /// A constant is out of its range.
    Constant {
        /// The name of the constant.
        name: &'static str,
        /// What was read.
        found: f64,
        /// The least possible number.
        least: f64,
        /// The greatest possible number.
        most: f64,
    },
    /// The number of milliseconds or iterations is out of its range.
    Effort {
        /// What was read.
        found: u64,
        /// The greatest possible number.
        most: u64,
    },
    /// There is no network of the game.
    NoNetwork,
    /// A bandit has no arms, or too many.
    Arms {
        /// How many there are.
        found: usize,
        /// The greatest possible number.
        most: usize,
    },
    /// The library refused a parameter.
    Parameter(ParameterError),
    /// A search failed.
    Search(SearchError),
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PageError::Game { found, known } => {
                write!(f, "no game has the name `{found}`; the games are {}", known.join(", "))?;
                // Two letters may be wrong.
                match known.iter().map(|word| (levenshtein(found, word), word)).min() {
                    Some((0..=2, word)) => write!(f, "; did you mean `{word}`?"),
                    _ => Ok(()),
                }
            }
            PageError::Link { index, action } => {
                write!(f, "`{action}`, action {} of the link, is not legal there", index + 1)
            }
            PageError::Move(action) => write!(f, "`{action}` is not a legal move here; choose another one"),
            PageError::Start(action) => write!(f, "`{action}` is not legal there; choose another action"),
            PageError::Policy { found, known } => {
                write!(f, "there is no policy `{found}`; choose one of {}", known.join(", "))
            }
            PageError::Name { policy, found } => {
                write!(f, "{policy} has no constant `{found}`; leave it out")
            }
            PageError::Constant { name, found, least, most } => {
                write!(f, "{name} cannot be {found}; choose a number from {least} to {most}")
            }
            PageError::Effort { found, most } => {
                write!(
                    f,
                    "a search cannot think for {found} milliseconds or iterations; choose from 1 to {most}"
                )
            }
            PageError::NoNetwork => {
                f.write_str("there is no network of this game; choose another tree policy")
            }
            PageError::Arms { found, most } => {
                write!(f, "a bandit cannot have {found} arms here; choose from 1 to {most}")
            }
            PageError::Parameter(error) => error.fmt(f),
            PageError::Search(error) => error.fmt(f),
        }
    }
}

ramure::debug_as_sentence!(PageError);

impl core::error::Error for PageError {}

impl From<SearchError> for PageError {
    fn from(error: SearchError) -> Self {
        PageError::Search(error)
    }
}
