//! Evaluations of unfinished games at the horizon of a look-ahead.

use crate::game::{GameState, Player, StaticEvaluation};

/// Evaluates unfinished games, for [`Minimax`](super::Minimax) and [`AlphaBeta`](super::AlphaBeta) at their
/// horizon: [`Static`], or a function of the state and the player.
pub trait Evaluation<G: GameState> {
    /// Returns the estimated reward of `player` in this running game, in [0, 1].
    fn value(&self, state: &G, player: Player) -> f64;
}

/// Uses the game's own [`StaticEvaluation`].
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Static;

impl<G: StaticEvaluation> Evaluation<G> for Static {
    fn value(&self, state: &G, player: Player) -> f64 {
        state.evaluate(player)
    }
}

impl<G: GameState, F: Fn(&G, Player) -> f64> Evaluation<G> for F {
    fn value(&self, state: &G, player: Player) -> f64 {
        self(state, player)
    }
}
