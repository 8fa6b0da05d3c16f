//! Rollouts that prefer actions that did well before.

use super::epsilon_greedy_rollouts::greatest;
use super::gibbs::{by_exponent, by_weight};
use super::means::{Means, UNPLAYED, row};
use super::{Leaf, Numbered, RolloutPolicy, Trace, mover};
use crate::game::{ActionIndex, GameFault, Player, Rewards, Rng};
use crate::math::exp;
use crate::parameter::ParameterError;

/// Move-average sampling technique: rollouts prefer the actions with the greatest means.
///
/// The mean of an action is the mean reward over all the times that the same player played it, in the tree or
/// in a rollout. An action played twice in an iteration counts twice.
///
/// **Use it** where an action has a similar value in most states (Hex, Go-like games). Avoid it where the
/// value of an action depends on the state, like a column of Connect 4. It needs numbered actions,
/// [`ActionIndex`]. The search keeps what it learned for its lifetime.
///
/// **Parameters:** either *epsilon* in [0, 1], with [`new`](Self::new): a random action with probability
/// *epsilon*, otherwise the action with the greatest mean, ties broken at random. Or a temperature *tau*
/// above 0, with [`gibbs`](Self::gibbs): each action `a` with a probability proportional to `exp(Q(a) /
/// tau)`. The default is *epsilon* 0.4. In texts of `ramure-lab`, *tau* is 0.1, which is 10 on the paper's
/// scale.
///
/// **Cost:** one lookup in a row of a table per legal action; with *tau* up to two, and an exponential per
/// action played at the end of an iteration. **Stores** 20 bytes per action and player, 8 more with *tau*;
/// nothing per child.
///
/// **Source:** Finnsson and Björnsson, *Simulation-Based Approach to General Game Playing*, AAAI 2008, with
/// Gibbs sampling. Rewards go from 0 to 100 there, so a *tau* of 1 there is 0.01 here. Epsilon-greedy after
/// Tak, Winands and Björnsson, *N-Grams and the Last-Good-Reply Policy*, 2012, whose *epsilon* of 0.4 is the
/// default. Actions never played count as a mean of 1.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::simulation::Mast;
/// let mut search = Mcts::new(ramure_games::Hex::new(5)?).rollout_policy(Mast::default());
/// search.run(Budget::iterations(200))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mast {
    pub(super) rule: Rule,
    pub(super) means: Means,
    /// The weights for Gibbs sampling: `exp((Q - 1) / tau)`.
    pub(super) weights: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Rule {
    Epsilon(f64),
    Gibbs(f64),
}

impl Mast {
    /// Creates the policy with `epsilon`, in [0, 1]: random actions with this probability, otherwise the
    /// action with the greatest mean.
    pub fn new(epsilon: f64) -> Self {
        Mast { rule: Rule::Epsilon(epsilon), means: Means::default(), weights: Vec::new() }
    }

    /// Creates the policy with Gibbs sampling at the temperature `tau`, above 0. The smaller `tau` is, the
    /// more the means count.
    pub fn gibbs(tau: f64) -> Self {
        Mast { rule: Rule::Gibbs(tau), ..Mast::default() }
    }

    /// Returns what the policy learned about `action` played by `player`: the number of times it was played,
    /// and the mean reward, which is 1 before the first time. An action played twice in an iteration counts
    /// twice.
    pub fn learned<G: ActionIndex>(&self, player: Player, action: G::Action) -> (u64, f32) {
        self.means.learned::<G>(player, action)
    }
}

impl Default for Mast {
    fn default() -> Self {
        Mast::new(0.4)
    }
}

impl<G: ActionIndex> RolloutPolicy<G> for Mast {
    type Trace = Numbered<G::Action>;

    fn choose(&self, leaf: &Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Option<G::Action>, GameFault> {
        let state = leaf.state();
        let Some(player) = mover(state, leaf.turn())? else { return Ok(None) };
        let mean = self.means.mean_of::<G>(player);
        match self.rule {
            Rule::Epsilon(epsilon) if rng.unit() < epsilon => Ok(state.random_action(rng)),
            Rule::Epsilon(_) => greatest(state.actions(), mean, rng),
            Rule::Gibbs(tau) => {
                let weights = row::<G, _>(&self.weights, player);
                let weight =
                    |action: &G::Action| weights.get(G::action_index(action.clone())).copied().unwrap_or(1.0);
                let (drawn, sum) = by_weight(|| state.actions(), weight, rng);
                if sum.is_normal() {
                    return Ok(drawn);
                }
                let exponent = |action| f64::from(mean(action)) / tau;
                by_exponent(state.actions(), exponent, rng)
            }
        }
    }

    fn learn(&mut self, trace: &Numbered<G::Action>, rewards: &Rewards) {
        for (player, action) in Trace::<G>::actions(trace) {
            let (place, mean) = self.means.add::<G>(*player, action.clone(), rewards);
            if let Rule::Gibbs(tau) = self.rule {
                self.weights.resize(self.means.len(), 1.0);
                self.weights[place] = gibbs_weight(mean, tau);
            }
        }
    }

    fn check(&self) -> Result<(), ParameterError> {
        match self.rule {
            Rule::Epsilon(epsilon) => {
                let fits = (0.0..=1.0).contains(&epsilon);
                ParameterError::unless(fits, "Mast::epsilon", epsilon, "in [0, 1]")
            }
            Rule::Gibbs(tau) => check_tau("Mast::tau", tau),
        }
    }
}

/// Checks that a temperature is above 0 and finite.
/// Returns the weight of an action with this mean, relative to one that was not played.
#[inline(always)]
pub(super) fn gibbs_weight(mean: f32, tau: f64) -> f64 {
    exp(f64::from(mean - UNPLAYED) / tau)
}

pub(super) fn check_tau(name: &'static str, tau: f64) -> Result<(), ParameterError> {
    ParameterError::unless(tau > 0.0 && tau.is_finite(), name, tau, "above 0 and finite")
}
