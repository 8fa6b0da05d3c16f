//! The mean of all rewards.

use super::{Backprop, Step};
use crate::game::{GameState, Rewards};

/// Every step records the reward of the player who chose it, so that a child's mean is that of all iterations through
/// it. The default. **Stores** nothing. **Source:** Kocsis and Szepesvári, *Bandit based Monte-Carlo Planning*, 2006.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Average;

impl<G: GameState> Backprop<G> for Average {
    type Stats = ();

    #[inline(always)]
    fn update(&self, step: impl Step<G, ()>, rewards: &mut Rewards) {
        step.record(rewards[step.chooser()]);
    }
}
