//! What an unfinished game is worth at the horizon of a look ahead.

use crate::game::{GameState, Player, StaticEvaluation};

/// Values unfinished games, for [`Minimax`](super::Minimax) and [`AlphaBeta`](super::AlphaBeta) at their horizon.
pub trait Evaluation<G: GameState> {
    /// What this running game seems worth to `player`, in [0, 1].
    fn value(&self, state: &G, player: Player) -> f64;
}

/// The game's own [`StaticEvaluation`].
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Static;

impl<G: StaticEvaluation> Evaluation<G> for Static {
    fn value(&self, state: &G, player: Player) -> f64 {
        state.evaluate(player)
    }
}

/// A function.
#[derive(Clone, Copy, Debug)]
pub struct By<F>(pub F);

impl<G: GameState, F: Fn(&G, Player) -> f64> Evaluation<G> for By<F> {
    fn value(&self, state: &G, player: Player) -> f64 {
        (self.0)(state, player)
    }
}
