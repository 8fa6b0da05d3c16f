//! Several rollouts per leaf.

use super::{Leaf, Priors, RolloutPolicy, Trace};
use crate::game::{GameFault, GameState, MAX_PLAYERS, Rewards, Rng};
use crate::parameter::ParameterError;

/// Plays several rollouts by `R` from every leaf; the value of the leaf is the mean of their rewards.
///
/// **Use it** where the descent through the tree is expensive compared with a rollout: with many actions, or
/// an expensive tree policy; and where the game plays several random games [at
/// once](GameState::random_rollouts), as `Connect4` does. There, eight games per leaf by
/// [`Uniform`](super::Uniform) with c = 0.25 scored 0.58 against one per leaf with c = 0.5 at equal time.
/// Explore less than with one rollout per leaf: c = 0.25 to 0.35 scored best with eight, and 0.5 to 0.7 with
/// one. For an equal number of rollouts, one per leaf is better.
///
/// **Parameters:** the number of *rollouts*, at least 1. **Cost:** this number of rollouts, and a clone of
/// the state and of the trace for each but the last; less if the policy inside offers [several at
/// once](RolloutPolicy::simulate_several). **Stores** nothing.
///
/// **Source:** Cazenave and Jouandeau, *On the Parallelization of UCT*, 2007, at-the-leaves parallelisation,
/// which plays them in parallel. The last rollout is played on the leaf itself: policies that learn from the
/// actions of an iteration, such as AMAF or MAST, see those of the last rollout, with the mean of all
/// rewards. With such policies, the rollouts are played one by one.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::simulation::MultipleRollouts;
/// let mut search = Mcts::new(ramure_games::TicTacToe::new()).rollout_policy(MultipleRollouts::new(4, Uniform));
/// search.run(Budget::iterations(100))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MultipleRollouts<R> {
    pub(super) rollouts: u32,
    pub(super) rollout_policy: R,
}

impl<R> MultipleRollouts<R> {
    /// Plays `rollouts` rollouts, at least 1, by `rollout_policy`.
    pub fn new(rollouts: u32, rollout_policy: R) -> Self {
        MultipleRollouts { rollouts, rollout_policy }
    }
}

impl<G: GameState, R: RolloutPolicy<G>> RolloutPolicy<G> for MultipleRollouts<R> {
    type Trace = R::Trace;

    #[inline(always)]
    fn choose(&self, leaf: &Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Option<G::Action>, GameFault> {
        self.rollout_policy.choose(leaf, rng)
    }

    #[inline(always)]
    fn simulate(&self, leaf: &mut Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Rewards, GameFault> {
        if !leaf.needs_actions()
            && let Some(rewards) = self.rollout_policy.simulate_several(leaf, self.rollouts, rng)?
        {
            return Ok(rewards);
        }
        self.one_by_one(leaf, rng)
    }

    #[inline(always)]
    fn learn(&mut self, trace: &R::Trace, rewards: &Rewards) {
        self.rollout_policy.learn(trace, rewards);
    }

    fn learns(&self) -> bool {
        self.rollout_policy.learns()
    }

    fn check(&self) -> Result<(), ParameterError> {
        let rollouts = f64::from(self.rollouts);
        ParameterError::unless(self.rollouts > 0, "MultipleRollouts::rollouts", rollouts, "at least 1")?;
        self.rollout_policy.check()
    }
}

impl<R> MultipleRollouts<R> {
    fn one_by_one<G: GameState>(
        &self,
        leaf: &mut Leaf<G, impl Trace<G>>,
        rng: &mut Rng,
    ) -> Result<Rewards, GameFault>
    where
        R: RolloutPolicy<G>,
    {
        let players = leaf.state().players();
        let mut sums = [0.0; MAX_PLAYERS];
        let mut add = |rewards: Rewards| {
            for (sum, &reward) in sums.iter_mut().zip(rewards.as_slice()) {
                *sum += f64::from(reward);
            }
        };
        for _ in 1..self.rollouts {
            add(leaf.on_copy(|leaf| self.rollout_policy.simulate(leaf, rng))?.checked(players)?);
        }
        add(self.rollout_policy.simulate(leaf, rng)?.checked(players)?);
        let rollouts = f64::from(self.rollouts.max(1));
        Ok(Rewards::new(players, |player| (sums[usize::from(player)] / rollouts) as f32))
    }
}

impl<G: GameState, R: Priors<G>> Priors<G> for MultipleRollouts<R> {
    priors_of_inner!(rollout_policy);
}
