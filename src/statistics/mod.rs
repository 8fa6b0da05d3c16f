//! What tree policies keep per child beyond visits and mean, and what feeds it.
//!
//! A policy names a type of plain numbers, `TreePolicy::Stats`. Most feed on the rewards alone. [`Prior`] and [`Knowledge`]
//! must be written when a node is expanded, by a rollout policy that knows priors; [`Amaf`] and [`Played`] feed on the actions
//! of the whole iteration, so they need numbered actions and a trace. [`Statistics`] says so, and is asked for where all parts of a
//! search meet, in `Mcts::run`, and nowhere else. Uses `game` and `simulation`.

mod amaf;
mod assigned;
mod knowledge;
mod moments;
mod played;
mod prior;
mod running_mean;
#[cfg(test)]
mod tests;
mod valued_prior;

pub use amaf::{Amaf, LastPlayed};
pub use assigned::Assigned;
pub use knowledge::Knowledge;
pub use moments::Moments;
pub use played::Played;
pub use prior::{KeepsPrior, Prior};
pub use running_mean::RunningMean;
pub use valued_prior::ValuedPrior;

use crate::game::{GameFault, GameState, Player, Rewards};
use crate::simulation::Trace;

/// Ties what a tree policy keeps per child to the game and the rollout policy that must feed it.
///
/// `()`, numbers, arrays and pairs of such need nothing. Your own struct of plain numbers needs one line:
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
    message = "`{Self}` is not known as statistics of a tree policy",
    label = "this search does not know how to feed these statistics",
    note = "plain numbers need one line: `impl<G: GameState, R> Statistics<G, R> for {Self} {{ type Trace = (); }}`",
    note = "a function over any tree policy `P` needs a bound: `where P::Stats: Statistics<G, R>`"
)]
pub trait Statistics<G: GameState, R>: Copy + Default + 'static {
    /// What must be noted of each iteration.
    type Trace: Trace<G>;

    /// Whether [`credit`](Self::credit) is to be asked for all siblings along the path.
    const CREDITS: bool = false;

    /// Whether [`fresh`](Self::fresh) is to be asked for new children. Then a leaf is expanded on its first visit
    /// unless told otherwise, and is itself what is simulated, so that priors and value are one evaluation.
    const FRESH: bool = false;

    /// Fills the statistics of all children of `state`, just made; gives the value of `state` if that came with it.
    ///
    /// # Errors
    ///
    /// What is wrong with what was to be written.
    #[inline(always)]
    fn fresh(
        rollout_policy: &mut R,
        state: &G,
        actions: &[G::Action],
        stats: &mut [Self],
    ) -> Result<Option<Rewards>, GameFault> {
        let _ = (rollout_policy, state, actions, stats);
        Ok(None)
    }

    /// What an iteration, of which `trace` was noted, does to a child, visited or not, of the node `depth` actions
    /// from the root, where `player` chose and got `reward` in the end.
    #[inline(always)]
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

    /// The prior probability, if this is one or has one: told in the report.
    #[inline(always)]
    fn prior(self) -> Option<f32> {
        None
    }

    /// How promising the action of a [fresh](Self::fresh) child is, the greater the more, if this knows: what
    /// [`Order::Prior`](crate::Order::Prior) sorts by. A default value tells whether it does. \[Default: the prior\]
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
    const FRESH: bool = A::FRESH || B::FRESH;

    fn fresh(
        rollout_policy: &mut R,
        state: &G,
        actions: &[G::Action],
        stats: &mut [Self],
    ) -> Result<Option<Rewards>, GameFault> {
        let mut first = vec![A::default(); stats.len()];
        let mut second = vec![B::default(); stats.len()];
        let value = A::fresh(rollout_policy, state, actions, &mut first)?;
        let value = value.or(B::fresh(rollout_policy, state, actions, &mut second)?);
        for (pair, both) in stats.iter_mut().zip(first.into_iter().zip(second)) {
            *pair = both;
        }
        Ok(value)
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
            self.0.credit(&trace.0, depth, player, action, reward),
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
