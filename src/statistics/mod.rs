//! The statistics that tree policies keep per child beyond visits and mean, and the sources that feed them.
//!
//! A policy names a type of plain numbers, `TreePolicy::Stats`. Most are fed by the rewards alone. [`Prior`]
//! and [`Knowledge`] are written when a node is expanded, by a rollout policy that gives priors. [`Amaf`] and
//! [`ActionHistory`] are fed by the actions of the whole iteration, so they need numbered actions and a
//! trace. The trait [`Statistics`] states these needs. It is required only in `Mcts::run`, where all parts of
//! a search meet. This module uses `game` and `simulation`.

/// Common base of [`Statistics`] that read the [`Priors`](crate::simulation::Priors) of the rollout policy.
macro_rules! priors_of_rollouts {
    () => {
        type Trace = ();
        const INITIALIZES: bool = true;

        fn priors(
            rollout_policy: &R,
            state: &G,
            actions: &[G::Action],
            priors: &mut [f32],
        ) -> Result<Option<Rewards>, BoxError> {
            rollout_policy.priors(state, actions, priors)
        }

        fn priors_batch(rollout_policy: &R, batch: &mut [Position<'_, G>]) {
            rollout_policy.priors_batch(batch);
        }
    };
}

mod action_history;
mod amaf;
mod knowledge;
mod moments;
mod pack;
mod prior;
mod running_mean;
#[cfg(test)]
mod tests;
mod valued_prior;
mod visit_budget;

pub use action_history::ActionHistory;
pub use amaf::{Amaf, LastPlayed};
pub use knowledge::Knowledge;
pub use moments::Moments;
pub use pack::Pack;
pub(crate) use pack::pack_structs;
pub use prior::{KeepsPrior, Prior};
pub use running_mean::RunningMean;
pub use valued_prior::ValuedPrior;
pub(crate) use visit_budget::VisitBudget;

use crate::custom_error::BoxError;
use crate::game::{GameFault, GameState, Player, Rewards};
use crate::simulation::{Position, Trace};

/// Connects the statistics of a tree policy with the game and the rollout policy that feed them.
///
/// `()`, numbers, arrays and pairs of these need nothing. Your own struct of plain numbers needs one line:
///
/// ```
/// # use ramure::{GameState, statistics::Statistics};
/// #[derive(Clone, Copy, Default)]
/// struct Spread {
///     least: f32,
///     greatest: f32,
/// }
/// impl<G: GameState, R> Statistics<G, R> for Spread {
///     type Trace = ();
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement `Statistics`, so a tree policy cannot keep it",
    label = "the search cannot update these statistics",
    note = "a struct of plain numbers needs one line: `impl<G: GameState, R> Statistics<G, R> for {Self} {{ type Trace = (); }}`",
    note = "a tuple of more than two numbers needs nested pairs, as in `((f32, u32), f32)`, or a struct",
    note = "a function over any tree policy `P` needs a bound: `where P::Stats: Statistics<G, R>`"
)]
pub trait Statistics<G: GameState, R>: Copy + Default + 'static {
    /// The trace that records what these statistics need of each iteration.
    type Trace: Trace<G>;

    /// Whether the search calls [`credit`](Self::credit) for all siblings along the path.
    const CREDITS: bool = false;

    /// Whether the search calls [`priors`](Self::priors) and [`initialize`](Self::initialize) for new
    /// children.
    ///
    /// If so, a leaf is by default expanded on its first visit and simulated itself, so that one evaluation
    /// gives both priors and value.
    const INITIALIZES: bool = false;

    /// Asks the rollout policy for the priors of all children of `state`, which are filled with 1. Returns
    /// the value of `state` if the same evaluation gives it.
    ///
    /// Statistics that need priors call [`Priors::priors`](crate::simulation::Priors::priors). The trait
    /// bound that this takes is the reason why it is a method of the statistics.
    ///
    /// # Errors
    ///
    /// Returns the error of the rollout policy.
    #[inline(always)]
    fn priors(
        rollout_policy: &R,
        state: &G,
        actions: &[G::Action],
        priors: &mut [f32],
    ) -> Result<Option<Rewards>, BoxError> {
        let _ = (rollout_policy, state, actions, priors);
        Ok(None)
    }

    /// Asks the rollout policy for the priors of several states at once, as [`priors`](Self::priors) does for
    /// one. \[Default: one state after another\]
    ///
    /// Statistics that need priors call [`Priors::priors_batch`](crate::simulation::Priors::priors_batch).
    #[inline(always)]
    fn priors_batch(rollout_policy: &R, batch: &mut [Position<'_, G>]) {
        for position in batch {
            position.ask(|state, actions, priors| Self::priors(rollout_policy, state, actions, priors));
        }
    }

    /// Fills the statistics of all children of a node, which were just created, from their `priors` and from
    /// the `value` of the node, if there is one. `player` moves in the node.
    ///
    /// # Errors
    ///
    /// Returns a [`GameFault`] if a prior is invalid.
    #[inline(always)]
    fn initialize(
        rollout_policy: &R,
        player: Player,
        priors: &[f32],
        value: Option<&Rewards>,
        stats: &mut [Self],
    ) -> Result<(), GameFault> {
        let _ = (rollout_policy, player, priors, value, stats);
        Ok(())
    }

    /// Returns the statistics of a child, visited or not, after an iteration that `trace` recorded.
    ///
    /// The child belongs to the node `depth` actions below the root, where `player` chose and got `reward` in
    /// the end; `action` is the child's action.
    #[inline(always)]
    #[must_use]
    fn credit(
        self,
        trace: &Self::Trace,
        depth: usize,
        player: Player,
        action: G::Action,
        reward: f32,
    ) -> Self {
        let _ = (trace, depth, player, action, reward);
        self
    }

    /// Returns the prior probability, if these statistics have one. The report shows it.
    #[inline(always)]
    fn prior(self) -> Option<f32> {
        None
    }

    /// Returns how promising the action of a new child is, if these statistics know it; greater is
    /// better.
    ///
    /// [`Order::Prior`](crate::Order::Prior) sorts by this number. The search checks the default value of the
    /// statistics for `Some` to find out whether they know it. \[Default: the prior\]
    #[inline(always)]
    fn promise(self) -> Option<f32> {
        self.prior()
    }
}

macro_rules! fed_by_rewards {
    ($($numbers:ty),*) => { $(
        impl<G: GameState, R> Statistics<G, R> for $numbers {
            type Trace = ();
        }
    )* };
}
fed_by_rewards!((), Moments, RunningMean, u8, u16, u32, u64, i8, i16, i32, i64, f32, f64);

impl<G: GameState, R, T: Statistics<G, R, Trace = ()>, const N: usize> Statistics<G, R> for [T; N]
where
    [T; N]: Default,
{
    type Trace = ();
}

impl<G: GameState, R, A: Statistics<G, R>, B: Statistics<G, R>> Statistics<G, R> for (A, B) {
    type Trace = (A::Trace, B::Trace);
    const CREDITS: bool = A::CREDITS || B::CREDITS;
    const INITIALIZES: bool = A::INITIALIZES || B::INITIALIZES;

    fn priors(
        rollout_policy: &R,
        state: &G,
        actions: &[G::Action],
        priors: &mut [f32],
    ) -> Result<Option<Rewards>, BoxError> {
        if A::INITIALIZES {
            A::priors(rollout_policy, state, actions, priors)
        } else {
            B::priors(rollout_policy, state, actions, priors)
        }
    }

    fn priors_batch(rollout_policy: &R, batch: &mut [Position<'_, G>]) {
        if A::INITIALIZES {
            A::priors_batch(rollout_policy, batch);
        } else {
            B::priors_batch(rollout_policy, batch);
        }
    }

    fn initialize(
        rollout_policy: &R,
        player: Player,
        priors: &[f32],
        value: Option<&Rewards>,
        stats: &mut [Self],
    ) -> Result<(), GameFault> {
        let mut first = vec![A::default(); stats.len()];
        let mut second = vec![B::default(); stats.len()];
        A::initialize(rollout_policy, player, priors, value, &mut first)?;
        B::initialize(rollout_policy, player, priors, value, &mut second)?;
        for (pair, both) in stats.iter_mut().zip(first.into_iter().zip(second)) {
            *pair = both;
        }
        Ok(())
    }

    fn credit(
        self,
        trace: &Self::Trace,
        depth: usize,
        player: Player,
        action: G::Action,
        reward: f32,
    ) -> Self {
        (
            self.0.credit(&trace.0, depth, player, action.clone(), reward),
            self.1.credit(&trace.1, depth, player, action, reward),
        )
    }

    fn prior(self) -> Option<f32> {
        self.0.prior().or(self.1.prior())
    }

    fn promise(self) -> Option<f32> {
        self.0.promise().or(self.1.promise())
    }
}
