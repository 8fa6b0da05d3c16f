//! SameGame: searches for a line with many points, and draws it: `cargo run --release --example samegame`.

use clap::Parser;
use ramure::prelude::*;
use ramure_games::{SameGame, same_game::Group};
use ramure_puzzles::{Nrpa, Optimization, Solution};
use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Searches for a line with many points on a board of SameGame, by nested rollout policy adaptation, and
/// draws it.
///
/// A group of n blocks of one colour earns (n - 2)² points, and an empty board 1000.
#[derive(Parser)]
struct Options {
    /// Set the number of the board
    #[arg(long, value_name = "N", default_value_t = 1)]
    board: u64,

    /// Search for S seconds, as in 0.5
    #[arg(long, value_name = "S", default_value_t = 2.0)]
    seconds: f64,

    /// Set the level of the search
    #[arg(long, value_name = "N", default_value_t = 3)]
    level: usize,

    /// Set the seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Draw the line to this file
    #[arg(long, value_name = "FILE", default_value = "samegame.svg")]
    svg: PathBuf,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let start = SameGame::random(options.board);
    let budget = Budget::time(std::time::Duration::try_from_secs_f64(options.seconds)?);
    let best = Optimization::new(start, Nrpa::new(options.level)).seed(options.seed).run(budget)?;
    println!("{best}");
    std::fs::write(&options.svg, draw(start, &best))?;
    println!("drawn to {}", options.svg.display());
    Ok(())
}

/// The side of a block, and the boards in a row of the drawing.
const SIDE: usize = 10;
const ACROSS: usize = 4;
/// The number of boards.
const BOARDS: usize = 12;
/// Colours that the colour-blind can tell apart (Okabe and Ito 2008).
const COLOURS: [&str; 9] =
    ["#e69f00", "#56b4e9", "#009e73", "#f0e442", "#cc79a7", "#0072b2", "#d55e00", "#999999", "#444444"];

/// Draws boards of the line, at equal distances, each with the group that goes next in a frame.
fn draw(start: SameGame, best: &Solution<Group>) -> String {
    let (cell, head) = (16 * SIDE, 18);
    let (width, height) = (ACROSS * cell + SIDE, BOARDS.div_ceil(ACROSS) * (cell + head) + SIDE);
    let score = best.score;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-label=\"A line of SameGame with {score} points\">\n<title>A line of SameGame with {score} points</title>\n\
         <style>text {{ font: 11px \"DejaVu Sans\", Verdana, sans-serif; fill: #24292f; }} .next {{ stroke: #24292f; stroke-width: 2; }}\
         </style>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    let (mut board, mut played) = (start, 0);
    for number in 0..BOARDS {
        let until = number * best.actions.len() / (BOARDS - 1);
        while played < until {
            board.apply(best.actions[played]);
            played += 1;
        }
        let (left, top) = (SIDE + number % ACROSS * cell, SIDE + number / ACROSS * (cell + head));
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            "<text x=\"{left}\" y=\"{}\">{played} groups, {} points</text>",
            top + 9,
            board.points()
        );
        let next =
            Vec::from_iter(best.actions.get(played).into_iter().flat_map(|&group| board.blocks(group)));
        for (column, row) in (0..15).flat_map(|column| (0..15).map(move |row| (column, row))) {
            let Some(colour) = board.colour(column, row) else { continue };
            let (x, y) = (left + column * SIDE, top + head + (14 - row) * SIDE);
            let class = if next.contains(&(column, row)) { " class=\"next\"" } else { "" };
            let fill = COLOURS[usize::from(colour - 1)];
            let side = SIDE - 2;
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" fill=\"{fill}\"{class}/>"
            );
        }
    }
    svg + "</svg>\n"
}
