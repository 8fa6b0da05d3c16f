//! Nim for any number of players.

use ramure::{ActionIndex, GameState, Keyed, Player, StaticEvaluation, Turn};

/// `N` players take turns to take one, two or three sticks. The player who takes the last stick wins; all
/// others lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Nim<const N: u8> {
    /// The number of sticks left.
    pub sticks: u8,
    /// The player to move.
    pub player: Player,
}

impl<const N: u8> GameState for Nim<N> {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.sticks == 0 { Turn::Over } else { Turn::Player(self.player) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        1..=self.sticks.min(3)
    }
    fn apply(&mut self, taken: u8) {
        self.sticks -= taken;
        self.player = (self.player + 1) % N;
    }
    fn reward(&self, player: Player) -> f64 {
        if (player + 1) % N == self.player { 1.0 } else { 0.0 }
    }
    fn players(&self) -> u8 {
        N
    }
}

impl<const N: u8> ActionIndex for Nim<N> {
    const ACTION_COUNT: usize = 4;
    fn action_index(taken: u8) -> usize {
        usize::from(taken)
    }
}

impl<const N: u8> StaticEvaluation for Nim<N> {
    fn evaluate(&self, _: Player) -> f64 {
        1.0 / f64::from(N)
    }
}

impl<const N: u8> Keyed for Nim<N> {
    fn key(&self) -> u128 {
        ramure::hash_key(self)
    }
}
