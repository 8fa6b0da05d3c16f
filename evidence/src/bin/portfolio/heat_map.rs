//! A picture of a table of scores: blue where the default is stronger, red where the alternative is.

use crate::Column;
use crate::game::Game;
use std::fmt::Write;

const CELL: (usize, usize) = (64, 26);
const LEFT: usize = 170;
const TOP: usize = 120;

/// The colour of a score: white at 0.5, full at 0.3 and 0.7.
fn colour(score: f64) -> String {
    let strength = ((score - 0.5).abs() / 0.2).min(1.0);
    let (red, green, blue) = if score > 0.5 { (178.0, 24.0, 43.0) } else { (33.0, 102.0, 172.0) };
    let mixed = [red, green, blue].map(|part| 255.0 + strength * (part - 255.0));
    format!("#{:02x}{:02x}{:02x}", mixed[0] as u8, mixed[1] as u8, mixed[2] as u8)
}

/// Returns the picture as SVG.
pub fn svg(games: &[(&str, Game)], columns: &[Column]) -> String {
    let (width, height) = (LEFT + CELL.0 * columns.len() + 40, TOP + CELL.1 * games.len() + 16);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let mut add = |line: String| _ = writeln!(svg, "{line}");
    for (number, column) in columns.iter().enumerate() {
        let (x, y) = (LEFT + CELL.0 * number + CELL.0 / 2, TOP - 8);
        add(format!("<text transform=\"translate({x} {y}) rotate(-45)\">{}</text>", column.name));
    }
    for (row, (name, _)) in games.iter().enumerate() {
        let y = TOP + CELL.1 * row;
        add(format!("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{name}</text>", LEFT - 10, y + 18));
        for (number, column) in columns.iter().enumerate() {
            let Some(score) = column.scores[row] else { continue };
            let x = LEFT + CELL.0 * number;
            let ink = if (score.value - 0.5).abs() > 0.13 { "white" } else { "black" };
            add(format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\
                 <text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"{ink}\">{:.2}</text>",
                CELL.0 - 1,
                CELL.1 - 1,
                colour(score.value),
                x + CELL.0 / 2,
                y + 18,
                score.value
            ));
        }
    }
    svg + "</svg>\n"
}
