//! Rollouts apart from a search.

use crate::game::{Cause, GameFault, GameState, Rewards, Rng, take_failure, unless_failed};
use crate::run::error::SearchError;
use crate::simulation::{Leaf, LeafError, Retraced, RolloutPolicy};
use core::fmt;

/// Plays rollouts from a state, without a search.
///
/// **Who needs it:** agents of your own that use rollout policies. **Cost:** one copy of the state for each
/// rollout, and the rollout.
///
/// ```
/// use ramure_games::Connect4;
/// use ramure::prelude::*;
/// use ramure::search::Rollouts;
///
/// let game = Connect4::new();
/// let (mut policy, mut rng) = (Uniform, Rng::seeded(7));
/// let mut rollouts = Rollouts::new(&game);
/// for action in game.actions() {
///     let mut sum = 0.0;
///     for _ in 0..20 {
///         sum += rollouts.after(&action, &mut policy, &mut rng)?[0];
///     }
///     println!("{action}: {}", sum / 20.0);
/// }
/// # Ok::<(), SearchError>(())
/// ```
pub struct Rollouts<'a, G: GameState, R: RolloutPolicy<G>> {
    state: &'a G,
    leaf: Leaf<G, R::Trace>,
}

impl<'a, G: GameState, R: RolloutPolicy<G>> Rollouts<'a, G, R> {
    /// Prepares rollouts from `state`.
    #[must_use]
    pub fn new(state: &'a G) -> Self {
        Rollouts { state, leaf: Leaf::new(state, false) }
    }

    /// Plays `action` in the state, which must be legal, and then a rollout with `policy`, which learns from
    /// it. Returns the rewards of all players.
    ///
    /// # Errors
    ///
    /// Returns a [`SearchError`] with the actions from the state on if the game or the policy fails or breaks
    /// its contract. To find these actions, plays the rollout a second time.
    pub fn after(
        &mut self,
        action: &G::Action,
        policy: &mut R,
        rng: &mut Rng,
    ) -> Result<Rewards, SearchError> {
        let before = rng.clone();
        self.play(action, policy, rng).map_err(|fault| self.traced(action, policy, before, fault))
    }

    fn play(&mut self, action: &G::Action, policy: &mut R, rng: &mut Rng) -> Result<Rewards, GameFault> {
        let leaf = &mut self.leaf;
        leaf.restart(self.state);
        leaf.apply(action.clone())?;
        let rewards = policy.simulate(leaf, rng)?.checked(self.state.players())?;
        unless_failed()?;
        policy.learn(leaf.trace(), &rewards);
        Ok(rewards)
    }

    /// Returns the error for a `fault` of the rollout that was played last, which began with the generator
    /// `rng`: plays it a second time to see its actions.
    #[cold]
    #[inline(never)]
    fn traced(&self, action: &G::Action, policy: &R, mut rng: Rng, fault: GameFault) -> SearchError {
        let leaf = &self.leaf;
        let cause = Cause::of(fault);
        let mut actions = vec![format!("{action:?}")];
        let mut again: Leaf<G, Retraced<R::Trace>> = leaf.again(self.state, |_, _| {});
        if leaf.ply() > 1 && again.apply(action.clone()).is_ok() {
            let _ = policy.simulate(&mut again, &mut rng);
            if again.ply() == leaf.ply() {
                actions.clone_from(&again.trace().actions);
            }
        }
        actions.truncate(leaf.ply() as usize);
        take_failure(); // the game may have failed a second time just now
        LeafError::new(leaf, cause, actions, 0).into()
    }
}

impl<G: GameState, R: RolloutPolicy<G>> fmt::Debug for Rollouts<'_, G, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rollouts").field("ply", &self.leaf.ply()).finish_non_exhaustive()
    }
}
