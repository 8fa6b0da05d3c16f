//! Rollouts that answer as it last went well.

use super::grams::{Contexts, context};
use super::{Leaf, Numbered, Priors, RolloutPolicy, Trace, Uniform, mover};
use crate::game::{ActionIndex, GameFault, Rewards, Rng};
use crate::parameter::ParameterError;

/// Last good reply: to the action or the two actions played last, a player replies as in the last iteration in which he
/// replied to them and won, if that is legal; else `R` chooses. With forgetting, a reply with which he lost is no good any more.
///
/// **Use it** where a threat has one answer, wherever it is made (Go, Hex, Havannah); not where the right
/// reply turns on the rest of the board. It needs numbered actions,
/// [`ActionIndex`]. What it learned is kept while the search lives.
///
/// **Parameters:** how many *actions* are replied to, 1 or 2. With 2 a reply to the last two is looked for first, then one to
/// the last. Default: 2, with forgetting (LGRF-2), the best of the paper.
///
/// **Cost:** one or two looks into a table and one [`is_legal`](crate::GameState::is_legal) per action played. **Stores** nothing per child; for
/// each one or two actions replied to, and each player, about 30 bytes, so long games with many actions bring many with 2: up
/// to one for each action of an iteration.
///
/// **Source:** Drake, *The Last-Good-Reply Policy for Monte-Carlo Go*, 2009 (one action, without forgetting); Baier and Drake,
/// *The Power of Forgetting*, 2010 (LGR-2, LGRF-1, LGRF-2). A player has won if his reward is above 1/2, and lost if it is
/// below, however many players there are; a draw teaches nothing. The actions before are those of anybody, also his own where
/// he acts twice running; outcomes of chance are left out. The first actions after the root have none before them, or one.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::simulation::LastGoodReply;
/// let hex = ramure::games::Hex::new(5).unwrap();
/// let mut search = Mcts::new(hex).rollout_policy(LastGoodReply::forgetting(2));
/// search.run(Budget::iterations(200))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LastGoodReply<A, R = Uniform> {
    actions: usize,
    forgets: bool,
    replies: Contexts<A>,
    otherwise: R,
}

impl<A> LastGoodReply<A> {
    /// Replies to at most so many actions, 1 or 2, which are never forgotten, only replaced: LGR-1 or LGR-2.
    pub fn new(actions: usize) -> Self {
        LastGoodReply { actions, forgets: false, replies: Contexts::default(), otherwise: Uniform }
    }

    /// Replies to at most so many actions, 1 or 2, forgotten when they fail: LGRF-1 or LGRF-2.
    pub fn forgetting(actions: usize) -> Self {
        LastGoodReply { forgets: true, ..LastGoodReply::new(actions) }
    }
}

impl<A, R> LastGoodReply<A, R> {
    /// Where there is no reply, `rollout_policy` chooses. \[Default: [`Uniform`]\]
    pub fn rollouts<Q>(self, rollout_policy: Q) -> LastGoodReply<A, Q> {
        let LastGoodReply { actions, forgets, replies, .. } = self;
        LastGoodReply { actions, forgets, replies, otherwise: rollout_policy }
    }

    /// The reply of `player` to exactly the actions `played`, one or two, each with its player.
    pub fn reply<G: ActionIndex<Action = A>>(&self, played: &[(u8, A)], player: u8) -> Option<A>
    where
        A: Copy,
    {
        self.replies.get(&context::<G>(played, played.len(), player)?).copied()
    }
}

impl<A> Default for LastGoodReply<A> {
    fn default() -> Self {
        LastGoodReply::forgetting(2)
    }
}

impl<G: ActionIndex, R: RolloutPolicy<G>> RolloutPolicy<G> for LastGoodReply<G::Action, R> {
    type Trace = (Numbered<G::Action>, R::Trace);

    fn choose(
        &mut self,
        leaf: &Leaf<G, impl Trace<G>>,
        rng: &mut Rng,
    ) -> Result<Option<G::Action>, GameFault> {
        let Some(player) = mover(leaf.state())? else { return Ok(None) };
        let known = |length| self.replies.get(&context::<G>(leaf.played(), length, player)?).copied();
        let legal = |reply: &G::Action| leaf.state().is_legal(*reply);
        match (1..=self.actions).rev().filter_map(known).find(legal) {
            Some(reply) => Ok(Some(reply)),
            None => self.otherwise.choose(leaf, rng),
        }
    }

    fn learn(&mut self, trace: &Self::Trace, rewards: &Rewards) {
        let played = Trace::<G>::actions(&trace.0);
        for (place, &(player, action)) in played.iter().enumerate() {
            for length in 1..=self.actions {
                let Some(context) = context::<G>(&played[..place], length, player) else { break };
                if rewards[player] > 0.5 {
                    self.replies.insert(context, action);
                } else if self.forgets && rewards[player] < 0.5 && self.replies.get(&context) == Some(&action)
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
    fn priors(
        &mut self,
        state: &G,
        actions: &[G::Action],
        priors: &mut [f32],
    ) -> Result<Option<Rewards>, GameFault> {
        self.otherwise.priors(state, actions, priors)
    }
}
