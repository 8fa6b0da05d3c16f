//! Decorators: backpropagations around another backpropagation.

use super::{Backprop, Step};
use crate::game::{GameFault, GameState, Player, Rewards};
use crate::parameter::ParameterError;

/// A decorator of a backpropagation: changes what the backpropagation inside it records, or adds to it.
///
/// Implement this trait and use [`Decorated`], which passes on everything that you do not change: proofs,
/// looks at leaves, the worth of rewards, checks of parameters.
///
/// **Who needs it:** authors of new decorators. The existing ones are in [this module](super).
///
/// ```
/// use ramure::prelude::*;
/// use ramure::backpropagation::{Decorated, Decorator};
/// use ramure::{Rewards, StopReason};
///
/// /// Halves the distance of rewards from 1/2.
/// struct Cautious;
///
/// impl<G: GameState> Decorator<G> for Cautious {
///     type Stats = (); // the statistics of the decorator itself per child
///
///     fn update<B: Backprop<G>>(&self, inner: &B, step: impl Step<G, ((), B::Stats)>, rewards: &mut Rewards) {
///         let halve = |step, reward: f32, _: Option<f32>| Step::<G, _>::record(step, 0.25 + 0.5 * reward);
///         inner.update(step.second().intercept(halve), rewards);
///     }
///
///     // Proofs are compared with these means, so they must be on the same scale.
///     fn worth<B: Backprop<G>>(&self, inner: &B, stats: ((), B::Stats), rewards: &Rewards, player: Player) -> f32 {
///         0.25 + 0.5 * inner.worth(stats.1, rewards, player)
///     }
/// }
///
/// let backprop = Decorated::by(Cautious, Solver::new(Average));
/// let mut search = Mcts::new(ramure_games::TicTacToe::new()).backprop(backprop);
/// assert_eq!(search.run(Budget::iterations(200_000))?.stop_reason, StopReason::Proven);
/// # Ok::<(), SearchError>(())
/// ```
pub trait Decorator<G: GameState> {
    /// The statistics that the decorator itself keeps for every child: plain numbers, or `()` for none. The
    /// statistics of the backpropagation inside are kept beside them.
    type Stats: Copy + Default + 'static;

    /// Whether [`certain`](Self::certain) may ever return a reward: set it if you implement that method.
    const PROVES: bool = false;

    /// Whether the decorator itself uses [`Step::length`].
    const COUNTS: bool = false;

    /// Whether the decorator keeps the order of rewards, as [`Backprop::KEEPS_ORDER`] says.
    const KEEPS_ORDER: bool = true;

    /// Whether the decorator lets the backpropagation inside record the rewards as they are, so that it may
    /// [average](Backprop::AVERAGES) them.
    const AVERAGES: bool = false;

    /// Whether the decorator itself [derives](Backprop::DERIVES) the value of a node from those of its children.
    const DERIVES: bool = false;

    /// Returns the decorator's statistics of a node from which an iteration is about to simulate. \[Default:
    /// unchanged\]
    ///
    /// # Errors
    ///
    /// Returns a [`GameFault`] if the game's values for the state are invalid.
    #[inline(always)]
    fn look(&self, state: &G, stats: Self::Stats) -> Result<Self::Stats, GameFault> {
        let _ = state;
        Ok(stats)
    }

    /// Updates one step of the path, as [`Backprop::update`] does, and updates `inner`:
    ///
    /// - `inner.update(step.second(), rewards)` shows `inner` the step and the rewards as they are
    ///   ([`second`](Step::second)).
    /// - [`update_as`](super::update_as) shows it other rewards.
    /// - With [`intercept`](Step::intercept) you get what `inner` records, and record something else.
    ///
    /// `inner` may change the rewards for the steps above, as a [`Solver`](super::Solver) does. Do not undo
    /// that: a copy of the rewards for `inner`, or rewards that you restore afterwards, would.
    ///
    /// If `inner` must keep the order of rewards, or must not prove anything, say so here: `const {
    /// assert!(B::KEEPS_ORDER, "...") }`. A search with the wrong order then does not compile.
    fn update<B: Backprop<G>>(
        &self,
        inner: &B,
        step: impl Step<G, (Self::Stats, B::Stats)>,
        rewards: &mut Rewards,
    );

    /// Returns the reward of `player` in a node with these statistics, if it is certain. You need not repeat
    /// rewards that are certain in the backpropagation inside. \[Default: `None`\]
    #[inline(always)]
    fn certain(&self, stats: Self::Stats, player: Player) -> Option<f32> {
        let _ = (stats, player);
        None
    }

    /// Returns the worth of certain `rewards` to `player` on the scale of the means; see [`Backprop::worth`].
    /// \[Default: as `inner` says\]
    #[inline(always)]
    fn worth<B: Backprop<G>>(
        &self,
        inner: &B,
        stats: (Self::Stats, B::Stats),
        rewards: &Rewards,
        player: Player,
    ) -> f32 {
        inner.worth(stats.1, rewards, player)
    }

    /// Checks the decorator's own parameters. \[Default: accepts all values\]
    ///
    /// # Errors
    ///
    /// Returns a [`ParameterError`] if a parameter is out of range.
    fn check(&self) -> Result<(), ParameterError> {
        Ok(())
    }

    /// Does what [`Backprop::begin_tree`] does, for the decorator itself.
    #[doc(hidden)]
    fn begin_tree(&mut self) {}

    /// Does what [`Backprop::knows`] does, for the decorator itself.
    #[doc(hidden)]
    fn knows(&self, stats: Self::Stats, players: u8) -> bool {
        (0..players).any(|player| self.certain(stats, player).is_some())
    }

    /// Does what [`Backprop::pending`] does.
    #[doc(hidden)]
    #[inline(always)]
    fn pending(stats: Self::Stats) -> u32 {
        let _ = stats;
        0
    }
}

/// Updates `inner` at `step`, and shows it the rewards `shown` in place of `rewards`. If `inner` changes them
/// for the steps above, as a [`Solver`](super::Solver) does, they become `rewards`; otherwise the steps above
/// see `rewards` as they are.
///
/// **Who needs it:** [decorators](Decorator) that map rewards.
#[inline(always)]
pub fn update_as<G: GameState, B: Backprop<G>>(
    inner: &B,
    step: impl Step<G, B::Stats>,
    rewards: &mut Rewards,
    shown: Rewards,
) {
    let mut seen = shown;
    inner.update(step, &mut seen);
    if seen != shown {
        *rewards = seen;
    }
}

/// The backpropagation `B`, decorated by `D`.
///
/// The statistics are pairs: those of the decorator, and those of `B`. This decorator adds to every recorded
/// reward a share of the best one seen below, which suits games for one player:
///
/// ```
/// use ramure::backpropagation::{Decorated, Decorator};
/// use ramure::prelude::*;
/// use ramure::{ParameterError, Rewards};
/// use ramure_games::TicTacToe;
///
/// struct Optimist {
///     share: f32,
/// }
///
/// impl Optimist {
///     fn with_share(&self, reward: f32, best: f32) -> f32 {
///         reward + self.share * (best.max(reward) - reward)
///     }
/// }
///
/// impl<G: GameState> Decorator<G> for Optimist {
///     type Stats = f32; // the best reward recorded so far
///
///     fn update<B: Backprop<G>>(&self, inner: &B, step: impl Step<G, (f32, B::Stats)>, rewards: &mut Rewards) {
///         let take = |_, reward: f32, mean: Option<f32>| {
///             let (best, rest) = step.stats();
///             let best = best.max(reward);
///             step.set_stats((best, rest));
///             match mean {
///                 None => step.record(self.with_share(reward, best)),
///                 // The inner backpropagation has set the mean, so change that one.
///                 Some(mean) => {
///                     step.record_with_mean(self.with_share(reward, best), self.with_share(mean, best));
///                 }
///             }
///         };
///         inner.update(step.second().intercept(take), rewards);
///     }
///     fn worth<B: Backprop<G>>(&self, inner: &B, (best, rest): (f32, B::Stats), rewards: &Rewards, player: Player) -> f32 {
///         self.with_share(inner.worth(rest, rewards, player), best)
///     }
///     fn check(&self) -> Result<(), ParameterError> {
///         let fits = (0.0..=1.0).contains(&self.share);
///         ParameterError::unless(fits, "Optimist::share", f64::from(self.share), "in [0, 1]")
///     }
/// }
///
/// // With a share of 0, the search is the same as without the decorator.
/// let visits = |report: Report<_>| -> Vec<_> {
///     report.actions.iter().map(|action| (action.visits, action.mean)).collect()
/// };
/// let optimist = Decorated::by(Optimist { share: 0.0 }, Solver::new(Average));
/// let decorated = Mcts::new(TicTacToe::new()).backprop(optimist).run(Budget::iterations(5_000))?;
/// let plain = Mcts::new(TicTacToe::new()).backprop(Solver::new(Average)).run(Budget::iterations(5_000))?;
/// assert_eq!(visits(decorated), visits(plain));
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Decorated<D, B> {
    pub(super) decorator: D,
    pub(crate) inner: B,
}

impl<D, B> Decorated<D, B> {
    /// Puts `decorator` around `inner`.
    pub const fn by(decorator: D, inner: B) -> Self {
        Decorated { decorator, inner }
    }
}

impl<G: GameState, D: Decorator<G>, B: Backprop<G>> Backprop<G> for Decorated<D, B> {
    type Stats = (D::Stats, B::Stats);
    const PROVES: bool = D::PROVES || B::PROVES;
    const COUNTS: bool = D::COUNTS || B::COUNTS;
    const KEEPS_ORDER: bool = D::KEEPS_ORDER && B::KEEPS_ORDER;
    const AVERAGES: bool = D::AVERAGES && B::AVERAGES;
    const DERIVES: bool = D::DERIVES || B::DERIVES;

    #[inline(always)]
    fn look(&self, state: &G, (own, inner): Self::Stats) -> Result<Self::Stats, GameFault> {
        Ok((self.decorator.look(state, own)?, self.inner.look(state, inner)?))
    }

    #[inline(always)]
    fn update(&self, step: impl Step<G, Self::Stats>, rewards: &mut Rewards) {
        self.decorator.update(&self.inner, step, rewards);
    }

    #[inline(always)]
    fn certain(&self, (own, inner): Self::Stats, player: Player) -> Option<f32> {
        // A closure would be a call for each child.
        match self.decorator.certain(own, player) {
            None => self.inner.certain(inner, player),
            certain => certain,
        }
    }

    #[inline(always)]
    fn worth(&self, stats: Self::Stats, rewards: &Rewards, player: Player) -> f32 {
        self.decorator.worth(&self.inner, stats, rewards, player)
    }

    fn check(&self) -> Result<(), ParameterError> {
        self.decorator.check()?;
        self.inner.check()
    }

    fn begin_tree(&mut self) {
        self.decorator.begin_tree();
        self.inner.begin_tree();
    }

    fn knows(&self, (own, inner): Self::Stats, players: u8) -> bool {
        self.decorator.knows(own, players) || self.inner.knows(inner, players)
    }

    #[inline(always)]
    fn pending((own, _): Self::Stats) -> u32 {
        D::pending(own) // a window is outside of all other decorators
    }
}
