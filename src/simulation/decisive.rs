//! A win is taken, and not given away.

use super::{Leaf, Priors, RolloutPolicy, Trace, Uniform, mover};
use crate::game::{GameFault, GameState, Player, Rewards, Rng, Turn};
use crate::parameter::ParameterError;

/// Rollouts in which who can win at once does; with [`anti`](Self::anti), nobody lets the next player do so if he can help
/// it. Otherwise `R` chooses.
///
/// **Use it** in games of sudden ends: Connect 4, Hex, Havannah. Where a game ends by counting, it costs and brings nothing.
///
/// *Decisive* is an action after which the game is over with a reward of 1 for the player who chose it; the first such action
/// is played. *Anti-decisive* are those after which the next player has no decisive one: if what `R` chooses is none of them,
/// one of them is played in its place, all equally likely, if there are any. If the next is the same player, or chance,
/// nothing is given away.
///
/// **Cost:** with *b* legal actions, *b* clones of the state per action played, and with [`anti`](Self::anti) about *b* more,
/// *b*² at worst. **Stores** nothing. To end such rollouts in another way, wrap this one: `Cutoff::new(8).rollouts(..)`.
///
/// **Source:** Teytaud and Teytaud, *On the Huge Benefit of Decisive Moves in Monte-Carlo Tree Search Algorithms*, 2010, there
/// for two players, and in the tree too, which is left to [`Solver`](crate::backpropagation::Solver) here.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::simulation::Decisive;
/// let rollouts = Decisive::new().anti();
/// let mut search = Mcts::new(ramure::games::Connect4::new()).rollout_policy(rollouts);
/// search.run(Budget::iterations(100))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decisive<R = Uniform> {
    anti: bool,
    otherwise: R,
}

impl Decisive {
    /// Decisive actions, otherwise random ones.
    pub fn new() -> Self {
        Decisive { anti: false, otherwise: Uniform }
    }
}

impl<R> Decisive<R> {
    /// Anti-decisive actions as well. \[Default: no\]
    pub fn anti(self) -> Self {
        Decisive { anti: true, ..self }
    }

    /// Where nothing is decided, `rollout_policy` chooses. \[Default: [`Uniform`]\]
    pub fn rollouts<Q>(self, rollout_policy: Q) -> Decisive<Q> {
        Decisive { anti: self.anti, otherwise: rollout_policy }
    }
}

impl Default for Decisive {
    fn default() -> Self {
        Decisive::new()
    }
}

impl<G: GameState, R: RolloutPolicy<G>> RolloutPolicy<G> for Decisive<R> {
    type Trace = R::Trace;

    fn choose(
        &mut self,
        leaf: &Leaf<G, impl Trace<G>>,
        rng: &mut Rng,
    ) -> Result<Option<G::Action>, GameFault> {
        let state = leaf.state();
        let Some(player) = mover(state)? else { return Ok(None) };
        let mut room = state.clone();
        let win = decisive(state, player, &mut room);
        if win.is_some() {
            return Ok(win);
        }
        let chosen = self.otherwise.choose(leaf, rng)?;
        let mut next = state.clone();
        let mut keeps = |action| {
            next.clone_from(state);
            next.apply(action);
            match mover(&next)? {
                Some(other) if other != player => Ok(decisive(&next, other, &mut room).is_none()),
                _ => Ok(true),
            }
        };
        match chosen {
            Some(action) if self.anti && !keeps(action)? => {
                let others = state.actions().into_iter().filter(|&other| other != action);
                let mut others: Vec<G::Action> = others.collect();
                rng.shuffle(&mut others);
                for other in others {
                    if keeps(other)? {
                        return Ok(Some(other));
                    }
                }
                Ok(chosen)
            }
            _ => Ok(chosen),
        }
    }

    #[inline(always)]
    fn learn(&mut self, trace: &R::Trace, rewards: &Rewards) {
        self.otherwise.learn(trace, rewards);
    }

    fn check(&self) -> Result<(), ParameterError> {
        self.otherwise.check()
    }
}

impl<G: GameState, R: Priors<G>> Priors<G> for Decisive<R> {
    fn priors(
        &mut self,
        state: &G,
        actions: &[G::Action],
        priors: &mut [f32],
    ) -> Result<Option<Rewards>, GameFault> {
        self.otherwise.priors(state, actions, priors)
    }
}

/// The first action with which `player`, who is to move, wins at once; `room` is overwritten.
fn decisive<G: GameState>(state: &G, player: Player, room: &mut G) -> Option<G::Action> {
    state.actions().into_iter().find(|&action| {
        room.clone_from(state);
        room.apply(action);
        room.turn() == Turn::Over && room.reward(player) >= 1.0
    })
}
