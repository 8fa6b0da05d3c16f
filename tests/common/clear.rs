//! Games in which greed is right.

use super::hashed::mix;
use ramure::{ActionIndex, GameState, Player, StaticEvaluation, Turn};

/// A tree of two or three branches, the mover of each node at random. A player's reward depends on the player's own choices
/// alone, and on an earlier one more than on all later ones together: every result of a better action is better than every
/// result of a worse one. So one visit of each action tells which is the best, and a policy that never returns to an action is
/// right as well, if it looks at the rewards of the right player. Actions have other numbers at every depth.
#[derive(Clone, Copy, Debug)]
pub struct Clear {
    key: u64,
    left: u8,
    players: u8,
    /// What each player has for certain, and what the next choice may add.
    sums: [f64; 3],
    next: [f64; 3],
}

impl Clear {
    /// A tree of `depth` actions for so many players, up to three.
    pub fn new(seed: u64, players: u8, depth: u8) -> Self {
        Clear { key: mix(seed), left: depth, players, sums: [0.0; 3], next: [2.0 / 3.0; 3] }
    }

    fn width(&self) -> u8 {
        if self.left == 0 { 0 } else { 2 + ((self.key >> 16) % 2) as u8 }
    }

    fn mover(&self) -> usize {
        ((self.key >> 8) % u64::from(self.players)) as usize
    }
}

impl GameState for Clear {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { Turn::Player(self.mover() as Player) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        4 * self.left..4 * self.left + self.width()
    }
    fn apply(&mut self, action: u8) {
        let (mover, width, action) = (self.mover(), self.width(), action - 4 * self.left);
        // The actions in another order at each node; the first is worth nothing, the last all.
        let place = (u64::from(action) + (self.key >> 24)) % u64::from(width);
        self.sums[mover] += self.next[mover] * place as f64 / f64::from(width - 1);
        self.next[mover] /= 3.0;
        self.key = mix(self.key ^ (u64::from(action) + 1));
        self.left -= 1;
    }
    fn reward(&self, player: Player) -> f64 {
        self.sums[usize::from(player)]
    }
    fn players(&self) -> u8 {
        self.players
    }
}

impl ActionIndex for Clear {
    const ACTION_COUNT: usize = 64;
    fn action_index(action: u8) -> usize {
        usize::from(action)
    }
}

impl StaticEvaluation for Clear {
    fn evaluate(&self, _: Player) -> f64 {
        0.5
    }
}
