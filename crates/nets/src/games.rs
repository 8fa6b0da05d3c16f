//! Four games of `ramure` as networks see them.

use crate::{Planes, Shape};
use ramure::games::hex::HexAction;
use ramure::games::{Connect4, Hex, TicTacToe};
use ramure::{GameState, Player, Turn};

/// Returns whether `owner` is the viewer (0) or another player (1).
fn side(owner: Player, viewer: Player) -> usize {
    usize::from(owner != viewer)
}

/// Two planes of 6 x 7: the stones of the player to move, and those of the other player. Row 0 is the bottom
/// row. The policy has a column for each column of the board.
impl Planes for Connect4 {
    fn shape(&self) -> Shape {
        Shape::Planes { channels: 2, height: 6, width: 7 }
    }

    fn write(&self, input: &mut [f32]) {
        let viewer = self.viewer();
        let cells = (0..6).flat_map(|row| (0..7).map(move |column| (row, column)));
        for (place, (row, column)) in cells.enumerate() {
            if let Some(owner) = self.cell(row, column) {
                input[side(owner, viewer) * 42 + place] = 1.0;
            }
        }
    }
}

/// Two planes of 3 x 3: the marks of the player to move, and those of the other player. The policy has a
/// column for each cell, in reading order.
impl Planes for TicTacToe {
    fn shape(&self) -> Shape {
        Shape::Planes { channels: 2, height: 3, width: 3 }
    }

    fn write(&self, input: &mut [f32]) {
        let viewer = self.viewer();
        let cells = (0..3).flat_map(|row| (0..3).map(move |column| (row, column)));
        for (place, (row, column)) in cells.enumerate() {
            if let Some(owner) = self.cell(row, column) {
                input[side(owner, viewer) * 9 + place] = 1.0;
            }
        }
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
        let area = usize::from(size) * usize::from(size);
        let cells = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
        for (place, (row, column)) in cells.enumerate() {
            let (row, column) = if viewer == 0 { (row, column) } else { (column, row) };
            if let Some(owner) = self.cell(row, column) {
                input[side(owner, viewer) * area + place] = 1.0;
            }
        }
        if self.is_legal(HexAction::Swap) {
            input[2 * area..].fill(1.0);
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
