//! Connect 4 on a board of any size up to eight columns and seven rows.

use ramure::{ActionIndex, GameState, Player, StaticEvaluation, Turn};

/// Four in a row on a board of `W` columns and `H` rows. Each player's stones in a column are one byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Four<const W: u8, const H: u8> {
    stones: [u64; 2],
    count: u8,
    won: bool,
}

/// The usual board.
pub type Connect4 = Four<7, 6>;
/// A board small enough for an oracle to solve in a moment.
pub type SmallFour = Four<4, 4>;

impl<const W: u8, const H: u8> Four<W, H> {
    fn height(&self, column: u8) -> u8 {
        ((self.stones[0] | self.stones[1]) >> (8 * column) & 0xFF).count_ones() as u8
    }
}

fn has_line(stones: u64) -> bool {
    [1, 7, 8, 9].into_iter().any(|step| {
        let pairs = stones & stones >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

impl<const W: u8, const H: u8> GameState for Four<W, H> {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.won || self.count == W * H { Turn::Over } else { Turn::Player(self.count % 2) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        (0..W).filter(|&column| !self.won && self.height(column) < H)
    }
    fn apply(&mut self, column: u8) {
        let player = usize::from(self.count % 2);
        self.stones[player] |= 1 << (8 * column + self.height(column));
        self.count += 1;
        self.won = has_line(self.stones[player]);
    }
    fn reward(&self, player: Player) -> f64 {
        if !self.won {
            0.5
        } else if self.count % 2 == player {
            0.0
        } else {
            1.0
        }
    }
}

impl<const W: u8, const H: u8> ActionIndex for Four<W, H> {
    const ACTION_COUNT: usize = W as usize;
    fn action_index(column: u8) -> usize {
        usize::from(column)
    }
}

impl<const W: u8, const H: u8> StaticEvaluation for Four<W, H> {
    fn evaluate(&self, _: Player) -> f64 {
        0.5
    }
}
