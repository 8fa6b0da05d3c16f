//! Breaches of contract by a game, an evaluator or a policy. A search finds them as it runs and returns them
//! as errors.

use super::{MAX_PLAYERS, Player};
use core::fmt;
use core::time::Duration;

/// A breach of the contract of [`GameState`](super::GameState), of an evaluator or of a policy.
///
/// A search wraps it in [`SearchError::Game`](crate::SearchError::Game), which adds the number of actions
/// from the root.
#[derive(Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum GameFault {
    /// The game is not over, but there is no action: `actions` yields none, or
    /// [`ActionSampler::sample_action`](crate::ActionSampler::sample_action) returns `None`.
    NoActions,
    /// The state has more actions than a node can hold.
    TooManyActions {
        /// The largest number that a node can hold.
        limit: usize,
    },
    /// The number of players is 0 or above [`MAX_PLAYERS`].
    Players {
        /// The number that the game returned.
        players: u8,
    },
    /// The player to move does not exist.
    UnknownPlayer {
        /// The player that `turn` named.
        player: Player,
        /// The number of players.
        players: u8,
    },
    /// A reward is not in [0, 1].
    Reward {
        /// The player.
        player: Player,
        /// The reward that the game returned.
        reward: f64,
    },
    /// A step of a [`Simulator`](crate::Simulator) gave a reward that is infinite or NaN, or the sum of the
    /// steps is.
    StepReward {
        /// The player.
        player: Player,
        /// This reward, or the sum.
        reward: f64,
    },
    /// The return of a [`Planning`](crate::search::Planning) is outside of its
    /// [bounds](crate::search::Planning::bounds).
    Return {
        /// The player.
        player: Player,
        /// The return.
        value: f64,
        /// The least return that the bounds allow.
        least: f64,
        /// The greatest return that the bounds allow.
        greatest: f64,
    },
    /// The number of rewards differs from the number of players.
    RewardCount {
        /// The number of rewards.
        given: u8,
        /// The number of players.
        players: u8,
    },
    /// A backpropagation recorded a reward that is not in [0, 1].
    Recorded {
        /// The player.
        player: Player,
        /// The reward that it recorded.
        reward: f32,
    },
    /// A backpropagation implements a method without the constant that declares it.
    Undeclared {
        /// The method, such as `certain`.
        method: &'static str,
        /// The constant, such as `PROVES`.
        constant: &'static str,
    },
    /// The rewards of two players sum to more than 1, although the settings declare the players rivals; see
    /// [`ScoreBounds`](crate::backpropagation::ScoreBounds).
    Rivals {
        /// The two players.
        players: [Player; 2],
        /// The sum of their rewards.
        sum: f64,
    },
    /// A tree policy returned a choice that its node did not offer: a choice of another node, or a kept
    /// choice that is no longer valid.
    ForeignChoice,
    /// An evaluation is not in [0, 1].
    Evaluation {
        /// The player.
        player: Player,
        /// The value that the evaluation returned.
        value: f64,
    },
    /// A prior is negative, infinite or NaN.
    Prior {
        /// The number of the action, counted from 0 in the order of `actions`.
        index: usize,
        /// The prior that the evaluator returned.
        prior: f64,
    },
    /// All priors of a state are zero.
    NoPrior,
    /// The heuristic value of an action is NaN, or is infinite where it must be finite.
    Heuristic {
        /// The number of the action, counted from 0 in the order of `actions`.
        index: usize,
    },
    /// The probability of a chance outcome is negative, above 1 or NaN.
    Probability {
        /// The number of the outcome, counted from 0 in the order of `actions`.
        index: usize,
        /// The probability that the game returned.
        probability: f64,
    },
    /// The probabilities of the outcomes at a chance state do not sum to 1.
    ProbabilitySum {
        /// The sum.
        sum: f64,
    },
    /// `random_outcome` drew a chance outcome that `actions` does not yield.
    UnknownOutcome,
    /// The index of an action is not below `ActionIndex::ACTION_COUNT`.
    ActionIndex {
        /// The index that the game returned.
        index: usize,
        /// The value of `ACTION_COUNT`.
        count: usize,
    },
    /// A rollout reached the limit on its length before the game ended.
    Endless {
        /// The limit, in actions.
        limit: u32,
    },
    /// The game, a rollout policy or an evaluator failed with an error of its own, which it gave to
    /// [`fail`](crate::fail) or [`Leaf::fail`](crate::simulation::Leaf::fail). The search returns
    /// [`SearchError::Failed`](crate::SearchError::Failed) with that error.
    Failed,
    /// A [`Evaluator`](crate::simulation::Evaluator) set no value for a position of its batch.
    NotEvaluated,
    /// The evaluator of a [`Batcher`](crate::search::Batcher) gave no answer within the timeout.
    NoAnswer {
        /// The [timeout](crate::search::Batcher::timeout).
        after: Duration,
    },
    /// The thread of the evaluator of a [`Batcher`](crate::search::Batcher) has ended.
    EvaluatorEnded,
    /// The number of priors differs from the number of actions.
    PriorCount {
        /// The number of priors.
        given: usize,
        /// The number of actions.
        actions: usize,
    },
    /// [`HiddenInformation::determinize`](crate::HiddenInformation::determinize) changed the turn, the number
    /// of players or the legal actions of the observer.
    Determinization,
    /// The root state lists an action twice: as action number `first`, and `again` later. A search looks at
    /// the first 512 actions of a root without children. Elsewhere, the law `Unique` of the rules kit finds
    /// such actions.
    ListedTwice {
        /// The index of the action.
        first: usize,
        /// The index of the same action, later in the list.
        again: usize,
    },
    /// The game gave different answers to the same question: a player of
    /// [`OutcomeSampling`](crate::search::OutcomeSampling) has different actions in states that it cannot
    /// tell apart.
    Changed,
    /// The same actions from the root led to another state than before. A search finds this where a line that
    /// it knows goes on after the end of the game, or, as it plays one line in a hundred or so a second time,
    /// where that has other turns or actions.
    Replay,
    /// A search of [`MirrorImages`](crate::search::MirrorImages) found the fault of [`Replay`](Self::Replay):
    /// most likely a [symmetry](crate::Symmetric) is wrong.
    Symmetry,
}

impl fmt::Display for GameFault {
    #[cfg_attr(not(test), expect(clippy::too_many_lines, reason = "a sentence for each case"))]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            GameFault::NoActions => f.write_str(
                "the game is not over, but `actions` yields no action, or `random_action`, `random_outcome`, `sample_action` or the rollout policy returns `None`; return `Turn::Over` from `turn`, or give at least one action",
            ),
            GameFault::TooManyActions { limit } => {
                write!(f, "the state has more than {limit} actions, the most that a node can hold; split each action into several steps")
            }
            GameFault::Players { players } => {
                write!(f, "`players` returned {players}; it must be between 1 and {MAX_PLAYERS}")
            }
            GameFault::UnknownPlayer { player, players } => {
                write!(
                    f,
                    "`turn` returned player {player}, but `players` returned {players} (2 unless you write that method); number players \
                     from 0, and return their number from `players`"
                )
            }
            GameFault::Reward { player, reward } => {
                write!(f, "the reward of player {player} is {reward}; it must be in [0, 1]")
            }
            GameFault::StepReward { player, reward } => {
                write!(f, "the rewards of player {player} add up to {reward}; each step must give a finite number")
            }
            GameFault::Return { player, value, least, greatest } => write!(
                f,
                "the return of player {player} is {value:?}, outside of [{least:?}, {greatest:?}]; declare bounds that no return exceeds, by \
                 `Planning::bounds`: they may be loose",
            ),
            GameFault::RewardCount { given, players } => {
                write!(f, "the number of rewards is {given}; it must be {players}, one per player")
            }
            GameFault::Recorded { player, reward } => {
                write!(f, "the backpropagation recorded a reward of {reward} for player {player}; it must be in [0, 1]")
            }
            GameFault::Undeclared { method, constant } => {
                write!(f, "`{method}` has no effect because `{constant}` is false; add `const {constant}: bool = true;`")
            }
            GameFault::Rivals { players: [a, b], sum } => {
                write!(f, "the rewards of players {a} and {b} sum to {sum}; for rivals the sum must be at most 1; use `ScoreBounds::general`")
            }
            GameFault::ForeignChoice => f.write_str(
                "the tree policy returned a choice that the node did not offer; return one that the node gave in the same call",
            ),
            GameFault::Evaluation { player, value } => {
                write!(f, "the evaluation for player {player} is {value}; it must be in [0, 1]")
            }
            GameFault::NotEvaluated => f.write_str(
                "the evaluator set no value for a position of the batch; call `set_value` for each position",
            ),
            GameFault::Prior { index, prior } => {
                write!(f, "the prior of action number {index} is {prior}; it must be finite and not negative")
            }
            GameFault::NoAnswer { after } => write!(f, "the evaluator gave no answer within {after:?}"),
            GameFault::EvaluatorEnded => f.write_str("the thread of the evaluator has ended"),
            GameFault::PriorCount { given, actions } => {
                write!(f, "the number of priors is {given}; it must be {actions}, one per action")
            }
            GameFault::ListedTwice { first, again } => write!(
                f,
                "`actions` lists an action twice, as number {first} and as number {again}; list each action once"
            ),
            GameFault::Changed => f.write_str(
                "the game lists different actions for the same state, or for states that the player cannot tell apart, or lists an action \
                 twice; let `actions` list each action once and depend on the state alone, and on what the player has seen",
            ),
            GameFault::Replay => f.write_str(
                "the same actions led to another state than before; is there randomness in `apply`? let chance draw in a turn of its own, `Turn::Chance`, \
                 and let `turn` and `actions` depend on the state alone; in a `Transpositions`, let states with the same key have the same actions",
            ),
            GameFault::Symmetry => f.write_str(
                "the mirror images of a state have other turns or actions, or continue in another way; let `transformed` mirror the whole state, let \
                 `transformed_action` name the mirrored action, and let the key tell apart all that matters; the law `symmetry` of the rules kit shows the \
                 first such state. If that holds, let `turn`, `actions` and `apply` depend on the state alone",
            ),
            GameFault::Determinization => f.write_str(
                "`determinize` changed the turn, the number of players or the legal actions of the observer; replace only what the observer has not seen",
            ),
            GameFault::NoPrior => f.write_str("the priors of all actions are zero; at least one must be positive"),
            GameFault::Heuristic { index } => {
                write!(f, "the heuristic value of action number {index} is not a finite number")
            }
            GameFault::Probability { index, probability } => {
                write!(f, "the probability of outcome number {index} is {probability}; it must be in [0, 1]")
            }
            GameFault::ProbabilitySum { sum } => {
                write!(f, "the probabilities of the chance outcomes sum to {sum}; they must sum to 1")
            }
            GameFault::UnknownOutcome => {
                f.write_str("`random_outcome` returned a chance outcome that `actions` does not yield")
            }
            GameFault::ActionIndex { index, count } => {
                write!(f, "`action_index` returned {index}; it must be below `ACTION_COUNT`, which is {count}")
            }
            GameFault::Endless { limit } => {
                write!(f, "a rollout did not end within {limit} actions; make sure that every line of play ends: count the actions in the state, and end the game at a limit (or give a `Planning` a discount or a horizon)")
            }
            GameFault::Failed => f.write_str("the game, the rollout policy or its evaluator failed"),
        }
    }
}

crate::debug_as_sentence!(GameFault);

impl core::error::Error for GameFault {}
