//! Rollouts that repeat the last reply that won.

use super::grams::{Contexts, context};
use super::{Leaf, Numbered, Priors, RolloutPolicy, Trace, Uniform, mover};
use crate::game::{ActionIndex, GameFault, Rewards, Rng};
use crate::parameter::ParameterError;

/// Last good reply: a player repeats the last winning reply to the previous action, or to the previous two
/// actions, if it is legal. Otherwise `R` chooses. With forgetting, a reply is removed when it loses.
///
/// **Use it** where a threat has one answer, wherever it is made (Go, Hex, Havannah). Avoid it where the
/// right reply depends on the rest of the board. It needs numbered actions, [`ActionIndex`]. The search keeps
/// what it learned for its lifetime.
///
/// **Parameters:** the number of *actions* that a reply follows, 1 or 2. With 2, the policy first looks for a
/// reply to the last two actions, then for one to the last. The default is 2, with forgetting (LGRF-2), the
/// best variant in the paper.
///
/// **Cost:** one or two table lookups and one [`is_legal`](crate::GameState::is_legal) per action played.
/// **Stores** nothing per child. Each reply takes about 30 bytes: one for each player and each one or two
/// actions replied to. With 2, long games with many actions add many replies: up to one for each action of an
/// iteration.
///
/// **Source:** Drake, *The Last-Good-Reply Policy for Monte-Carlo Go*, 2009 (one action, without forgetting);
/// Baier and Drake, *The Power of Forgetting*, 2010 (LGR-2, LGRF-1, LGRF-2). A player wins with a reward
/// above 1/2 and loses with one below 1/2, for any number of players; a draw teaches nothing. The previous
/// actions are those of any player, including the player's own if that player acts twice in a row; outcomes
/// of chance are left out. The first action after the root has no previous action, and the second has one.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::simulation::LastGoodReply;
/// let hex = ramure_games::Hex::new(5)?;
/// let mut search = Mcts::new(hex).rollout_policy(LastGoodReply::forgetting(2));
/// search.run(Budget::iterations(200))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LastGoodReply<A, R = Uniform> {
    pub(super) actions: usize,
    pub(super) forgets: bool,
    pub(super) replies: Contexts<A>,
    pub(super) otherwise: R,
}

impl<A> LastGoodReply<A> {
    /// Creates LGR-1 or LGR-2: replies to at most `actions` actions, 1 or 2. Replies are never forgotten,
    /// only replaced.
    pub fn new(actions: usize) -> Self {
        LastGoodReply { actions, forgets: false, replies: Contexts::default(), otherwise: Uniform }
    }

    /// Creates LGRF-1 or LGRF-2: replies to at most `actions` actions, 1 or 2. Replies are forgotten when
    /// they fail.
    pub fn forgetting(actions: usize) -> Self {
        LastGoodReply { forgets: true, ..LastGoodReply::new(actions) }
    }
}

impl<A, R> LastGoodReply<A, R> {
    /// Uses `rollout_policy` where there is no reply. \[Default: [`Uniform`]\]
    pub fn rollouts<Q>(self, rollout_policy: Q) -> LastGoodReply<A, Q> {
        let LastGoodReply { actions, forgets, replies, .. } = self;
        LastGoodReply { actions, forgets, replies, otherwise: rollout_policy }
    }

    /// Returns the reply of `player` to exactly the actions `played`, one or two, each with its player.
    pub fn reply<G: ActionIndex<Action = A>>(&self, played: &[(u8, A)], player: u8) -> Option<A>
    where
        A: Clone,
    {
        self.replies.get(&context::<G>(played, played.len(), player)?).cloned()
    }
}

impl<A> Default for LastGoodReply<A> {
    fn default() -> Self {
        LastGoodReply::forgetting(2)
    }
}

impl<G: ActionIndex, R: RolloutPolicy<G>> RolloutPolicy<G> for LastGoodReply<G::Action, R> {
    type Trace = (Numbered<G::Action>, R::Trace);

    fn choose(&self, leaf: &Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Option<G::Action>, GameFault> {
        let Some(player) = mover(leaf.state(), leaf.turn())? else { return Ok(None) };
        let known = |length| self.replies.get(&context::<G>(leaf.played(), length, player)?);
        let legal = |reply: &&G::Action| leaf.state().is_legal((*reply).clone());
        match (1..=self.actions).rev().filter_map(known).find(legal) {
            Some(reply) => Ok(Some(reply.clone())),
            None => self.otherwise.choose(leaf, rng),
        }
    }

    fn learn(&mut self, trace: &Self::Trace, rewards: &Rewards) {
        let played = Trace::<G>::actions(&trace.0);
        for (place, (player, action)) in played.iter().enumerate() {
            for length in 1..=self.actions {
                let Some(context) = context::<G>(&played[..place], length, *player) else { break };
                if rewards[*player] > 0.5 {
                    self.replies.insert(context, action.clone());
                } else if self.forgets && rewards[*player] < 0.5 && self.replies.get(&context) == Some(action)
                {
                    self.replies.remove(&context);
                }
            }
        }
        self.otherwise.learn(&trace.1, rewards);
    }

    fn check(&self) -> Result<(), ParameterError> {
        let fits = (1..=2).contains(&self.actions);
        ParameterError::unless(fits, "LastGoodReply::actions", self.actions as f64, "1 or 2")?;
        self.otherwise.check()
    }
}

impl<G: ActionIndex, R: Priors<G>> Priors<G> for LastGoodReply<G::Action, R> {
    priors_of_inner!(otherwise);
}
