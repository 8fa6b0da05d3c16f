//! The mean of all rewards.

use super::{Backprop, Step};
use crate::game::{GameState, Rewards};

/// Every step records the reward of the player who chose it, so that a child's mean is that of all iterations through
/// it. The default. **Use it** unless there is a reason not to: no other is proven to converge in so many cases. **Not** where the worth of a
/// child changes much as it is searched ([`Recent`](super::Recent)), or leaves are valued well ([`PowerMean`](super::PowerMean)).
/// **Parameters:** none. **Stores** nothing. **Source:** Kocsis and Szepesvári, *Bandit based Monte-Carlo Planning*, 2006.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Average;

impl<G: GameState> Backprop<G> for Average {
    type Stats = ();

    #[inline(always)]
    fn update(&self, step: impl Step<G, ()>, rewards: &mut Rewards) {
        step.record(rewards[step.chooser()]);
    }
}
