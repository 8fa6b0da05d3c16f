//! The agent that plays at random.

use crate::{Agent, mover};
use ramure::{GameFault, GameState, Rng, SearchError};

/// Plays a random legal action; all are equally likely.
#[derive(Clone, Debug)]
pub struct Random {
    rng: Rng,
}

impl Random {
    /// Creates an agent whose choices are fixed by `seed`.
    pub fn seeded(seed: u64) -> Self {
        Random { rng: Rng::seeded(seed) }
    }
}

impl Default for Random {
    fn default() -> Self {
        Random::seeded(0)
    }
}

impl<G: GameState> Agent<G> for Random {
    fn name(&self) -> String {
        "random".into()
    }

    fn choose(&mut self, state: &G) -> Result<G::Action, SearchError> {
        mover(state)?;
        let drawn = state.random_action(&mut self.rng);
        SearchError::unless_failed(0)?;
        drawn.ok_or_else(|| SearchError::game(GameFault::NoActions, 0))
    }

    fn new_game(&mut self, seed: u64) {
        self.rng = Rng::seeded(seed);
    }
}
