//! Rollouts that prefer sequences of actions that did well before.

use super::epsilon_greedy_rollouts::greatest;
use super::grams::{Contexts, context};
use super::means::{Means, UNPLAYED};
use super::{Leaf, Numbered, RolloutPolicy, Trace, mover};
use crate::game::{ActionIndex, GameFault, Player, Rewards, Rng};
use crate::parameter::ParameterError;
use smallvec::SmallVec;

/// N-gram selection technique: [`Mast`](super::Mast) for sequences of actions.
///
/// The value of an action is the unweighted average of the means of its 1-gram and of the 2-gram and the
/// 3-gram that it would end. The longer n-grams count only if they were played often enough.
///
/// **Use it** where an action is good or bad as a reply to the last one or two. Avoid it where sequences
/// rarely occur again. It needs numbered actions, [`ActionIndex`]. The search keeps what it learned for its
/// lifetime.
///
/// **Parameters:** the *longest* n-gram, 2 or 3. `k`, at least 1, 7 by default: n-grams longer than one
/// action count once they were played `k` times. *epsilon* in [0, 1], 0.4 by default, as for MAST: a random
/// action with this probability, otherwise the action with the greatest value.
///
/// **Cost:** per action played, a lookup for each n-gram that the action could end, and a pass over the known
/// continuations; per legal action, a lookup in two rows. **Stores** nothing per child; 20 bytes per action
/// and player; 16 bytes for each n-gram that was ever played, and about 80 for the first one after each
/// beginning. Long games with many actions produce many 3-grams: an iteration of Hex 19x19 up to 360 new
/// ones, 30 KB. In such games 2-grams, of which there are fewer, are the better choice.
///
/// **Source:** Tak, Winands and Björnsson, *N-Grams and the Last-Good-Reply Policy Applied in General Game
/// Playing*, 2012. An n-gram spans the actions of all players in the order played, without outcomes of
/// chance; its mean is over the rewards of the player who ends it. Actions never played count as a mean of 1.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::simulation::Nst;
/// let mut search = Mcts::new(ramure_games::Connect4::new()).rollout_policy(Nst::default());
/// search.run(Budget::iterations(200))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Nst {
    pub(super) longest: usize,
    pub(super) k: u32,
    pub(super) epsilon: f64,
    pub(super) single: Means,
    /// The continuations of each beginning, in the order of the action's index.
    pub(super) longer: Contexts<Vec<Gram>>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Gram {
    pub index: u32,
    pub count: u32,
    pub mean: f64,
}

impl Nst {
    /// Creates the policy with n-grams of at most `longest` actions, 2 or 3, and random actions with
    /// probability `epsilon`, in [0, 1].
    pub fn new(longest: usize, epsilon: f64) -> Self {
        let single = Means::default();
        Nst { longest, k: 7, epsilon, single, longer: Contexts::default() }
    }

    /// Sets how often an n-gram of more than one action must have been played to count, at least 1.
    /// \[Default: 7\]
    #[must_use]
    pub fn k(self, k: u32) -> Self {
        Nst { k, ..self }
    }

    /// Returns what the policy learned about the last of `actions` after the others: the number of times it
    /// was played, and the mean reward, which is 1 before the first time.
    ///
    /// `actions` has 1 to 3 entries, each with its player. An n-gram played twice in an iteration counts
    /// twice. Returns `(0, 1.0)` if `actions` is empty or longer than the n-grams to be learned.
    pub fn learned<G: ActionIndex>(&self, actions: &[(Player, G::Action)]) -> (u64, f32) {
        let Some(((player, action), before)) = actions.split_last() else { return (0, UNPLAYED) };
        if before.is_empty() {
            return self.single.learned::<G>(*player, action.clone());
        }
        let index = G::action_index(action.clone()) as u32;
        let row = context::<G>(before, before.len(), *player).and_then(|context| self.longer.get(&context));
        let gram = row.and_then(|row| row.iter().find(|gram| gram.index == index));
        gram.map_or((0, UNPLAYED), |gram| (u64::from(gram.count), gram.mean as f32))
    }
}

impl Default for Nst {
    fn default() -> Self {
        Nst::new(3, 0.4)
    }
}

impl<G: ActionIndex> RolloutPolicy<G> for Nst {
    type Trace = Numbered<G::Action>;

    fn choose(&self, leaf: &Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Option<G::Action>, GameFault> {
        let state = leaf.state();
        let Some(player) = mover(state, leaf.turn())? else { return Ok(None) };
        if rng.unit() < self.epsilon {
            return Ok(state.random_action(rng));
        }
        let known = |length| self.longer.get(&context::<G>(leaf.played(), length, player)?);
        let rows = || (1..self.longest).filter_map(known);
        let counting = || rows().flatten().filter(|gram| gram.count >= self.k);
        // For each action, the sum and the number of the means that count besides that of the 1-gram.
        let mut sums: SmallVec<[(f64, f64); 128]> = SmallVec::new();
        for gram in counting() {
            if sums.is_empty() {
                sums.resize(G::ACTION_COUNT, (0.0, 0.0));
            }
            let (sum, count) = &mut sums[gram.index as usize];
            (*sum, *count) = (*sum + gram.mean, *count + 1.0);
        }
        let single = self.single.mean_of::<G>(player);
        let value = |action: G::Action| match sums.get(G::action_index(action.clone())) {
            Some(&(sum, count)) if count > 0.0 => ((f64::from(single(action)) + sum) / (1.0 + count)) as f32,
            _ => single(action),
        };
        greatest(state.actions(), value, rng)
    }

    fn learn(&mut self, trace: &Numbered<G::Action>, rewards: &Rewards) {
        let played = Trace::<G>::actions(trace);
        for (place, (player, action)) in played.iter().enumerate() {
            let player = *player;
            self.single.add::<G>(player, action.clone(), rewards);
            let index = G::action_index(action.clone()) as u32;
            for length in 1..self.longest {
                let Some(context) = context::<G>(&played[..place], length, player) else { break };
                let row = self.longer.entry(context).or_insert_with(|| Vec::with_capacity(1));
                let at = row.binary_search_by_key(&index, |gram| gram.index).unwrap_or_else(|at| {
                    row.insert(at, Gram { index, count: 0, mean: 0.0 });
                    at
                });
                let gram = &mut row[at];
                gram.count = gram.count.saturating_add(1);
                gram.mean += (f64::from(rewards[player]) - gram.mean) / f64::from(gram.count);
            }
        }
    }

    fn check(&self) -> Result<(), ParameterError> {
        let longest = self.longest as f64;
        ParameterError::unless((2..=3).contains(&self.longest), "Nst::longest", longest, "2 or 3")?;
        ParameterError::unless(self.k > 0, "Nst::k", f64::from(self.k), "at least 1")?;
        ParameterError::unless((0.0..=1.0).contains(&self.epsilon), "Nst::epsilon", self.epsilon, "in [0, 1]")
    }
}
