//! Morpion Solitaire: searches for a long game, and draws it: `cargo run --release --example morpion`.

use clap::Parser;
use ramure::prelude::*;
use ramure_games::{Morpion, morpion::Stroke};
use ramure_puzzles::{Nrpa, Optimization, Solution};
use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Searches for a long game of Morpion Solitaire by nested rollout policy adaptation, and draws it.
///
/// A line through five points adds one point. The puzzle score is the number of lines. The longest games
/// known have 82 lines in the variant 5D and 178 in 5T.
#[derive(Parser)]
struct Options {
    /// Let lines in the same direction touch at their ends: the variant 5T, not 5D
    #[arg(long)]
    touching: bool,

    /// Search for S seconds, as in 0.5
    #[arg(long, value_name = "S", default_value_t = 2.0)]
    seconds: f64,

    /// Set the level of the search
    #[arg(long, value_name = "N", default_value_t = 3)]
    level: usize,

    /// Set the seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Draw the game to this file
    #[arg(long, value_name = "FILE", default_value = "morpion.svg")]
    svg: PathBuf,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let start = if options.touching { Morpion::touching() } else { Morpion::disjoint() };
    let budget = Budget::time(std::time::Duration::try_from_secs_f64(options.seconds)?);
    let best = Optimization::new(start.clone(), Nrpa::new(options.level)).seed(options.seed).run(budget)?;
    println!("{best}");
    std::fs::write(&options.svg, draw(&start, &best))?;
    println!("drawn to {}", options.svg.display());
    Ok(())
}

/// The distance of two points in the drawing.
const STEP: usize = 28;

/// Draws the points of the start in black, and each new point with its number.
fn draw(start: &Morpion, best: &Solution<Stroke>) -> String {
    let all = || (0..32).flat_map(|row| (0..32).map(move |column| (column, row)));
    let first = Vec::from_iter(all().filter(|&(column, row)| start.has_point(column, row)));
    let points = || first.iter().copied().chain(best.actions.iter().map(|stroke| stroke.new_point()));
    let least = |of: fn((usize, usize)) -> usize| points().map(of).min().unwrap_or(0);
    let most = |of: fn((usize, usize)) -> usize| points().map(of).max().unwrap_or(0);
    let (left, top) = (least(|point| point.0), least(|point| point.1));
    let width = (most(|point| point.0) - left + 2) * STEP;
    let height = (most(|point| point.1) - top + 2) * STEP;
    let x = |column: usize| (column - left + 1) * STEP;
    let y = |row: usize| (row - top + 1) * STEP;

    let lines = best.actions.len();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-label=\"A game of Morpion Solitaire with {lines} lines\">\n\
         <title>A game of Morpion Solitaire with {lines} lines</title>\n\
         <style>text {{ font: 10px \"DejaVu Sans\", Verdana, sans-serif; text-anchor: middle; fill: #24292f; }} \
         .grid {{ stroke: #d0d7de; }} .line {{ stroke: #1f6feb; stroke-width: 2; }} .first {{ fill: #24292f; }} \
         .new {{ fill: #ffffff; stroke: #a04b00; stroke-width: 1.5; }}</style>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    // Writing to a string cannot fail.
    for at in (STEP..width).step_by(STEP) {
        let _ = writeln!(svg, "<path class=\"grid\" d=\"M{at} 0V{height}\"/>");
    }
    for at in (STEP..height).step_by(STEP) {
        let _ = writeln!(svg, "<path class=\"grid\" d=\"M0 {at}H{width}\"/>");
    }
    for stroke in &best.actions {
        let [(a, b), .., (c, d)] = stroke.points();
        let _ = writeln!(svg, "<path class=\"line\" d=\"M{} {}L{} {}\"/>", x(a), y(b), x(c), y(d));
    }
    for &(column, row) in &first {
        let _ = writeln!(svg, "<circle class=\"first\" cx=\"{}\" cy=\"{}\" r=\"5\"/>", x(column), y(row));
    }
    for (index, (column, row)) in best.actions.iter().map(|stroke| stroke.new_point()).enumerate() {
        let (x, y, number) = (x(column), y(row), index + 1);
        let _ = writeln!(svg, "<circle class=\"new\" cx=\"{x}\" cy=\"{y}\" r=\"9\"/>");
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{}\">{number}</text>", y + 4);
    }
    svg + "</svg>\n"
}
