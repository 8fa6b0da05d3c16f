//! The picture of Hex: a slanted board.

use super::svg::{COLOURS, Svg, action, stone_classes};
use crate::hex::{Cell, Hex, HexAction};
use ramure::{GameState, Picture};

/// Half the width of a hexagon, the height of its upright sides, and the distance of two rows.
const HALF: i32 = 17;
const UPRIGHT: i32 = 20;
const ROW: i32 = 30;
/// The space around the board.
const MARGIN: i32 = 26;

/// The point at the left end of the upper edges of a cell.
fn corner(row: u8, column: u8) -> (i32, i32) {
    let (row, column) = (i32::from(row), i32::from(column));
    (MARGIN + 2 * HALF * column + HALF * row, MARGIN + ROW * row + (ROW - UPRIGHT))
}

/// Writes the line through points.
fn path(points: impl Iterator<Item = (i32, i32)>) -> String {
    let points: Vec<String> = points.map(|(x, y)| format!("{x} {y}")).collect();
    format!("M{}", points.join("L"))
}

impl Picture for Hex {
    fn picture(&self, last: Option<HexAction>) -> String {
        let size = self.size();
        let chain = self.winning_chain();
        let end = corner(size - 1, size);
        let mut svg = Svg::new((end.0 + MARGIN) as u32, (end.1 + ROW + MARGIN) as u32);
        let slope = ROW - UPRIGHT;
        let along = || 0..size;
        let top = along().flat_map(|column| {
            let (x, y) = corner(0, column);
            [(x, y), (x + HALF, y - slope), (x + 2 * HALF, y)]
        });
        let bottom = along().flat_map(|column| {
            let (x, y) = corner(size - 1, column);
            [(x, y + UPRIGHT), (x + HALF, y + ROW), (x + 2 * HALF, y + UPRIGHT)]
        });
        let left = along().flat_map(|row| {
            let (x, y) = corner(row, 0);
            [(x, y), (x, y + UPRIGHT), (x + HALF, y + ROW)]
        });
        let right = along().flat_map(|row| {
            let (x, y) = corner(row, size - 1);
            [(x + HALF, y - slope), (x + 2 * HALF, y), (x + 2 * HALF, y + UPRIGHT)]
        });
        let sides = [(0, path(top)), (0, path(bottom)), (1, path(left)), (1, path(right))];
        for (player, path) in sides {
            let colour = COLOURS[player];
            svg.line(format_args!(
                "<path class=\"grid side{player}\" d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"7\" stroke-linejoin=\"round\"/>"
            ));
        }
        for index in 0..size {
            let (x, y) = corner(0, index);
            svg.label(x + HALF, y - slope - 12, char::from(b'a' + index));
            let (x, y) = corner(index, 0);
            svg.label(x - 14, y + UPRIGHT / 2, index + 1);
        }
        for row in 0..size {
            for cell in (0..size).filter_map(|column| Cell::new(row, column)) {
                let (x, y) = corner(row, cell.column());
                let place = HexAction::Place(cell);
                let named = action(self.is_legal(place).then_some(place));
                let owner = self.cell(row, cell.column()).map_or_else(String::new, |owner| {
                    let is_last = last == Some(place) || last == Some(HexAction::Swap);
                    let wins = chain.contains(&cell);
                    let classes = stone_classes(owner, is_last, wins);
                    let (centre_x, centre_y) = (x + HALF, y + UPRIGHT / 2);
                    let edge = if wins { 4 } else { 1 };
                    let dot = if is_last { format!("<circle class=\"last\" cx=\"{centre_x}\" cy=\"{centre_y}\" r=\"4\" fill=\"#fff\"/>") } else { String::new() };
                    format!(
                        "<circle class=\"{classes}\" cx=\"{centre_x}\" cy=\"{centre_y}\" r=\"12\" fill=\"{}\" stroke=\"currentColor\" stroke-width=\"{edge}\"/>{dot}",
                        COLOURS[usize::from(owner)]
                    )
                });
                svg.line(format_args!(
                    "<path class=\"cell\"{named} d=\"M{x} {y}l{HALF} -{slope}l{HALF} {slope}v{UPRIGHT}l-{HALF} {slope}l-{HALF} -{slope}z\" fill=\"currentColor\" fill-opacity=\".06\" stroke=\"currentColor\" stroke-opacity=\".6\"/>{owner}"
                ));
            }
        }
        svg.finish()
    }
}
