//! What can be wrong with a game, an evaluation or a prior: found while searching, told to the author.

use super::{MAX_PLAYERS, Player};
use core::fmt;

/// A breach of the contract of [`GameState`](super::GameState), or of what an evaluator or a rollout policy promises.
///
/// A search wraps it in [`SearchError::Game`](crate::SearchError::Game), which adds how many actions lead there.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum GameFault {
    /// The game is not over, and there is no action.
    NoActions,
    /// More actions than a node can hold.
    TooManyActions {
        /// What a node can hold.
        limit: usize,
    },
    /// The number of players is 0 or above [`MAX_PLAYERS`].
    Players {
        /// What the game said.
        players: u8,
    },
    /// It is the turn of a player who does not exist.
    UnknownPlayer {
        /// Whose turn it is said to be.
        player: Player,
        /// How many there are.
        players: u8,
    },
    /// A reward is not in [0, 1].
    Reward {
        /// Whose reward.
        player: Player,
        /// What the game said.
        reward: f64,
    },
    /// Rewards were given for another number of players than the game has.
    RewardCount {
        /// For how many.
        given: u8,
        /// How many there are.
        players: u8,
    },
    /// A backpropagation recorded a reward that is not in [0, 1].
    Recorded {
        /// For whom.
        player: Player,
        /// What it recorded.
        reward: f32,
    },
    /// A game ended with more than 1 for two players together, where they were said to be rivals; see
    /// [`ScoreBounds`](crate::backpropagation::ScoreBounds).
    Rivals {
        /// Which two.
        players: [Player; 2],
        /// What they got together.
        sum: f64,
    },
    /// A tree policy returned a choice that the node it was asked about did not offer: kept from another one, or from
    /// before.
    ForeignChoice,
    /// An evaluation is not in [0, 1].
    Evaluation {
        /// For whom.
        player: Player,
        /// What the evaluation said.
        value: f64,
    },
    /// A prior is negative, infinite or not a number.
    Prior {
        /// Of which of the actions, counted from 0 in the order of `actions`.
        index: usize,
        /// What the evaluator said.
        prior: f64,
    },
    /// All priors of a state are zero.
    NoPrior,
    /// The heuristic value of an action is not a number, or infinite where it must be finite.
    Heuristic {
        /// Of which of the actions, counted from 0 in the order of `actions`.
        index: usize,
    },
    /// A chance weight is negative, above one or not a number.
    Weight {
        /// Of which of the outcomes, counted from 0 in the order of `actions`.
        index: usize,
        /// What the game said.
        weight: f64,
    },
    /// The weights of the outcomes of a chance state do not sum to one.
    WeightSum {
        /// What they sum to.
        sum: f64,
    },
    /// `random_action` drew, for chance, something that is not among the actions.
    UnknownOutcome,
    /// An action's index is not below `ActionIndex::ACTION_COUNT`.
    ActionIndex {
        /// What the game said.
        index: usize,
        /// The declared count.
        count: usize,
    },
    /// The game did not end within the bound on the length of a rollout.
    Endless {
        /// The bound, in actions.
        limit: u32,
    },
}

impl fmt::Display for GameFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            GameFault::NoActions => f.write_str(
                "the game is not over, but `actions` yields none; let `turn` say `Turn::Over` there, or add the missing action",
            ),
            GameFault::TooManyActions { limit } => {
                write!(f, "there are more than {limit} actions, which is all that a node can hold; split them into several steps")
            }
            GameFault::Players { players } => {
                write!(f, "`players` says {players}; it must be between 1 and {MAX_PLAYERS}")
            }
            GameFault::UnknownPlayer { player, players } => {
                write!(f, "it is said to be the turn of player {player}, but there are only {players}, counted from 0")
            }
            GameFault::Reward { player, reward } => {
                write!(f, "the reward of player {player} is {reward}; it must be in [0, 1]")
            }
            GameFault::RewardCount { given, players } => {
                write!(f, "rewards were given for a number of players of {given}; the game has {players}")
            }
            GameFault::Recorded { player, reward } => {
                write!(f, "the backpropagation recorded a reward of {reward} for player {player}; it must be in [0, 1]")
            }
            GameFault::Rivals { players: [a, b], sum } => {
                write!(f, "players {a} and {b} get {sum} together; of rivals it is 1 at most: use `ScoreBounds::general`")
            }
            GameFault::ForeignChoice => f.write_str(
                "the tree policy returned a choice of another node, or an old one; it must be one that this node offers, now",
            ),
            GameFault::Evaluation { player, value } => {
                write!(f, "the evaluation for player {player} is {value}; it must be in [0, 1]")
            }
            GameFault::Prior { index, prior } => {
                write!(f, "the prior of action number {index} is {prior}; it must be finite and not negative")
            }
            GameFault::NoPrior => f.write_str("the priors of all actions are zero; at least one must be positive"),
            GameFault::Heuristic { index } => {
                write!(f, "the heuristic value of action number {index} is not a finite number")
            }
            GameFault::Weight { index, weight } => {
                write!(f, "the weight of outcome number {index} is {weight}; it must be in [0, 1]")
            }
            GameFault::WeightSum { sum } => {
                write!(f, "the weights of the chance outcomes sum to {sum}; they must sum to 1")
            }
            GameFault::UnknownOutcome => {
                f.write_str("`random_action` drew a chance outcome that is not among `actions`")
            }
            GameFault::ActionIndex { index, count } => {
                write!(f, "`action_index` says {index}; it must be below ACTION_COUNT, which is {count}")
            }
            GameFault::Endless { limit } => {
                write!(f, "a rollout did not end within {limit} actions; does the game end whatever is played?")
            }
        }
    }
}

impl core::error::Error for GameFault {}
