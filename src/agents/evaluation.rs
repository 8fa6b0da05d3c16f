//! Evaluations of unfinished games at the horizon of a look-ahead.

use crate::game::{GameState, Player, StaticEvaluation};
use core::any::type_name;
use core::fmt;

/// Evaluates unfinished games, for [`Minimax`](super::Minimax) and [`AlphaBeta`](super::AlphaBeta) at their
/// horizon.
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

/// Uses a function of the state and the player.
#[derive(Clone, Copy)]
pub struct By<F>(pub F);

impl<F> fmt::Debug for By<F> {
    /// Prints the type of the function, because closures are not `Debug`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("By").field(&format_args!("{}", type_name::<F>())).finish()
    }
}

impl<G: GameState, F: Fn(&G, Player) -> f64> Evaluation<G> for By<F> {
    fn value(&self, state: &G, player: Player) -> f64 {
        (self.0)(state, player)
    }
}
