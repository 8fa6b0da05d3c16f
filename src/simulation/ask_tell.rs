//! No simulation: the caller tells the rewards.

use super::{Leaf, Priors, RolloutPolicy, Trace};
use crate::custom_error::BoxError;
use crate::game::{GameFault, GameState, Rewards, Rng};

/// No rollout and no evaluation: you tell the search the rewards and priors of its leaves.
///
/// **Use it** with [`Mcts::ask`](crate::Mcts::ask) and
/// [`Mcts::tell`](crate::Mcts::tell), where an example is. A search that simulates by itself
/// fails with this policy. **Stores** nothing.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct AskTell;

/// The error for a call that a search with this policy cannot serve.
const MESSAGE: &str =
    "the rollout policy `AskTell` does not simulate: use `ask` and `tell`, or another rollout policy";

impl<G: GameState> RolloutPolicy<G> for AskTell {
    type Trace = ();

    fn simulate(&self, leaf: &mut Leaf<G, impl Trace<G>>, _: &mut Rng) -> Result<Rewards, GameFault> {
        Err(leaf.fail(MESSAGE))
    }
}

impl<G: GameState> Priors<G> for AskTell {
    fn priors(&self, _: &G, _: &[G::Action], _: &mut [f32]) -> Result<Option<Rewards>, BoxError> {
        Err(MESSAGE.into())
    }
}
