//! Plays immediate wins, and prevents those of the opponent.

use super::{Leaf, Priors, RolloutPolicy, Trace, Uniform, mover};
use crate::game::{GameFault, GameState, Player, Rewards, Rng, Turn, try_apply};
use crate::parameter::ParameterError;

/// Rollouts that play an immediate win. With [`anti`](Self::anti), they also avoid actions that let the next
/// player win at once. Otherwise `R` chooses.
///
/// **Use it** in games with sudden ends: Connect 4, Hex, Havannah. Where a game ends by counting, it costs
/// time and gains nothing.
///
/// An action is *decisive* if the game is over after it with a reward of 1 for the player who chose it. The
/// first decisive action is played. An action is *anti-decisive* if the next player has no decisive action
/// after it, or if the same player or chance moves next. If the choice of `R` is not anti-decisive, a
/// uniformly random anti-decisive action replaces it, if there is one.
///
/// **Cost:** with *b* legal actions, *b* clones of the state per action played. With [`anti`](Self::anti)
/// about *b* more, *b*² in the worst case. **Stores** nothing. To end such rollouts in another way, wrap this
/// policy: `Cutoff::new(8).rollouts(..)`.
///
/// **Source:** Teytaud and Teytaud, *On the Huge Benefit of Decisive Moves in Monte-Carlo Tree Search
/// Algorithms*, 2010, for two players. The paper also applies it in the tree; here use
/// [`Solver`](crate::backpropagation::Solver) for that.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::simulation::Decisive;
/// let rollouts = Decisive::new().anti();
/// let mut search = Mcts::new(ramure_games::Connect4::new()).rollout_policy(rollouts);
/// search.run(Budget::iterations(100))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decisive<R = Uniform> {
    pub(super) anti: bool,
    pub(super) otherwise: R,
}

impl Decisive {
    /// Plays decisive actions, otherwise random ones.
    pub fn new() -> Self {
        Decisive { anti: false, otherwise: Uniform }
    }
}

impl<R> Decisive<R> {
    /// Plays anti-decisive actions as well. \[Default: off\]
    #[must_use]
    pub fn anti(self) -> Self {
        Decisive { anti: true, ..self }
    }

    /// Uses `rollout_policy` where no action is decisive. \[Default: [`Uniform`]\]
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

    fn choose(&self, leaf: &Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Option<G::Action>, GameFault> {
        let state = leaf.state();
        let Some(player) = mover(state, leaf.turn())? else { return Ok(None) };
        let mut room = state.clone();
        let win = decisive(state, player, &mut room);
        if win.is_some() {
            return Ok(win);
        }
        let chosen = self.otherwise.choose(leaf, rng)?;
        let mut next = state.clone();
        let mut keeps = |action: &G::Action| {
            next.clone_from(state);
            try_apply(&mut next, action.clone())?;
            match mover(&next, next.turn())? {
                Some(other) if other != player => Ok(decisive(&next, other, &mut room).is_none()),
                _ => Ok(true),
            }
        };
        match chosen {
            Some(action) if self.anti && !keeps(&action)? => {
                let others = state.actions().into_iter().filter(|other| *other != action);
                let mut others: Vec<G::Action> = others.collect();
                rng.shuffle(&mut others);
                for other in others {
                    if keeps(&other)? {
                        return Ok(Some(other));
                    }
                }
                Ok(Some(action))
            }
            chosen => Ok(chosen),
        }
    }

    #[inline(always)]
    fn learn(&mut self, trace: &R::Trace, rewards: &Rewards) {
        self.otherwise.learn(trace, rewards);
    }

    fn learns(&self) -> bool {
        self.otherwise.learns()
    }

    fn check(&self) -> Result<(), ParameterError> {
        self.otherwise.check()
    }
}

impl<G: GameState, R: Priors<G>> Priors<G> for Decisive<R> {
    priors_of_inner!(otherwise);
}

/// Returns the first action with which `player`, the player to move, wins at once. `room` is overwritten.
fn decisive<G: GameState>(state: &G, player: Player, room: &mut G) -> Option<G::Action> {
    state.actions().into_iter().find(|action| {
        room.clone_from(state);
        // After an error, the iteration is dropped.
        try_apply(room, action.clone()).is_err() || room.turn() == Turn::Over && room.reward(player) >= 1.0
    })
}
