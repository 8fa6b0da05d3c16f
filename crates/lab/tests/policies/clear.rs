//! Games in which greedy play is optimal.

use crate::common::hashed::mix;
use ramure::{ActionIndex, GameState, Player, StaticEvaluation, Turn};

/// A tree with two or three branches, in which the player at each node is random. A player's reward depends
/// only on that player's choices, and on an earlier choice more than on all later ones together. So every
/// result of a better action is better than every result of a worse one. One visit of each action shows which
/// is best. A policy that never returns to an action is also right, if it looks at the rewards of the right
/// player. Actions have different numbers at every depth.
#[derive(Clone, Copy, Debug)]
pub struct Clear {
    key: u64,
    left: u8,
    players: u8,
    /// The sum that each player already has, and the most that the next choice can add.
    sums: [f64; 3],
    next: [f64; 3],
}

impl Clear {
    /// Returns a tree of `depth` actions for `players` players, up to three.
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
        // Each node orders its actions differently. The first in that order is worth nothing, the last is
        // worth everything.
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
