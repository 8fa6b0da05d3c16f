//! A game for unit tests that need some game.

use super::{GameState, Player, StaticEvaluation, Turn};

/// A game that is never played.
#[derive(Clone, Copy)]
pub(crate) struct Idle;

impl GameState for Idle {
    type Action = u8;

    fn turn(&self) -> Turn {
        Turn::Player(0)
    }

    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..2
    }

    fn apply(&mut self, _: u8) {}

    fn reward(&self, _: Player) -> f64 {
        0.5
    }
}

impl StaticEvaluation for Idle {
    fn evaluate(&self, _: Player) -> f64 {
        0.5
    }
}
