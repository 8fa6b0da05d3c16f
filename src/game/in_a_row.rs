//! Games for unit tests that search, save and load.

use super::{ActionIndex, GameState, Keyed, Player, Symmetric, Turn, hash_key};

/// Tic-Tac-Toe.
pub(crate) type Three = InARow<3, 3, 3, false>;
/// Connect 4.
pub(crate) type Four = InARow<7, 6, 4, true>;
/// A game of many actions.
pub(crate) type Five = InARow<6, 6, 5, false>;

/// The players place stones on a board of `W` columns and `H` rows, at most 64 cells. `K` in a row win. If
/// they `FALL`, an action is a column, otherwise a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "[u64; 2]", into = "[u64; 2]"))]
pub(crate) struct InARow<const W: u8, const H: u8, const K: u8, const FALL: bool> {
    /// The stones of each player. Cell number `W` * row + column is a bit; row 0 is the lowest.
    stones: [u64; 2],
}

impl<const W: u8, const H: u8, const K: u8, const FALL: bool> InARow<W, H, K, FALL> {
    /// Returns the empty board.
    pub fn new() -> Self {
        InARow { stones: [0; 2] }
    }

    fn taken(&self) -> u64 {
        self.stones[0] | self.stones[1]
    }

    fn is_free(&self, cell: u8) -> bool {
        self.taken() >> cell & 1 == 0
    }

    fn mover(&self) -> Player {
        (self.taken().count_ones() % 2) as u8
    }

    /// Returns the cell that a stone takes, if the action is legal.
    fn cell(&self, action: u8) -> Option<u8> {
        if FALL {
            (action < W).then(|| (0..H).map(|row| W * row + action).find(|&cell| self.is_free(cell)))?
        } else {
            (action < W * H && self.is_free(action)).then_some(action)
        }
    }

    /// The directions of a line: how many cells it goes on by, and the cells at which it may begin.
    const LINES: [(u8, u64); 4] = [
        (1, Self::columns(0, W - K + 1)),
        (W, Self::columns(0, W)),
        (W + 1, Self::columns(0, W - K + 1)),
        (W - 1, Self::columns(K - 1, W)),
    ];

    /// Returns the cells of the columns from `first` to the one before `end`.
    const fn columns(first: u8, end: u8) -> u64 {
        let (mut cells, mut row) = (0, 0);
        while row < H {
            cells |= ((1 << end) - (1 << first)) << (W * row);
            row += 1;
        }
        cells
    }

    fn winner(&self) -> Option<Player> {
        for (player, stones) in [(0, self.stones[0]), (1, self.stones[1])] {
            for (step, starts) in Self::LINES {
                let (mut line, mut length) = (stones & starts, 1);
                while line != 0 && length < K {
                    line &= stones >> (step * length);
                    length += 1;
                }
                if line != 0 {
                    return Some(player);
                }
            }
        }
        None
    }
}

impl<const W: u8, const H: u8, const K: u8, const FALL: bool> From<InARow<W, H, K, FALL>> for [u64; 2] {
    fn from(game: InARow<W, H, K, FALL>) -> Self {
        game.stones
    }
}

impl<const W: u8, const H: u8, const K: u8, const FALL: bool> TryFrom<[u64; 2]> for InARow<W, H, K, FALL> {
    type Error = &'static str;

    fn try_from(stones: [u64; 2]) -> Result<Self, Self::Error> {
        let [first, second] = stones.map(u64::count_ones);
        let is_on_board = (stones[0] | stones[1]) >> (W * H) == 0;
        if is_on_board && stones[0] & stones[1] == 0 && (first == second || first == second + 1) {
            Ok(InARow { stones })
        } else {
            Err("no order of play leads to these stones")
        }
    }
}

impl<const W: u8, const H: u8, const K: u8, const FALL: bool> GameState for InARow<W, H, K, FALL> {
    type Action = u8;

    fn turn(&self) -> Turn {
        let is_full = self.taken().count_ones() == u32::from(W * H);
        if is_full || self.winner().is_some() { Turn::Over } else { Turn::Player(self.mover()) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        let (game, count) = (*self, if self.winner().is_some() { 0 } else { Self::ACTION_COUNT as u8 });
        (0..count).filter(move |&action| game.cell(action).is_some())
    }
    fn apply(&mut self, action: u8) {
        let cell = self.cell(action).expect("it is legal");
        self.stones[usize::from(self.mover())] |= 1 << cell;
    }
    fn reward(&self, player: Player) -> f64 {
        self.winner().map_or(0.5, |winner| f64::from(u8::from(winner == player)))
    }
}

impl<const W: u8, const H: u8, const K: u8, const FALL: bool> ActionIndex for InARow<W, H, K, FALL> {
    const ACTION_COUNT: usize = if FALL { W as usize } else { W as usize * H as usize };

    fn action_index(action: u8) -> usize {
        usize::from(action)
    }
}

impl<const W: u8, const H: u8, const K: u8, const FALL: bool> Keyed for InARow<W, H, K, FALL> {
    fn key(&self) -> u128 {
        hash_key(&self.stones)
    }
}

/// Left and right change places.
impl<const W: u8, const H: u8, const K: u8, const FALL: bool> Symmetric for InARow<W, H, K, FALL> {
    const SYMMETRIES: usize = 2;

    fn transformed(&self, symmetry: usize) -> Self {
        let mut mirrored = InARow::new();
        for (from, to) in self.stones.iter().zip(&mut mirrored.stones) {
            let cells = (0..W * H).filter(|cell| from >> cell & 1 == 1);
            cells.for_each(|cell| *to |= 1 << self.transformed_action(cell, 1));
        }
        if symmetry == 0 { *self } else { mirrored }
    }
    fn transformed_action(&self, action: u8, symmetry: usize) -> u8 {
        if symmetry == 0 { action } else { action - action % W + (W - 1 - action % W) }
    }
}
