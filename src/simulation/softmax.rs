//! Rollouts that play good actions more often than bad ones.

use super::gibbs::by_exponent;
use super::mast::check_tau;
use super::{Leaf, RolloutPolicy, Trace};
use crate::game::{GameFault, GameState, Rng};
use crate::parameter::ParameterError;

/// Rollouts by your own heuristic: each action `a` is played with a probability proportional to `exp(h(a) /
/// tau)`, the Gibbs or Boltzmann distribution.
///
/// **Use it** for "heavy" rollouts that stay varied: [`EpsilonGreedyRollouts`](super::EpsilonGreedyRollouts)
/// plays either the best action or any, whereas this policy rarely plays the worst.
///
/// **Parameters:** the temperature *tau*, above 0, in units of the heuristic: an action better than another
/// by *tau* is played *e* times as often. A small *tau* nearly always plays the best action; with a large
/// *tau* all are about equally likely. In texts of `ramure-lab`, it is 0.1, our guess. **Cost:** one call of
/// the heuristic, an exponential and a random number per legal action. **Stores** nothing.
///
/// **Source:** Sutton and Barto, *Reinforcement Learning*, 1st edition, section 2.3, the equation of softmax
/// action selection with the Gibbs distribution. An infinite value gives finite ones the probability 0;
/// several infinite values are equally likely.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::simulation::Softmax;
/// use ramure_games::Connect4;
/// let centre = Softmax::new(0.5, |_: &Connect4, column| if column.number() == 3 { 1.0 } else { 0.0 });
/// let mut search = Mcts::new(Connect4::new()).rollout_policy(centre);
/// search.run(Budget::iterations(100))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Softmax<H> {
    pub(super) tau: f64,
    heuristic: H,
}

impl<H> Softmax<H> {
    /// Creates the policy with the temperature `tau`, above 0. `heuristic` gives the value of an action in a
    /// state.
    ///
    /// A closure names the game once, `|state: &MyGame, action| ..`; the compiler infers the rest.
    pub fn new<G: GameState>(tau: f64, heuristic: H) -> Self
    where
        H: Fn(&G, G::Action) -> f32,
    {
        Softmax { tau, heuristic }
    }
}

impl<G: GameState, H: Fn(&G, G::Action) -> f32> RolloutPolicy<G> for Softmax<H> {
    type Trace = ();

    fn choose(&self, leaf: &Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Option<G::Action>, GameFault> {
        let state = leaf.state();
        let exponent = |action| f64::from((self.heuristic)(state, action)) / self.tau;
        by_exponent(state.actions(), exponent, rng)
    }

    fn learns(&self) -> bool {
        false
    }

    fn check(&self) -> Result<(), ParameterError> {
        check_tau("Softmax::tau", self.tau)
    }
}
