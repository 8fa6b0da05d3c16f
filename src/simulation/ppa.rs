//! Rollouts that learn to play like the winner.

use super::gibbs::{by_exponent, by_weight};
use super::means::{place, row};
use super::{Alternatives, Leaf, RolloutPolicy, Trace, mover};
use crate::game::{ActionIndex, GameFault, Player, Rewards, Rng};
use crate::math::exp;
use crate::parameter::ParameterError;

/// Playout policy adaptation: every action of every player has a weight *w*, and a rollout plays each action with a probability
/// in proportion to `exp(w)`. After each iteration the weights are adapted towards what the winner played: up by *alpha*,
/// and down by *alpha* times its probability for each action that was legal then.
///
/// **Use it** where good actions are good in most states, as [`Mast`](super::Mast): this one compares an action with the
/// others there were, not with a mean over all games. Not with few iterations, or an `alpha` that makes rollouts nearly
/// always the same. It needs numbered actions, [`ActionIndex`]. What it learned is kept
/// while the search lives.
///
/// **Parameters:** the step *alpha* in [0, 1000], with 0 uniform; default 1, that of the algorithm in Cazenave's lectures; the
/// program there has 0.32.
///
/// **Cost:** up to two looks into a row per legal action; when an iteration ends, two passes over the legal actions
/// of the winner's states and an exponential for each that was adapted. The trace, [`Alternatives`], takes one pass over the
/// legal actions of each state and 4 bytes for each. **Stores** 24 bytes per action and player; nothing per child.
///
/// **Source:** Cazenave, *Playout Policy Adaptation for Games*, ACG 2015, the algorithm Adapt; all probabilities in it are those
/// before. The actions are those from the root on, in the tree too. A player has won if his reward is above 1/2, however many
/// players there are; a draw teaches nothing. The policy starts anew with a new search, not with each action played, as in
/// Cazenave's later PPA with memorisation.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::simulation::Ppa;
/// let mut search = Mcts::new(ramure::games::Hex::new(5).unwrap()).rollout_policy(Ppa::default());
/// search.run(Budget::iterations(200))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ppa {
    alpha: f64,
    weights: Vec<f64>,
    /// The exponentials of the weights.
    exponentials: Vec<f64>,
    /// By how much the weights change: zero but while learning.
    changes: Vec<f64>,
}

impl Ppa {
    /// Steps of `alpha`, in [0, 1000].
    pub fn new(alpha: f64) -> Self {
        Ppa { alpha, weights: Vec::new(), exponentials: Vec::new(), changes: Vec::new() }
    }

    /// The weight of `action` played by `player`, 0 before it was adapted.
    pub fn weight<G: ActionIndex>(&self, player: Player, action: G::Action) -> f64 {
        row::<G, _>(&self.weights, player).get(G::action_index(action)).copied().unwrap_or(0.0)
    }

    /// Notes by how much the weights of `row`, which begins at `start`, change for one action of the winner.
    fn adapt(&mut self, start: usize, chosen: usize, legal: &[u32]) {
        let exponential = |&index: &u32| self.exponentials[start + index as usize];
        let sum: f64 = legal.iter().map(exponential).sum();
        if sum.is_normal() {
            let share = self.alpha / sum;
            for index in legal {
                self.changes[start + *index as usize] -= share * exponential(index);
            }
        } else {
            // Too large or too small: relative to the greatest.
            let weight = |&index: &u32| self.weights[start + index as usize];
            let greatest = legal.iter().map(weight).fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = legal.iter().map(|index| exp(weight(index) - greatest)).sum();
            for index in legal {
                self.changes[start + *index as usize] -= self.alpha * exp(weight(index) - greatest) / sum;
            }
        }
        self.changes[chosen] += self.alpha;
    }
}

impl Default for Ppa {
    fn default() -> Self {
        Ppa::new(1.0)
    }
}

impl<G: ActionIndex> RolloutPolicy<G> for Ppa {
    type Trace = Alternatives<G::Action>;

    fn choose(
        &mut self,
        leaf: &Leaf<G, impl Trace<G>>,
        rng: &mut Rng,
    ) -> Result<Option<G::Action>, GameFault> {
        let state = leaf.state();
        let Some(player) = mover(state)? else { return Ok(None) };
        let exponentials = row::<G, _>(&self.exponentials, player);
        let exponential =
            |&action: &G::Action| exponentials.get(G::action_index(action)).copied().unwrap_or(1.0);
        let (drawn, sum) = by_weight(|| state.actions(), exponential, rng);
        if sum.is_normal() {
            return Ok(drawn);
        }
        by_exponent(state.actions(), |action| self.weight::<G>(player, action), rng)
    }

    fn learn(&mut self, trace: &Self::Trace, rewards: &Rewards) {
        let size = usize::from(rewards.players()) * G::ACTION_COUNT;
        if self.weights.len() < size {
            self.weights.resize(size, 0.0);
            self.exponentials.resize(size, 1.0);
            self.changes.resize(size, 0.0);
        }
        let won =
            || trace.steps().filter(|&(player, ..)| player < rewards.players() && rewards[player] > 0.5);
        let start = |player| usize::from(player) * G::ACTION_COUNT;
        for (player, action, legal) in won() {
            self.adapt(start(player), place::<G>(player, action), legal);
        }
        for (player, _, legal) in won() {
            for index in legal {
                let place = start(player) + *index as usize;
                let change = core::mem::take(&mut self.changes[place]);
                if change != 0.0 {
                    self.weights[place] += change;
                    self.exponentials[place] = exp(self.weights[place]);
                }
            }
        }
    }

    fn check(&self) -> Result<(), ParameterError> {
        let fits = (0.0..=1000.0).contains(&self.alpha);
        ParameterError::unless(fits, "Ppa::alpha", self.alpha, "in [0, 1000]")
    }
}
