//! Backpropagation: what the rewards of an iteration do to the nodes along its path. One policy a file; this one has the
//! trait they implement and the view of a node that they are given. Uses `game`, and the running mean of `statistics`.

mod average;
mod bayes_backup;
mod bounds;
mod contempt;
mod discounted;
mod implicit_minimax;
mod max_backup;
mod power_mean;
mod proof;
mod quality;
mod recent;
mod score_bounds;
mod softmax_backup;
mod solver;
#[cfg(test)]
mod tests;
mod values;

pub use average::Average;
pub use bayes_backup::{BayesBackup, Belief};
pub use bounds::Bounds;
pub use contempt::Contempt;
pub use discounted::Discounted;
pub use implicit_minimax::{Implicit, ImplicitMinimax};
pub use max_backup::MaxBackup;
pub use power_mean::PowerMean;
pub use proof::Proof;
pub use quality::Quality;
pub use recent::Recent;
pub use score_bounds::ScoreBounds;
pub use softmax_backup::SoftmaxBackup;
pub use solver::Solver;
pub(crate) use solver::prove;
pub use values::Values;

use crate::game::{GameFault, GameState, Player, Rewards, Turn};
use crate::parameter::ParameterError;
use core::marker::PhantomData;

/// Backpropagation: what the rewards of an iteration do to the nodes along its path.
///
/// **Who needs it:** every search has one; [`Average`] unless told otherwise.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::Rewards;
///
/// /// Averages, but only a reward that reaches the goal is a success.
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
/// let mut search = Mcts::new(ramure::games::TicTacToe::new()).backprop(Goal(0.5)); // a draw will do
/// search.run(Budget::iterations(100))?;
/// # Ok::<(), SearchError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a backpropagation for `{G}`",
    label = "not a backpropagation for this game",
    note = "implement `Backprop<{G}>`: `type Stats` (`()` for none) and `fn update`, which calls `step.record(reward)`"
)]
pub trait Backprop<G: GameState> {
    /// Plain numbers kept for every child; `()` for none.
    type Stats: Copy + Default + 'static;

    /// Whether [`certain`](Self::certain) may ever know a reward.
    const PROVES: bool = false;

    /// Whether to be asked to [`look`](Self::look) at leaves.
    const LOOKS: bool = false;

    /// Whether [`Step::length`] is asked for: rollouts then take no [shortcut](GameState::random_rollout).
    const COUNTS: bool = false;

    /// Whether [`worth`](Self::worth) keeps the order of rewards: the greater of two is never worth less. A decorator
    /// answers for what is inside as well.
    const KEEPS_ORDER: bool = true;

    /// Two decorators that stand the wrong way round, if there are any; a decorator passes on what is inside. A search then
    /// answers with [`SearchError::Misplaced`](crate::SearchError::Misplaced).
    const MISPLACED: Option<Misplaced> = None;

    /// What is to be kept of a node that an iteration has come to and simulates from: for what a heuristic says of its state.
    /// Called before the simulation, if [`LOOKS`](Self::LOOKS). \[Default: what is there\]
    ///
    /// # Errors
    ///
    /// What is wrong with what the game says of the state.
    #[inline(always)]
    fn look(&self, state: &G, stats: Self::Stats) -> Result<Self::Stats, GameFault> {
        let _ = state;
        Ok(stats)
    }

    /// Called for every step of the path, the leaf's first, the root's last. It should [`record`](Step::record) a
    /// reward once.
    ///
    /// It may change `rewards` for the steps above, if the iteration proved to bring others: they stay on the scale of the game,
    /// where proofs are. What is recorded may lie on another scale; [`worth`](Self::worth) then says which.
    fn update(&self, step: impl Step<G, Self::Stats>, rewards: &mut Rewards);

    /// The reward of `player` in a node with these statistics, if it is certain.
    ///
    /// Selection passes a child that is certain for the player who chooses by while others are open; an iteration
    /// that comes to a node certain for all players ends there with these rewards; the search stops when the root is
    /// certain for the player to move; the choice of the final action obeys. \[Default: never\]
    #[inline(always)]
    fn certain(&self, stats: Self::Stats, player: Player) -> Option<f32> {
        let _ = (stats, player);
        None
    }

    /// What `rewards` count for `player` on the scale of the means, if they are certain in a node with these statistics. Rewards and
    /// proofs are on the scale of the game; a backpropagation that records something else maps them here, so that a proof can
    /// be compared with a mean. \[Default: the reward of the player\]
    ///
    /// A player who is certain of some rewards takes them for others that are worth less, and the choice of the final action compares
    /// the worth of a proven action with the mean of an open one. Rewards of players of whom nothing is certain are given as 0.
    /// A decorator maps the rewards and asks what is inside.
    #[inline(always)]
    fn worth(&self, stats: Self::Stats, rewards: &Rewards, player: Player) -> f32 {
        let _ = stats;
        rewards[player]
    }

    /// Whether the parameters are in their ranges: asked at the start of every run. \[Default: yes\]
    ///
    /// # Errors
    ///
    /// The parameter that is not.
    fn check(&self) -> Result<(), ParameterError> {
        Ok(())
    }
}

/// Two decorators of a backpropagation that stand the wrong way round: proofs and means would be on two scales.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Misplaced {
    /// The decorator that stands outside.
    pub outer: &'static str,
    /// What stands inside, and belongs outside.
    pub inner: &'static str,
}

/// One step of an iteration's path, as backpropagation sees it: an action and the node it led to. `S` is what the
/// backpropagation keeps per child.
pub trait Step<G: GameState, S>: Copy {
    /// To whom the statistics of this step belong: the player who chose the action. For an outcome of chance, the
    /// player who acted before it; for the root, player 0, unless an earlier root says better.
    fn chooser(self) -> Player;

    /// Whose turn it is in the node reached.
    fn turn(self) -> Turn;

    /// The visits of the node reached, this iteration's included.
    fn visits(self) -> u32;

    /// How many actions the iteration made in all, from the root to the end of its rollout, chance's included. Only if
    /// [`Backprop::COUNTS`].
    fn length(self) -> u32;

    /// Whether the iteration was cut short by a proof: it ended at a node whose rewards are certain, before the end of the game and
    /// without a simulation. Its [`length`](Self::length) then is not that of a game. The same at all steps of an iteration.
    /// \[Default: no\]
    #[inline(always)]
    fn is_cut_short(self) -> bool {
        false
    }

    /// Takes a reward, in [0, 1], into the mean and into what the tree policy keeps. The visit is counted already.
    fn record(self, reward: f32);

    /// Takes a reward into what the tree policy keeps, and makes `mean` the mean *Q* of the step, both in [0, 1]: for what is
    /// not an average. Instead of [`record`](Self::record), on every visit.
    fn settle(self, reward: f32, mean: f32);

    /// Tells the tree policy the standard deviation of the value of this step; see [`TreePolicy::spread`].
    ///
    /// [`TreePolicy::spread`]: crate::selection::TreePolicy::spread
    fn spread(self, deviation: f32);

    /// What this backpropagation keeps for the step.
    fn stats(self) -> S;

    /// Replaces it.
    fn set_stats(self, stats: S);

    /// What it keeps for the child that the iteration went on to; `None` at the leaf.
    fn followed(self) -> Option<S>;

    /// What it keeps for the children of the node reached. Children that are not stored yet are stood for by one
    /// default at the end; a node without children has none.
    fn children(&self) -> impl Iterator<Item = S> + Clone;

    /// The children of the node reached that were visited at least once.
    fn tried(&self) -> impl Iterator<Item = Tried<S>> + Clone;

    /// Shuts the children of the node reached of which `hopeless` says so: selection passes them by while others are open, as if
    /// they were proven.
    fn shut(self, hopeless: impl Fn(S) -> bool);
}

/// A child that was visited, as [`Step::tried`] shows it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tried<S> {
    /// How often it was visited.
    pub visits: u32,
    /// Its mean, for the player to move in the node it is a child of; with chance to move, the one who acted before.
    pub mean: f32,
    /// What the backpropagation keeps for it.
    pub stats: S,
}

/// Shows the second half of the statistics of `step`: what a decorator with numbers of its own passes to the
/// backpropagation inside.
///
/// ```
/// # use ramure::prelude::*;
/// # use ramure::{GameFault, ParameterError, Rewards, backpropagation::{Misplaced, second}};
/// /// Counts the updates, and leaves the rest to `B`.
/// struct Counting<B>(B);
///
/// impl<G: GameState, B: Backprop<G>> Backprop<G> for Counting<B> {
///     type Stats = (u32, B::Stats);
///
///     fn update(&self, step: impl Step<G, Self::Stats>, rewards: &mut Rewards) {
///         let (count, inner) = step.stats();
///         step.set_stats((count + 1, inner));
///         self.0.update(second(step), rewards);
///     }
///
///     // The rest is what `B` says.
///     const PROVES: bool = B::PROVES;
///     const LOOKS: bool = B::LOOKS;
///     const COUNTS: bool = B::COUNTS;
///     const KEEPS_ORDER: bool = B::KEEPS_ORDER;
///     const MISPLACED: Option<Misplaced> = B::MISPLACED;
///
///     fn look(&self, state: &G, (count, inner): Self::Stats) -> Result<Self::Stats, GameFault> {
///         Ok((count, self.0.look(state, inner)?))
///     }
///     fn certain(&self, stats: Self::Stats, player: Player) -> Option<f32> {
///         self.0.certain(stats.1, player)
///     }
///     fn worth(&self, stats: Self::Stats, rewards: &Rewards, player: Player) -> f32 {
///         self.0.worth(stats.1, rewards, player)
///     }
///     fn check(&self) -> Result<(), ParameterError> {
///         self.0.check()
///     }
/// }
/// ```
#[inline(always)]
pub fn second<G: GameState, X: Copy, Y: Copy>(step: impl Step<G, (X, Y)>) -> impl Step<G, Y> {
    Second::<_, X>(step, PhantomData)
}

/// Shows `step` to the backpropagation inside a decorator, and gives `take` what that one records: the step, the reward, and
/// the mean if one was [settled](Step::settle). `take` then records what the decorator likes instead, once.
///
/// ```
/// # use ramure::prelude::*;
/// # use ramure::{Rewards, backpropagation::intercept};
/// /// Rewards count for half as much.
/// struct Cautious<B>(B);
///
/// impl<G: GameState, B: Backprop<G>> Backprop<G> for Cautious<B> {
///     type Stats = B::Stats;
///
///     fn update(&self, step: impl Step<G, B::Stats>, rewards: &mut Rewards) {
///         let half = |step: _, reward: f32, _: Option<f32>| Step::<G, _>::record(step, 0.25 + 0.5 * reward);
///         self.0.update(intercept(step, half), rewards);
///     }
///     // Proofs are compared with these means, so they must be on the same scale.
///     fn worth(&self, stats: B::Stats, rewards: &Rewards, player: Player) -> f32 {
///         0.25 + 0.5 * self.0.worth(stats, rewards, player)
///     }
/// }
/// ```
///
/// (What else a decorator hands on is shown at [`second`].)
#[inline(always)]
pub fn intercept<G: GameState, S: Copy, T: Step<G, S>>(
    step: T,
    take: impl Fn(T, f32, Option<f32>) + Copy,
) -> impl Step<G, S> {
    Intercepted::<G, S, T, _>(step, take, PhantomData)
}

struct Intercepted<G, S, T, F>(T, F, PhantomData<fn(G, S)>);

impl<G, S, T: Copy, F: Copy> Clone for Intercepted<G, S, T, F> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<G, S, T: Copy, F: Copy> Copy for Intercepted<G, S, T, F> {}

impl<G: GameState, S: Copy, T: Step<G, S>, F: Fn(T, f32, Option<f32>) + Copy> Step<G, S>
    for Intercepted<G, S, T, F>
{
    #[inline(always)]
    fn chooser(self) -> Player {
        self.0.chooser()
    }
    #[inline(always)]
    fn turn(self) -> Turn {
        self.0.turn()
    }
    #[inline(always)]
    fn visits(self) -> u32 {
        self.0.visits()
    }
    #[inline(always)]
    fn length(self) -> u32 {
        self.0.length()
    }
    #[inline(always)]
    fn is_cut_short(self) -> bool {
        self.0.is_cut_short()
    }
    #[inline(always)]
    fn record(self, reward: f32) {
        (self.1)(self.0, reward, None);
    }
    #[inline(always)]
    fn settle(self, reward: f32, mean: f32) {
        (self.1)(self.0, reward, Some(mean));
    }
    #[inline(always)]
    fn spread(self, deviation: f32) {
        self.0.spread(deviation);
    }
    #[inline(always)]
    fn stats(self) -> S {
        self.0.stats()
    }
    #[inline(always)]
    fn set_stats(self, stats: S) {
        self.0.set_stats(stats);
    }
    #[inline(always)]
    fn followed(self) -> Option<S> {
        self.0.followed()
    }
    #[inline(always)]
    fn children(&self) -> impl Iterator<Item = S> + Clone {
        self.0.children()
    }
    #[inline(always)]
    fn tried(&self) -> impl Iterator<Item = Tried<S>> + Clone {
        self.0.tried()
    }
    #[inline(always)]
    fn shut(self, hopeless: impl Fn(S) -> bool) {
        self.0.shut(hopeless);
    }
}

struct Second<T, X>(T, PhantomData<X>);

impl<T: Copy, X> Clone for Second<T, X> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T: Copy, X> Copy for Second<T, X> {}

impl<G: GameState, X: Copy, Y: Copy, T: Step<G, (X, Y)>> Step<G, Y> for Second<T, X> {
    #[inline(always)]
    fn chooser(self) -> Player {
        self.0.chooser()
    }
    #[inline(always)]
    fn turn(self) -> Turn {
        self.0.turn()
    }
    #[inline(always)]
    fn visits(self) -> u32 {
        self.0.visits()
    }
    #[inline(always)]
    fn length(self) -> u32 {
        self.0.length()
    }
    #[inline(always)]
    fn is_cut_short(self) -> bool {
        self.0.is_cut_short()
    }
    #[inline(always)]
    fn record(self, reward: f32) {
        self.0.record(reward);
    }
    #[inline(always)]
    fn settle(self, reward: f32, mean: f32) {
        self.0.settle(reward, mean);
    }
    #[inline(always)]
    fn spread(self, deviation: f32) {
        self.0.spread(deviation);
    }
    #[inline(always)]
    fn stats(self) -> Y {
        self.0.stats().1
    }
    #[inline(always)]
    fn set_stats(self, stats: Y) {
        self.0.set_stats((self.0.stats().0, stats));
    }
    #[inline(always)]
    fn followed(self) -> Option<Y> {
        self.0.followed().map(|both| both.1)
    }
    #[inline(always)]
    fn children(&self) -> impl Iterator<Item = Y> + Clone {
        self.0.children().map(|both| both.1)
    }
    #[inline(always)]
    fn tried(&self) -> impl Iterator<Item = Tried<Y>> + Clone {
        self.0.tried().map(|Tried { visits, mean, stats }| Tried { visits, mean, stats: stats.1 })
    }
    #[inline(always)]
    fn shut(self, hopeless: impl Fn(Y) -> bool) {
        self.0.shut(|both| hopeless(both.1));
    }
}
