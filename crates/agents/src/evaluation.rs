//! Evaluations of unfinished games at the horizon of a look-ahead.

use ramure::{GameState, Player, StaticEvaluation};

/// Evaluates unfinished games, for [`Minimax`](crate::Minimax) and [`AlphaBeta`](crate::AlphaBeta) at their
/// horizon: a function of the state and the player, or `()` for the game's own [`StaticEvaluation`].
pub trait Evaluation<G: GameState> {
    /// Returns the estimated reward of `player` in this running game, in [0, 1].
    fn value(&self, state: &G, player: Player) -> f64;
}

/// Uses the game's own [`StaticEvaluation`].
impl<G: StaticEvaluation> Evaluation<G> for () {
    fn value(&self, state: &G, player: Player) -> f64 {
        state.evaluate(player)
    }
}

impl<G: GameState, F: Fn(&G, Player) -> f64> Evaluation<G> for F {
    fn value(&self, state: &G, player: Player) -> f64 {
        self(state, player)
    }
}
