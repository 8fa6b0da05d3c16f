//! Rollouts that learn to play like the winner.

use super::gibbs::{by_exponent, by_weight};
use super::means::{place, row};
use super::{Alternatives, Leaf, RolloutPolicy, Trace, mover};
use crate::game::{ActionIndex, GameFault, Player, Rewards, Rng};
use crate::math::exp;
use crate::parameter::ParameterError;

/// Playout policy adaptation: every action of every player has a weight *w*, and a rollout plays each action
/// with a probability proportional to `exp(w)`.
///
/// After each iteration the weights are adapted towards the winner's actions: the weight of an action that
/// the winner played goes up by *alpha*, and the weight of each action that was legal then goes down by
/// *alpha* times its probability.
///
/// **Use it** where good actions are good in most states, as for [`Mast`](super::Mast). This policy compares
/// an action with its alternatives at the time, not with a mean over all games. Avoid it with few iterations,
/// or with an `alpha` that makes rollouts nearly always the same. It needs numbered actions, [`ActionIndex`].
/// The search keeps what it learned for its lifetime.
///
/// **Parameters:** the step *alpha* in [0, 1000]; 0 gives uniform rollouts. The default, 1, is that of the
/// algorithm in Cazenave's lectures; the program there has 0.32.
///
/// **Cost:** up to two lookups in a row per legal action; at the end of an iteration, two passes over the
/// legal actions of the winner's states, and an exponential for each weight adapted. The trace,
/// [`Alternatives`], takes one pass over the legal actions of each state and 4 bytes for each. **Stores** 24
/// bytes per action and player; nothing per child.
///
/// **Source:** Cazenave, *Playout Policy Adaptation for Games*, ACG 2015, the algorithm Adapt; all its
/// probabilities are those before the adaptation. The actions are those from the root on, including the tree.
/// A player wins with a reward above 1/2, for any number of players; a draw teaches nothing. The weights
/// start at 0 with a new search, but persist from one action played to the next, as in Cazenave's later PPA
/// with memorisation.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::simulation::Ppa;
/// let mut search = Mcts::new(ramure_games::Hex::new(5)?).rollout_policy(Ppa::default());
/// search.run(Budget::iterations(200))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ppa {
    pub(super) alpha: f64,
    pub(super) weights: Vec<f64>,
    /// The exponentials of the weights.
    pub(super) exponentials: Vec<f64>,
    /// The changes of the weights. Zero except while learning.
    pub(super) changes: Vec<f64>,
}

impl Ppa {
    /// Creates the policy with steps of `alpha`, in [0, 1000].
    pub fn new(alpha: f64) -> Self {
        Ppa { alpha, weights: Vec::new(), exponentials: Vec::new(), changes: Vec::new() }
    }

    /// Returns the weight of `action` played by `player`, 0 before it was adapted.
    pub fn weight<G: ActionIndex>(&self, player: Player, action: G::Action) -> f64 {
        row::<G, _>(&self.weights, player).get(G::action_index(action)).copied().unwrap_or(0.0)
    }

    /// Records the changes of the weights of the row that begins at `start`, for one action of the winner.
    fn adapt(&mut self, start: usize, chosen: usize, legal: &[u32]) {
        let exponential = |&index: &u32| self.exponentials[start + index as usize];
        let sum: f64 = legal.iter().map(exponential).sum();
        if sum.is_normal() {
            let share = self.alpha / sum;
            for index in legal {
                self.changes[start + *index as usize] -= share * exponential(index);
            }
        } else {
            // The sum is too large or too small, so compute relative to the greatest weight.
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

    fn choose(&self, leaf: &Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Option<G::Action>, GameFault> {
        let state = leaf.state();
        let Some(player) = mover(state, leaf.turn())? else { return Ok(None) };
        let exponentials = row::<G, _>(&self.exponentials, player);
        let exponential =
            |action: &G::Action| exponentials.get(G::action_index(action.clone())).copied().unwrap_or(1.0);
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
