//! An evaluation and a rollout together.

use super::{Leaf, Priors, RolloutPolicy, Trace};
use crate::game::{GameFault, GameState, Rewards, Rng};
use crate::parameter::ParameterError;

/// AlphaGo's mixed leaf value: (1 - *lambda*) *v* + *lambda* *z*, with *v* from the evaluation `E` and *z*
/// from a rollout by `R`.
///
/// **Use it** where an evaluation and rollouts each see what the other misses. `E` is a rollout policy that
/// plays few actions or none: [`Evaluate`](super::Evaluate), or [`Cutoff::new(0)`](super::Cutoff::new). If
/// `E` gives priors, so does this policy.
///
/// **Parameters:** *lambda* in [0, 1]; the default, 0.5, is the paper's. With 0 no rollout is played, with 1
/// nothing is evaluated. **Cost:** an evaluation, a rollout, and a clone of the state and the trace, on which
/// `E` works. **Stores** nothing.
///
/// **Source:** Silver et al., *Mastering the game of Go with deep neural networks and tree search*, 2016, the
/// equation for `V(s_L)`. Policies that learn from the iteration get the mixed rewards, with the actions of
/// `R`.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::simulation::{Cutoff, Mixed};
/// let rollouts = Mixed::new(Cutoff::new(0), Uniform);
/// let mut search = Mcts::new(ramure_games::Connect4::new()).rollout_policy(rollouts);
/// search.run(Budget::iterations(100))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mixed<E, R> {
    pub(super) evaluation: E,
    pub(super) rollout_policy: R,
    pub(super) lambda: f64,
}

impl<E, R> Mixed<E, R> {
    /// Creates the policy with equal shares of `evaluation` and `rollout_policy`.
    pub fn new(evaluation: E, rollout_policy: R) -> Self {
        Mixed { evaluation, rollout_policy, lambda: 0.5 }
    }

    /// Sets the share of the rollout, in [0, 1]. \[Default: 0.5\]
    #[must_use]
    pub fn lambda(self, lambda: f64) -> Self {
        Mixed { lambda, ..self }
    }
}

impl<G: GameState, E: RolloutPolicy<G>, R: RolloutPolicy<G>> RolloutPolicy<G> for Mixed<E, R> {
    type Trace = (E::Trace, R::Trace);

    #[inline(always)]
    fn choose(&self, leaf: &Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Option<G::Action>, GameFault> {
        self.rollout_policy.choose(leaf, rng)
    }

    fn simulate(&self, leaf: &mut Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Rewards, GameFault> {
        if self.lambda >= 1.0 {
            return self.rollout_policy.simulate(leaf, rng);
        }
        if self.lambda <= 0.0 {
            return self.evaluation.simulate(leaf, rng);
        }
        let players = leaf.state().players();
        let value = leaf.on_copy(|leaf| self.evaluation.simulate(leaf, rng))?.checked(players)?;
        let outcome = self.rollout_policy.simulate(leaf, rng)?.checked(players)?;
        let mix = |v, z| (1.0 - self.lambda) * f64::from(v) + self.lambda * f64::from(z);
        Ok(Rewards::new(players, |player| mix(value[player], outcome[player]) as f32))
    }

    #[inline(always)]
    fn learn(&mut self, trace: &Self::Trace, rewards: &Rewards) {
        self.evaluation.learn(&trace.0, rewards);
        self.rollout_policy.learn(&trace.1, rewards);
    }

    fn learns(&self) -> bool {
        self.evaluation.learns() || self.rollout_policy.learns()
    }

    fn check(&self) -> Result<(), ParameterError> {
        let fits = (0.0..=1.0).contains(&self.lambda);
        ParameterError::unless(fits, "Mixed::lambda", self.lambda, "in [0, 1]")?;
        self.evaluation.check()?;
        self.rollout_policy.check()
    }
}

impl<G: GameState, E: Priors<G>, R: RolloutPolicy<G>> Priors<G> for Mixed<E, R> {
    priors_of_inner!(evaluation);
}
