//! Games whose positions are reached in many ways: graphs whose shape and rewards come from a hash.

use super::hashed::{Hashed, mix, unit};
use ramure::{GameState, Keyed, Player, StaticEvaluation, Turn};

/// Layers of cells. Each action leads to a cell of the next layer, so most cells have several predecessors.
/// The player to move in a cell is random, and so are the rewards of the last layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Layered {
    seed: u64,
    layer: u8,
    cell: u64,
    layers: u8,
    cells: u64,
    players: u8,
    chance: bool,
    /// Whether the players take turns.
    alternates: bool,
    /// Whether actions may lead back by a layer.
    rings: bool,
}

impl Layered {
    /// Returns a game of `layers` actions for `players` players, with `cells` cells in each layer. One player
    /// gets 1 and the others 0, or all get 1/2.
    pub fn new(seed: u64, players: u8, layers: u8, cells: u64) -> Self {
        let (seed, chance) = (mix(seed), false);
        Layered { seed, layer: 0, cell: 0, layers, cells, players, chance, alternates: false, rings: false }
    }

    /// Makes every fourth cell, at random, a chance node.
    pub fn with_chance(self) -> Self {
        Layered { chance: true, ..self }
    }

    /// Lets the players move in turn.
    pub fn alternating(self) -> Self {
        Layered { alternates: true, ..self }
    }

    /// Lets every third action lead back, so that a line of play may go on for ever.
    pub fn with_rings(self) -> Self {
        Layered { rings: true, ..self }
    }

    fn place(&self) -> u64 {
        mix(self.seed ^ (u64::from(self.layer) << 32 | self.cell))
    }
}

impl GameState for Layered {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.layer == self.layers {
            Turn::Over
        } else if self.chance && self.place().is_multiple_of(4) {
            Turn::Chance
        } else if self.alternates {
            Turn::Player(self.layer % self.players)
        } else {
            Turn::Player(((self.place() >> 8) % u64::from(self.players)) as Player)
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.layer == self.layers { 0 } else { 2 + ((self.place() >> 16) % 4) as u8 }
    }
    fn apply(&mut self, action: u8) {
        let next = mix(self.place() ^ (u64::from(action) + 1));
        let leads_back = self.rings && next.is_multiple_of(3) && self.layer > 0;
        self.layer = if leads_back { self.layer - 1 } else { self.layer + 1 };
        self.cell = (next >> 20) % self.cells;
    }
    fn reward(&self, player: Player) -> f64 {
        let winner = (self.place() >> 24) % (u64::from(self.players) + 1);
        match winner {
            _ if winner == u64::from(self.players) => 0.5,
            _ if winner == u64::from(player) => 1.0,
            _ => 0.0,
        }
    }
    fn players(&self) -> u8 {
        self.players
    }
    fn probability(&self, _: u8) -> f64 {
        1.0 / self.actions().into_iter().count() as f64
    }
}

impl Keyed for Layered {
    fn key(&self) -> u128 {
        u128::from(self.layer) << 64 | u128::from(self.cell)
    }
    fn repetition_reward(&self, player: Player) -> f64 {
        // A line that goes round and round is a win for player 0.
        f64::from(u8::from(player == 0))
    }
}

impl StaticEvaluation for Layered {
    fn evaluate(&self, player: Player) -> f64 {
        if self.players == 2 && player == 1 {
            1.0 - self.evaluate(0)
        } else {
            unit(self.place() ^ u64::from(player))
        }
    }
}

/// No position of a tree is reached in two ways.
impl Keyed for Hashed {
    fn key(&self) -> u128 {
        ramure::hash_key(self)
    }
}
