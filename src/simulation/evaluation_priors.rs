//! Priors from the game's static evaluation.

use super::{BatchLeaf, Leaf, Priors, RolloutPolicy, Trace};
use crate::custom_error::BoxError;
use crate::game::{GameFault, GameState, Rewards, Rng, StaticEvaluation, Turn, try_apply};
use crate::math;
use crate::parameter::ParameterError;
use smallvec::SmallVec;

/// Rollouts by `R`, and priors from the game's [`StaticEvaluation`]: the softmax of the evaluations after
/// each action, `P(a) = exp(v(a) / τ) / Σ exp(v(b) / τ)`.
///
/// `v(a)` is the evaluation of the state after `a` for the player to move, or the player's reward if the game
/// is over there. The evaluation of the state itself is the value that comes with the priors. The simulation
/// is still by `R`; where `R` is an [`Evaluate`](super::Evaluate), it takes this value.
///
/// **Use it** to give [`Puct`](crate::selection::Puct) and related policies priors without a network.
/// **Parameter:** `temperature`, τ above 0, 0.1 by default: an action that seems 0.1 better is 2.7 times as
/// likely. The default is not from a paper, and evaluations differ: tune it. **Cost:** when a node gets
/// children, a copy of the state and an evaluation per action. **Stores** nothing per child.
///
/// **Source:** the softmax of Sutton and Barto, *Reinforcement Learning*, 2nd edition, section 2.8, applied
/// to evaluations.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::Puct;
/// use ramure::simulation::{EvaluationPriors, Uniform};
/// let rollouts = EvaluationPriors::new(Uniform, 0.1);
/// let mut search =
///     Mcts::new(ramure_games::Connect4::new()).tree_policy(Puct::default()).rollout_policy(rollouts);
/// search.run(Budget::iterations(100))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EvaluationPriors<R> {
    pub(super) rollout_policy: R,
    pub(super) temperature: f64,
}

impl<R> EvaluationPriors<R> {
    /// Creates the policy with rollouts by `rollout_policy` and this temperature of the priors, above 0.
    pub const fn new(rollout_policy: R, temperature: f64) -> Self {
        EvaluationPriors { rollout_policy, temperature }
    }
}

impl<R: Default> Default for EvaluationPriors<R> {
    fn default() -> Self {
        EvaluationPriors::new(R::default(), 0.1)
    }
}

/// Returns the value of the state after `action` for the player to move: the reward if the game is over, and
/// the static evaluation otherwise. No player to move and a value outside [0, 1] are faults.
fn value_after<G: StaticEvaluation>(state: &G, action: G::Action) -> Result<f64, GameFault> {
    // At a chance node, no player chooses.
    let Turn::Player(player) = state.turn() else { return Err(GameFault::NoActions) };
    let mut next = state.clone();
    try_apply(&mut next, action)?;
    if next.turn() == Turn::Over {
        let reward = next.reward(player);
        let fits = (0.0..=1.0).contains(&reward);
        return if fits { Ok(reward) } else { Err(GameFault::Reward { player, reward }) };
    }
    let value = next.evaluate(player);
    if (0.0..=1.0).contains(&value) { Ok(value) } else { Err(GameFault::Evaluation { player, value }) }
}

impl<G: GameState, R: RolloutPolicy<G>> RolloutPolicy<G> for EvaluationPriors<R> {
    rollouts_of_inner!();

    fn check(&self) -> Result<(), ParameterError> {
        let fits = self.temperature > 0.0 && self.temperature < f64::INFINITY;
        let name = "EvaluationPriors::temperature";
        ParameterError::unless(fits, name, self.temperature, "finite and above 0")?;
        self.rollout_policy.check()
    }
}

impl<G: StaticEvaluation, R: RolloutPolicy<G>> Priors<G> for EvaluationPriors<R> {
    fn priors(
        &self,
        state: &G,
        actions: &[G::Action],
        priors: &mut [f32],
    ) -> Result<Option<Rewards>, BoxError> {
        let mut values: SmallVec<[f64; 64]> = SmallVec::with_capacity(actions.len());
        for action in actions {
            values.push(value_after(state, action.clone())?);
        }
        let best = values.iter().copied().fold(f64::MIN, f64::max);
        for (prior, value) in priors.iter_mut().zip(values) {
            *prior = math::exp((value - best) / self.temperature) as f32;
        }
        Ok(Some(Rewards::evaluated(state)?))
    }
}
