//! Four games of `ramure` as networks see them.

use crate::{Planes, Shape};
use ramure::{GameState, Player, Turn};
use ramure_games::hex::HexAction;
use ramure_games::{Connect4, Hex, TicTacToe};

/// Writes the planes of a board: the stones of `viewer`, and those of the other player.
fn write_stones(
    (rows, columns): (u8, u8),
    viewer: Player,
    owner: impl Fn(u8, u8) -> Option<Player>,
    input: &mut [f32],
) {
    let area = usize::from(rows) * usize::from(columns);
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    for (place, (row, column)) in cells.enumerate() {
        if let Some(owner) = owner(row, column) {
            input[usize::from(owner != viewer) * area + place] = 1.0;
        }
    }
}

/// Two planes of 6 x 7: the stones of the player to move, and those of the other player. Row 0 is the bottom
/// row. The policy has a column for each column of the board.
impl Planes for Connect4 {
    fn shape(&self) -> Shape {
        Shape::Planes { channels: 2, height: 6, width: 7 }
    }

    fn write(&self, input: &mut [f32]) {
        write_stones((6, 7), self.viewer(), |row, column| self.cell(row, column), input);
    }
}

/// Two planes of 3 x 3: the marks of the player to move, and those of the other player. The policy has a
/// column for each cell, in reading order.
impl Planes for TicTacToe {
    fn shape(&self) -> Shape {
        Shape::Planes { channels: 2, height: 3, width: 3 }
    }

    fn write(&self, input: &mut [f32]) {
        write_stones((3, 3), self.viewer(), |row, column| self.cell(row, column), input);
    }
}

/// Three planes of the size of the board: the stones of the player to move, those of the other player, and,
/// all ones, whether a swap is legal.
///
/// The board is mirrored at the main diagonal for player 1, so that the player to move always joins top and
/// bottom. The policy has a column for each cell, in reading order of this view, and a last one for the swap.
/// A network serves one size of the board.
impl Planes for Hex {
    fn shape(&self) -> Shape {
        let size = usize::from(self.size());
        Shape::Planes { channels: 3, height: size, width: size }
    }

    fn write(&self, input: &mut [f32]) {
        let (size, viewer) = (self.size(), self.viewer());
        let owner = |row, column| if viewer == 0 { self.cell(row, column) } else { self.cell(column, row) };
        write_stones((size, size), viewer, owner, input);
        if self.is_legal(HexAction::Swap) {
            input[2 * usize::from(size) * usize::from(size)..].fill(1.0);
        }
    }

    fn policy_size(&self) -> usize {
        usize::from(self.size()) * usize::from(self.size()) + 1
    }

    fn policy_index(&self, action: HexAction) -> usize {
        let size = usize::from(self.size());
        match action {
            HexAction::Swap => size * size,
            HexAction::Place(cell) => {
                let (row, column) = (usize::from(cell.row()), usize::from(cell.column()));
                if self.turn() == Turn::Player(1) { column * size + row } else { row * size + column }
            }
        }
    }
}
