//! The picture of Sudo Tic-Tac-Toe.

use super::svg::{COLOURS, Svg, action, mark};
use crate::sudo_tic_tac_toe::{Cell, SudoTicTacToe};
use ramure::{GameState, Picture, Turn};

const SIDE: u32 = 24;
const BOARD: u32 = 3 * SIDE + 8;

impl Picture for SudoTicTacToe {
    fn picture(&self, last: Option<Cell>) -> String {
        let mut svg = Svg::new(3 * BOARD, 3 * BOARD);
        for board in 0..9 {
            let (x, y) = (u32::from(board % 3) * BOARD + 2, u32::from(board / 3) * BOARD + 2);
            let side = BOARD - 4;
            let owner = self.board_winner(board);
            let is_open = self.turn() != Turn::Over && self.next_board().is_none_or(|next| next == board);
            let (fill, opacity) = match owner {
                Some(owner) => (COLOURS[usize::from(owner)], ".25"),
                None if is_open => ("currentColor", ".12"),
                None => ("currentColor", ".04"),
            };
            let owner = owner.map_or_else(String::new, |owner| format!(" p{owner}"));
            svg.line(format_args!(
                "<rect class=\"board{owner}\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" rx=\"5\" fill=\"{fill}\" fill-opacity=\"{opacity}\"/>"
            ));
        }
        for cell in (0..81).filter_map(|index| Cell::new(index / 9, index % 9)) {
            let (board, place) = (cell.board(), cell.cell());
            let (row, column) = (board / 3 * 3 + place / 3, board % 3 * 3 + place % 3);
            let x = u32::from(board % 3) * BOARD + 4 + u32::from(place % 3) * SIDE;
            let y = u32::from(board / 3) * BOARD + 4 + u32::from(place / 3) * SIDE;
            let named = action(self.is_legal(cell).then_some(cell));
            let owner = self.cell(row, column);
            let mark =
                owner.map_or_else(String::new, |owner| mark(x, y, SIDE, owner, last == Some(cell), false));
            svg.line(format_args!(
                "<rect class=\"cell grid\"{named} x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"transparent\" stroke=\"currentColor\" stroke-opacity=\".65\" stroke-width=\".6\"/>{mark}"
            ));
        }
        svg.finish()
    }
}
