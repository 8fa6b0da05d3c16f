//! Random actions to the end.

use super::{BatchLeaf, Leaf, RolloutPolicy, Trace};
use crate::game::{GameFault, GameState, Rewards, Rng};
use smallvec::SmallVec;

/// Plays uniformly random actions until the game is over. The default, and the fastest.
///
/// **Use it** by default: a rollout policy that chooses well but slowly often loses to many random rollouts. **Cost:**
/// one [`GameState::random_action`] per action. **Stores** nothing. **Source:** Brügmann, *Monte Carlo Go*, 1993.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Uniform;

impl<G: GameState> RolloutPolicy<G> for Uniform {
    type Trace = ();

    #[inline(always)]
    fn simulate(&self, leaf: &mut Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Rewards, GameFault> {
        leaf.play_out_at_random(rng)
    }

    /// Several random games at once, if the game [can play](GameState::random_rollouts) them.
    #[inline(always)]
    fn simulate_batch<T: Trace<G>>(&self, batch: &mut [BatchLeaf<'_, G, T>], rng: &mut Rng) {
        if batch.len() > 1 && batch[0].leaf().takes_shortcut() {
            let mut states: SmallVec<[&mut G; 32]> =
                batch.iter_mut().map(|entry| entry.leaf_mut().state_mut()).collect();
            G::random_rollouts(&mut states, rng);
            drop(states);
            for entry in batch {
                entry.simulate(|leaf| leaf.play_out(rng, |leaf, rng| Ok(leaf.state().random_action(rng))));
            }
        } else {
            for entry in batch {
                entry.simulate(|leaf| leaf.play_out_at_random(rng));
            }
        }
    }
}
