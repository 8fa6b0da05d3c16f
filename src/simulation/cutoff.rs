//! A few random actions, then a guess.

use super::{Leaf, RolloutPolicy, Trace};
use crate::game::{GameFault, Rewards, Rng, StaticEvaluation};

/// Plays at most `actions` random actions, then asks the game's [`StaticEvaluation`]; a game that ends before gives its
/// own rewards. With 0 actions, leaves are evaluated as they are.
///
/// **Use it** where games are long and the evaluation is decent. **Stores** nothing. **Source:** early termination of
/// playouts, as in Lorentz, *Amazons Discover Monte-Carlo*, 2008, section 3.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::simulation::Cutoff;
/// let mut search = Mcts::new(ramure::games::Connect4::new()).rollout_policy(Cutoff::new(8));
/// assert_eq!(search.run(Budget::iterations(500))?.iterations, 500);
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cutoff {
    actions: u32,
}

impl Cutoff {
    /// At most `actions` random actions.
    pub fn new(actions: u32) -> Self {
        Cutoff { actions }
    }
}

impl<G: StaticEvaluation> RolloutPolicy<G> for Cutoff {
    type Trace = ();

    #[inline]
    fn simulate(&mut self, leaf: &mut Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Rewards, GameFault> {
        if leaf.play_on(self.actions, rng, |leaf, rng| Ok(leaf.state().random_action(rng)))? {
            return Rewards::of(leaf.state());
        }
        let state = leaf.state();
        Rewards::try_new(state.players(), |player| state.evaluate(player))
            .map_err(|(player, value)| GameFault::Evaluation { player, value })
    }
}
