//! Random actions to the end.

use super::{Leaf, RolloutPolicy, Trace};
use crate::game::{GameFault, GameState, Rewards, Rng};

/// Plays uniformly random actions until the game is over. The default, and the fastest.
///
/// **Use it** by default: a rollout policy that chooses well but slowly often loses to many random rollouts.
/// **Cost:** one [`GameState::random_action`] per action. **Stores** nothing. **Source:** Brügmann, *Monte
/// Carlo Go*, 1993.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Uniform;

impl<G: GameState> RolloutPolicy<G> for Uniform {
    type Trace = ();

    #[inline(always)]
    fn simulate(&self, leaf: &mut Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Rewards, GameFault> {
        leaf.play_out_at_random(rng)
    }

    #[inline(always)]
    fn simulate_several(
        &self,
        leaf: &Leaf<G, impl Trace<G>>,
        rollouts: u32,
        rng: &mut Rng,
    ) -> Result<Option<Rewards>, GameFault> {
        leaf.random_rollouts(rollouts, rng)
    }
}
