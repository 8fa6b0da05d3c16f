//! The picture of Connect 4, on boards of any size.

use super::svg::{Svg, action, stone_classes};
use crate::connect4::{Column, ConnectFour};
use ramure::{GameState, Picture};

const SIDE: u32 = 40;

/// The red and the yellow of the stones. One is dark and the other light, so colour-blind readers can
/// distinguish them.
const COLOURS: [&str; 2] = ["#cc1f1f", "#f0e442"];

impl<const COLUMNS: u8, const ROWS: u8> Picture for ConnectFour<COLUMNS, ROWS> {
    fn picture(&self, last: Option<Column>) -> String {
        let line = self.winning_line();
        let height = |column| (0..ROWS).take_while(|&row| self.cell(row, column).is_some()).count();
        // The last stone is the top one of its column.
        let last =
            last.and_then(|column| Some((height(column.number()).checked_sub(1)? as u8, column.number())));
        let (width, board_height) = (u32::from(COLUMNS) * SIDE, u32::from(ROWS) * SIDE);
        let mut svg = Svg::new(width, board_height + 20);
        svg.board(0, 0, width, board_height);
        for row in (0..ROWS).rev() {
            for column in 0..COLUMNS {
                let (x, y) =
                    (u32::from(column) * SIDE + SIDE / 2, u32::from(ROWS - 1 - row) * SIDE + SIDE / 2);
                let hole = format!(
                    "<circle class=\"grid\" cx=\"{x}\" cy=\"{y}\" r=\"16\" fill=\"currentColor\" fill-opacity=\".1\" stroke=\"currentColor\" stroke-opacity=\".6\"/>"
                );
                let Some(owner) = self.cell(row, column) else {
                    svg.line(hole);
                    continue;
                };
                let wins = line.is_some_and(|line| line.contains(&(row, column)));
                let is_last = last == Some((row, column));
                let classes = stone_classes(owner, is_last, wins);
                let colour = COLOURS[usize::from(owner)];
                let edge = if wins { 4 } else { 1 };
                let dot = if is_last {
                    format!("<circle class=\"last\" cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"#000\"/>")
                } else {
                    String::new()
                };
                svg.line(format_args!(
                    "<circle class=\"{classes}\" cx=\"{x}\" cy=\"{y}\" r=\"16\" fill=\"{colour}\" stroke=\"currentColor\" stroke-width=\"{edge}\"/>{dot}"
                ));
            }
        }
        for column in (0..COLUMNS).filter_map(Column::new) {
            let x = u32::from(column.number()) * SIDE;
            svg.label(x + SIDE / 2, board_height + 11, column);
            let named = action(self.is_legal(column).then_some(column));
            svg.line(format_args!(
                "<rect class=\"cell\"{named} x=\"{x}\" y=\"0\" width=\"{SIDE}\" height=\"{board_height}\" fill=\"transparent\"/>"
            ));
        }
        svg.finish()
    }
}
