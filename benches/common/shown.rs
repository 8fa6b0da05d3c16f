//! Connect 4 as a game with secrets, of which there are none, and as a game whose actions are sampled.

use ramure::prelude::*;
use ramure::{ActionSampler, HiddenInformation};
use ramure_games::Connect4;

/// Connect 4, whose players see everything.
#[derive(Clone, Debug)]
pub struct Shown(pub Connect4);

impl GameState for Shown {
    type Action = <Connect4 as GameState>::Action;

    fn turn(&self) -> Turn {
        self.0.turn()
    }
    fn actions(&self) -> impl IntoIterator<Item = Self::Action> {
        self.0.actions()
    }
    fn apply(&mut self, action: Self::Action) {
        self.0.apply(action);
    }
    fn reward(&self, player: Player) -> f64 {
        self.0.reward(player)
    }
    fn random_action(&self, rng: &mut Rng) -> Option<Self::Action> {
        self.0.random_action(rng)
    }
}

impl HiddenInformation for Shown {
    fn determinize(&mut self, _: Player, _: &mut Rng) {}
}

impl ActionSampler for Shown {
    fn sample_action(&self, rng: &mut Rng) -> Option<Self::Action> {
        self.random_action(rng)
    }
}
