//! The picture of Tic-Tac-Toe.

use super::svg::{Svg, action, mark};
use crate::tic_tac_toe::{Cell, TicTacToe};
use ramure::{GameState, Picture};

const SIDE: u32 = 60;

impl Picture for TicTacToe {
    fn picture(&self, last: Option<Cell>) -> String {
        let line = self.winning_line();
        let mut svg = Svg::new(3 * SIDE, 3 * SIDE);
        svg.board(0, 0, 3 * SIDE, 3 * SIDE);
        let (near, far, end) = (SIDE, 2 * SIDE, 3 * SIDE);
        svg.line(format_args!(
            "<path class=\"grid\" d=\"M{near} 0V{end}M{far} 0V{end}M0 {near}H{end}M0 {far}H{end}\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".6\"/>"
        ));
        for cell in (0..9).filter_map(|index| Cell::new(index / 3, index % 3)) {
            let (x, y) = (u32::from(cell.column()) * SIDE, u32::from(cell.row()) * SIDE);
            let named = action(self.is_legal(cell).then_some(cell));
            let owner = self.cell(cell.row(), cell.column());
            let wins = line.is_some_and(|line| line.contains(&cell));
            let mark =
                owner.map_or_else(String::new, |owner| mark(x, y, SIDE, owner, last == Some(cell), wins));
            svg.line(format_args!(
                "<rect class=\"cell\"{named} x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"transparent\"/>{mark}"
            ));
        }
        svg.finish()
    }
}
