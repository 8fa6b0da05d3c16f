//! The mean of all rewards.

use super::{Backprop, Step};
use crate::game::{GameState, Rewards};

/// Averages the rewards: every step records the reward of the player who chose it, so a child's mean is the
/// mean over all iterations through it. By default, a [`Solver`](super::Solver) adds proofs.
///
/// **Use it** unless you have a reason not to: no other backpropagation is proven to converge in so many
/// cases. Avoid it where the value of a child changes much during the search
/// ([`RecencyWeighted`](super::RecencyWeighted)), or where leaves are evaluated well
/// ([`PowerMean`](super::PowerMean)). **Parameters:** none. **Stores** nothing. **Source:** Kocsis and
/// Szepesvári, *Bandit based Monte-Carlo Planning*, 2006.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Average;

impl<G: GameState> Backprop<G> for Average {
    type Stats = ();
    const AVERAGES: bool = true;

    #[inline(always)]
    fn update(&self, step: impl Step<G, ()>, rewards: &mut Rewards) {
        step.record(rewards[step.chooser()]);
    }
}
