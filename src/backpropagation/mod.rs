//! Backpropagation: updates the nodes along the path of an iteration with its rewards.
//!
//! Each file holds one policy. This file holds [`Backprop`], the trait that policies implement, and [`Step`],
//! their view of a node. This module uses `game`, and the running mean of `statistics`.

mod average;
mod bayes_backup;
mod bounds;
mod contempt;
mod decorated;
mod discounted;
mod implicit_minimax;
mod max_backup;
mod power_mean;
mod proof;
mod recency_weighted;
mod relative_bonus;
#[cfg(feature = "save")]
mod saved;
mod score_bounds;
mod softmax_backup;
mod solver;
#[cfg(test)]
mod tests;
mod values;
mod views;

pub use average::Average;
pub use bayes_backup::{BayesBackup, Belief};
pub use bounds::Bounds;
pub use contempt::Contempt;
pub use decorated::{Decorated, Decorator, update_as};
pub use discounted::Discounted;
pub use implicit_minimax::ImplicitMinimax;
pub use max_backup::MaxBackup;
pub use power_mean::PowerMean;
pub use proof::Proof;
pub use recency_weighted::RecencyWeighted;
pub use relative_bonus::RelativeBonus;
pub use score_bounds::ScoreBounds;
pub use softmax_backup::SoftmaxBackup;
pub use solver::{ProofsIf, Solver};
pub use values::Values;

use crate::__sealed::Sealed;
use crate::game::{GameFault, GameState, Player, Rewards, Turn};
use crate::parameter::ParameterError;
use core::marker::PhantomData;
pub(crate) use views::passes_on;
use views::{Intercepted, Mapped};

/// A backpropagation: updates the nodes along the path of an iteration with its rewards.
///
/// **Who needs it:** every search has a backpropagation; the default for a game is [`Solver`] of [`Average`].
///
/// ```
/// use ramure::prelude::*;
/// use ramure::Rewards;
///
/// /// Averages successes: a reward that reaches the goal counts as 1, any other as 0.
/// struct Goal(f32);
///
/// impl<G: GameState> Backprop<G> for Goal {
///     type Stats = ();
///
///     fn update(&self, step: impl Step<G, ()>, rewards: &mut Rewards) {
///         step.record(if rewards[step.chooser()] >= self.0 { 1.0 } else { 0.0 });
///     }
/// }
///
/// let mut search = Mcts::new(ramure_games::TicTacToe::new()).backprop(Goal(0.5)); // a draw will do
/// search.run(Budget::iterations(100))?;
/// # Ok::<(), SearchError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a backpropagation for `{G}`",
    label = "not a backpropagation for this game",
    note = "implement `Backprop<{G}>`: `type Stats` (`()` for none) and `fn update`, which calls `step.record(reward)`",
    note = "a `Decorator<{G}>` becomes one by `Decorated::by(my_decorator, Average)`"
)]
pub trait Backprop<G: GameState> {
    /// The statistics that the backpropagation keeps for every child: plain numbers, or `()` for none.
    type Stats: Copy + Default + 'static;

    /// Whether [`certain`](Self::certain) may ever return a reward: set it if you implement that method.
    /// \[Default: `false`\]
    const PROVES: bool = false;

    /// Whether this backpropagation uses [`Step::length`]. If so, rollouts do not use the game's
    /// [shortcut](GameState::random_rollout).
    const COUNTS: bool = false;

    /// Whether [`worth`](Self::worth) is monotonic: a greater reward is never worth less. A decorator must
    /// take the backpropagation inside it into account.
    const KEEPS_ORDER: bool = true;

    /// Whether the mean of a node is the plain average of the rewards that [`update`](Self::update) receives
    /// for its chooser. \[Default: `false`\]
    ///
    /// A search of a graph then keeps the mean of an action equal to that of the position that it leads to;
    /// see [`Transpositions`](crate::search::Transpositions).
    const AVERAGES: bool = false;

    /// Whether the value of a node follows from those of its children, as that of a maximum does. A search in
    /// which a node stands for many states, such as that of an
    /// [`InformationSet`](crate::search::InformationSet), then does not compile. \[Default: `false`\]
    const DERIVES: bool = false;

    /// Returns the statistics of a node from which an iteration is about to simulate: use it to store a
    /// heuristic value of `state`.
    ///
    /// Called before the simulation. \[Default: unchanged\]
    ///
    /// # Errors
    ///
    /// Returns a [`GameFault`] if the game's values for the state are invalid.
    #[inline(always)]
    fn look(&self, state: &G, stats: Self::Stats) -> Result<Self::Stats, GameFault> {
        let _ = state;
        Ok(stats)
    }

    /// Updates one step of the path. Called for every step, first for the leaf, last for the root. It should
    /// [`record`](Step::record) a reward once.
    ///
    /// It may change `rewards` for the steps above, if a proof shows that other rewards are certain. They
    /// stay on the scale of the game, as proofs do. The recorded rewards may be on another scale;
    /// [`worth`](Self::worth) then does the conversion.
    fn update(&self, step: impl Step<G, Self::Stats>, rewards: &mut Rewards);

    /// Returns the reward of `player` in a node with these statistics, if it is certain. Set
    /// [`PROVES`](Self::PROVES) if you implement this; a run fails with [`GameFault::Undeclared`] otherwise.
    /// \[Default: `None`\]
    ///
    /// Selection skips a child that is certain for the player who chooses while other children are open. Only
    /// a certain reward of 0 is not skipped, except among the children of the root: its mean becomes its
    /// [`worth`](Self::worth), and the tree policy treats it as any other child, so that the mean of its
    /// parent stays comparable with those of nodes whose bad children are not proven. (It is skipped if the
    /// tree policy [says so](crate::selection::TreePolicy::skips_refuted).) An iteration that reaches a node
    /// that is certain for all players ends there with these rewards. The search stops when the root is
    /// certain for the player to move. The choice of the final action takes certain rewards into account.
    #[inline(always)]
    fn certain(&self, stats: Self::Stats, player: Player) -> Option<f32> {
        let _ = (stats, player);
        None
    }

    /// Returns the worth of `rewards` to `player` on the scale of the means, if they are certain in a node
    /// with these statistics. \[Default: the reward of the player\]
    ///
    /// Rewards and proofs are on the scale of the game. A backpropagation that records something else
    /// converts them here, so that a proof can be compared with a mean. A player who is certain of some
    /// rewards takes them in place of others that are worth less, and the choice of the final action compares
    /// the worth of a proven action with the mean of an open one.
    ///
    /// Rewards of players for whom nothing is certain are given as 0. A decorator converts the rewards and
    /// then calls the backpropagation inside it.
    #[inline(always)]
    fn worth(&self, stats: Self::Stats, rewards: &Rewards, player: Player) -> f32 {
        let _ = stats;
        rewards[player]
    }

    /// Checks that the parameters are in their ranges. Called at the start of every run. \[Default: accepts
    /// all values\]
    ///
    /// # Errors
    ///
    /// Returns a [`ParameterError`] if a parameter is out of range.
    fn check(&self) -> Result<(), ParameterError> {
        Ok(())
    }

    /// Called when a search begins a tree, so that nothing of an earlier one is known.
    #[doc(hidden)]
    fn begin_tree(&mut self) {}

    /// Returns whether anything that could be part of a proof is known in a node with these statistics, of a
    /// game of so many players.
    #[doc(hidden)]
    fn knows(&self, stats: Self::Stats, players: u8) -> bool {
        (0..players).any(|player| self.certain(stats, player).is_some())
    }

    /// Returns how many visits of a node with these statistics wait for their rewards. Only a
    /// [window](crate::Mcts::window) has such visits.
    #[doc(hidden)]
    #[inline(always)]
    fn pending(stats: Self::Stats) -> u32 {
        let _ = stats;
        0
    }
}

/// One step of an iteration's path, as backpropagation sees it: an action and the node it led to. `S` is the
/// type of the backpropagation's statistics per child.
///
/// The search implements this trait, and you use it. It is sealed, so that it can get new methods.
pub trait Step<G: GameState, S>: Copy + Sealed {
    /// Returns the player to whom the statistics of this step belong: the player who chose the action.
    ///
    /// For an outcome of chance, this is the player who acted before it. For the root, it is the player who
    /// acted last before the root, if the search has advanced, and otherwise player 0.
    fn chooser(self) -> Player;

    /// Returns whose turn it is in the node reached.
    fn turn(self) -> Turn;

    /// Returns the visits of the node reached, including this iteration's.
    fn visits(self) -> u32;

    /// Returns the number of actions of the whole iteration, from the root to the end of its rollout,
    /// including those of chance. Valid only if [`Backprop::COUNTS`] is set.
    fn length(self) -> u32;

    /// Returns `true` if the iteration was cut short by a proof: it ended at a node whose rewards are
    /// certain, before the end of the game and without a simulation. \[Default: `false`\]
    ///
    /// Its [`length`](Self::length) is then not that of a game. All steps of an iteration return the same
    /// value.
    #[inline(always)]
    fn is_cut_short(self) -> bool {
        false
    }

    /// Adds a reward, in [0, 1], to the mean and to the statistics of the tree policy. The visit is already
    /// counted.
    fn record(self, reward: f32);

    /// Adds a reward to the statistics of the tree policy, and sets the mean *Q* of the step to `mean`. Both
    /// are in [0, 1].
    ///
    /// Use it for values that are not averages, in place of [`record`](Self::record), on every visit.
    fn record_with_mean(self, reward: f32, mean: f32);

    /// Reports the standard deviation of this step's value to the tree policy; see
    /// [`Event::Deviation`](crate::selection::Event::Deviation).
    fn spread(self, deviation: f32);

    /// Returns the statistics of this backpropagation for the step.
    fn stats(self) -> S;

    /// Replaces the statistics of this backpropagation for the step.
    fn set_stats(self, stats: S);

    /// Returns the child that the iteration went on to, with this iteration's visit and reward; `None` at the
    /// leaf.
    fn followed(self) -> Option<StepChild<S>>;

    /// Returns an iterator over the statistics of the children of the node reached. One default value at the
    /// end stands for all children that are not stored yet. A node without children yields nothing.
    fn children(&self) -> impl Iterator<Item = S> + Clone;

    /// Returns an iterator over the children of the node reached that were visited at least once.
    fn tried(&self) -> impl Iterator<Item = StepChild<S>> + Clone;

    /// Returns `true` if the node reached has a child that was not visited yet. If it has no children,
    /// returns `false`.
    ///
    /// In a [`Sampled`](crate::search::Sampled) game, the actions that were not sampled do not count: there
    /// are always more. Nor do children that a [widening](crate::Expansion::widening) that does not grow
    /// hides for good.
    fn has_untried(self) -> bool;

    /// Prunes the children of the node reached for which `hopeless` returns `true`: selection skips them
    /// while other children are open, as if they were proven.
    fn prune(self, hopeless: impl Fn(S) -> bool);

    /// Returns a view of this step with only the second half of its statistics. A [`Decorator`] passes this
    /// view to the backpropagation inside it.
    #[inline(always)]
    fn second<X: Copy, Y: Copy>(self) -> impl Step<G, Y>
    where
        Self: Step<G, (X, Y)>,
    {
        Step::<G, (X, Y)>::map_stats(self, |both| both.1, |both, second| (both.0, second))
    }

    /// Returns a view of this step with other statistics, which are kept somewhere in its own: `get` reads
    /// them, and `put` returns its own with new ones in place of them.
    ///
    /// **Who needs it:** decorators that do not keep their statistics in a pair; for a pair there is
    /// [`second`](Self::second).
    #[inline(always)]
    fn map_stats<T: Copy>(
        self,
        get: impl Fn(S) -> T + Copy,
        put: impl Fn(S, T) -> S + Copy,
    ) -> impl Step<G, T>
    where
        S: Copy,
    {
        Mapped { step: self, get, put, types: PhantomData::<fn(G, S, T)> }
    }

    /// Returns a view of this step that passes the rewards recorded through it to `take`. A [`Decorator`]
    /// passes this view to the backpropagation inside it, as its example shows.
    ///
    /// `take` gets the step, the recorded reward, and the mean if one was [set](Self::record_with_mean). It
    /// must then record once, with any reward that the decorator chooses.
    #[inline(always)]
    fn intercept(self, take: impl Fn(Self, f32, Option<f32>) + Copy) -> impl Step<G, S>
    where
        S: Copy,
    {
        Intercepted { step: self, take, types: PhantomData::<fn(G, S)> }
    }
}

/// A visited child, as [`Step::tried`] shows it.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct StepChild<S> {
    /// The number of its visits.
    pub visits: u32,
    /// Its mean, for the player to move in its parent. If chance moves there, for the player who acted
    /// before.
    pub mean: f32,
    /// The statistics of the backpropagation for it.
    pub stats: S,
}

impl<S> StepChild<S> {
    /// Returns the same child with `stats` in place of its statistics.
    #[inline(always)]
    pub(crate) fn with_stats<T>(self, stats: T) -> StepChild<T> {
        StepChild { visits: self.visits, mean: self.mean, stats }
    }
}
