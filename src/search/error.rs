//! Why there is no result.

use crate::backpropagation::Misplaced;
use crate::game::GameFault;
use crate::parameter::ParameterError;
use core::fmt;

/// Why a search could not do what it was asked. Whatever it had found before is still in its tree.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum SearchError {
    /// The game, an evaluation or a policy broke its contract, `ply` actions from the root of the search.
    Game {
        /// What was wrong.
        fault: GameFault,
        /// How many actions after the root.
        ply: u32,
    },
    /// The game to be searched is over.
    GameOver,
    /// It is chance's turn: there is no action to be chosen.
    ChanceToMove,
    /// The action is not legal in the state searched.
    IllegalAction,
    /// The budget allows nothing: zero iterations, no time or no bytes.
    EmptyBudget,
    /// The memory limit leaves no room for even the first children.
    MemoryLimit {
        /// The limit in bytes.
        limit: usize,
    },
    /// A parameter is out of its range.
    Parameter(ParameterError),
    /// The tree policy has its own way with children never visited, so first-play urgency cannot be set.
    FirstPlayUnused,
    /// Children are to be tried in the order of their priors, and the tree policy keeps none.
    NoPriors,
    /// The tree policy plans ahead for the iterations of a run, and the budget says no number of them.
    NeedsIterations,
    /// The budget asks to stop early, which needs a bound of iterations or time, and [`RootDecision::Robust`](super::RootDecision::Robust).
    CannotStopEarly,
    /// Two decorators of the backpropagation stand the wrong way round.
    Misplaced(Misplaced),
    /// The search has made as many iterations from this root as a node can count.
    CountFull,
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchError::Game { fault, ply: 0 } => write!(f, "at the root of the search: {fault}"),
            SearchError::Game { fault, ply: 1 } => write!(f, "1 action after the root of the search: {fault}"),
            SearchError::Game { fault, ply } => write!(f, "{ply} actions after the root of the search: {fault}"),
            SearchError::GameOver => f.write_str("the game is over: there is nothing to search"),
            SearchError::ChanceToMove => f.write_str(
                "it is chance's turn: there is no action to choose; draw an outcome, `advance` to it and search on",
            ),
            SearchError::IllegalAction => f.write_str("the action is not legal in the state that is searched"),
            SearchError::EmptyBudget => f.write_str("the budget is empty: give it at least one iteration, some time and some bytes"),
            SearchError::MemoryLimit { limit } => {
                write!(f, "the memory limit of {limit} bytes leaves no room for the root and its children; raise it")
            }
            SearchError::Parameter(error) => error.fmt(f),
            SearchError::FirstPlayUnused => f.write_str(
                "first-play urgency is set, but this tree policy has its own way with children never visited; leave it unset",
            ),
            SearchError::NoPriors => f.write_str(
                "children are to be tried in the order of their priors, but this tree policy keeps none; take another order or a policy with priors",
            ),
            SearchError::NeedsIterations => f.write_str(
                "this tree policy plans ahead for the iterations of a run; say in the budget how many there are at most",
            ),
            SearchError::CannotStopEarly => f.write_str(
                "to stop early, the budget needs a number of iterations or a time, and the search the robust child as its root decision and a tree \
                 policy that does not plan its iterations ahead",
            ),
            SearchError::Misplaced(Misplaced { outer, inner }) => write!(
                f,
                "`{outer}` stands around {inner}, so that proofs and means would be on different scales; put {inner} around `{outer}`",
            ),
            SearchError::CountFull => {
                f.write_str("the root has been visited as often as a node can count; start a new search")
            }
        }
    }
}

impl core::error::Error for SearchError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            SearchError::Game { fault, .. } => Some(fault),
            SearchError::Parameter(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ParameterError> for SearchError {
    fn from(error: ParameterError) -> Self {
        SearchError::Parameter(error)
    }
}
