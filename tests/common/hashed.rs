//! Games without structure: trees whose shape and rewards come from a hash.

use ramure::{ActionIndex, GameState, Player, StaticEvaluation, Turn};

/// A tree with two to four branches, in which the player at each node is random (so a player often acts
/// several times in a row), and chance nodes with unequal probabilities if requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hashed {
    key: u64,
    left: u8,
    players: u8,
    chance: bool,
    decided: bool,
    labelled: bool,
}

impl Hashed {
    /// Returns a tree of `depth` actions for `players` players. Rewards are any numbers in [0, 1], and those
    /// of different players are independent.
    pub fn new(seed: u64, players: u8, depth: u8) -> Self {
        Hashed { key: mix(seed), left: depth, players, chance: false, decided: false, labelled: false }
    }

    /// Makes every third node, at random, a chance node.
    pub fn with_chance(self) -> Self {
        Hashed { chance: true, ..self }
    }

    /// Gives actions different numbers at every depth, so that the value of an action at one node says
    /// nothing about its value at another.
    pub fn labelled(self) -> Self {
        Hashed { labelled: true, ..self }
    }

    fn first_action(&self) -> u8 {
        if self.labelled { 4 * self.left } else { 0 }
    }

    /// Gives one player 1 and the others 0, or all players 1/2.
    pub fn decided(self) -> Self {
        Hashed { decided: true, ..self }
    }
}

/// A bijection whose result shows no pattern of its argument (the finaliser of splitmix64).
pub fn mix(key: u64) -> u64 {
    let key = key.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let key = (key ^ (key >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let key = (key ^ (key >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    key ^ (key >> 31)
}

/// Returns a number in [0, 1) from a key.
pub fn unit(key: u64) -> f64 {
    (mix(key) >> 11) as f64 / (1u64 << 53) as f64
}

impl GameState for Hashed {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.left == 0 {
            Turn::Over
        } else if self.chance && self.key.is_multiple_of(3) {
            Turn::Chance
        } else {
            Turn::Player(((self.key >> 8) % u64::from(self.players)) as Player)
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        let count = if self.left == 0 { 0 } else { 2 + ((self.key >> 16) % 3) as u8 };
        self.first_action()..self.first_action() + count
    }
    fn apply(&mut self, action: u8) {
        self.key = mix(self.key ^ (u64::from(action - self.first_action()) + 1));
        self.left -= 1;
    }
    fn reward(&self, player: Player) -> f64 {
        if !self.decided {
            return unit(self.key ^ (u64::from(player) + 1));
        }
        let winner = (self.key >> 24) % (u64::from(self.players) + 1);
        match winner {
            _ if winner == u64::from(self.players) => 0.5,
            _ if winner == u64::from(player) => 1.0,
            _ => 0.0,
        }
    }
    fn players(&self) -> u8 {
        self.players
    }
    fn probability(&self, outcome: u8) -> f64 {
        let count = self.actions().into_iter().count() as f64;
        f64::from(outcome - self.first_action() + 1) / (count * (count + 1.0) / 2.0)
    }
}

impl ActionIndex for Hashed {
    const ACTION_COUNT: usize = 64;
    fn action_index(action: u8) -> usize {
        usize::from(action)
    }
}

impl StaticEvaluation for Hashed {
    fn evaluate(&self, _: Player) -> f64 {
        0.5
    }
}
