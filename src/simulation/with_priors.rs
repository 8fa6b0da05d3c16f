//! Priors by a function, with any rollouts.

use super::{BatchLeaf, Leaf, Priors, RolloutPolicy, Trace};
use crate::custom_error::BoxError;
use crate::game::{GameFault, GameState, Rewards, Rng};
use crate::parameter::ParameterError;
use core::any::type_name;
use core::fmt;

/// Rollouts by `R`, and priors by a function of state and action: [`Puct`](crate::selection::Puct) without a
/// network.
///
/// **Use it** where a rule of thumb distinguishes good actions from bad ones. With a static evaluation use
/// [`EvaluationPriors`](super::EvaluationPriors), with a network [`Evaluate`](super::Evaluate). It has no
/// effect with tree policies that read no priors, because they do not ask for them.
///
/// **Parameters:** your rollouts and your function. **Cost:** a call per action when a node gets children.
/// **Stores** nothing per child except what the tree policy keeps. **Source:** Rosin, *Multi-armed Bandits
/// with Episode Context*, 2011, where a predictor recommends arms.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::Puct;
/// use ramure::simulation::{Uniform, WithPriors};
/// use ramure_games::Connect4;
/// let centre = WithPriors::new(Uniform, |_: &Connect4, action| if action.number() == 3 { 2.0 } else { 1.0 });
/// let mut search = Mcts::new(Connect4::new()).tree_policy(Puct::default()).rollout_policy(centre);
/// search.run(Budget::iterations(100))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy)]
pub struct WithPriors<R, F> {
    pub(super) rollout_policy: R,
    prior: F,
}

impl<R: fmt::Debug, F> fmt::Debug for WithPriors<R, F> {
    /// Prints the type of the function, because closures are not `Debug`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WithPriors")
            .field("rollout_policy", &self.rollout_policy)
            .field("prior", &format_args!("{}", type_name::<F>()))
            .finish()
    }
}

impl<R, F> WithPriors<R, F> {
    /// Creates the policy with the priors `prior(state, action)`. They must not be negative and may have any
    /// scale: the search divides them by their sum.
    ///
    /// A closure names the game once, `|state: &MyGame, action| ..`; the compiler infers the rest.
    pub fn new<G: GameState>(rollout_policy: R, prior: F) -> Self
    where
        F: Fn(&G, G::Action) -> f32,
    {
        WithPriors { rollout_policy, prior }
    }
}

impl<G: GameState, R: RolloutPolicy<G>, F: Fn(&G, G::Action) -> f32> RolloutPolicy<G> for WithPriors<R, F> {
    rollouts_of_inner!();

    fn check(&self) -> Result<(), ParameterError> {
        self.rollout_policy.check()
    }
}

impl<G: GameState, R: RolloutPolicy<G>, F: Fn(&G, G::Action) -> f32> Priors<G> for WithPriors<R, F> {
    fn priors(
        &self,
        state: &G,
        actions: &[G::Action],
        priors: &mut [f32],
    ) -> Result<Option<Rewards>, BoxError> {
        for (prior, action) in priors.iter_mut().zip(actions) {
            *prior = (self.prior)(state, action.clone());
        }
        Ok(None)
    }
}
