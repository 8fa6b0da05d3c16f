//! Hex for other programs: `ramure-lab htp`.

use crate::Failure;
use crate::htp::{Engine, Settings, serve};
use clap::Args;
use ramure::Budget;
use std::io;

/// Plays Hex by the Hex Text Protocol, with HexGui and the tools of other Hex programs.
///
/// The program reads commands from its input and answers them: genmove, play, undo, boardsize, showboard,
/// time_settings, loadsgf and others; list_commands lists them. Black moves first and joins top and bottom.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Set the search: a tree policy with the parameters of mcts, without a budget
    #[arg(long, value_name = "TEXT", default_value = "grave")]
    search: String,

    /// Set the number of rows of the board: 2 to 19
    #[arg(long, value_name = "N", default_value_t = 11)]
    size: u8,

    /// Do not let the second player swap
    #[arg(long)]
    no_swap: bool,

    /// Set the time for each move, in milliseconds; the command time_settings replaces it
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    time: u64,

    /// Search by iterations instead of time; then the seed fixes each move
    #[arg(long, value_name = "N", conflicts_with = "time", value_parser = clap::value_parser!(u64).range(1..))]
    iterations: Option<u64>,

    /// Set the seed of the search
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

const EXAMPLES: &str = "\
Examples:
  ramure-lab htp --size 7 --time 500
  printf 'boardsize 5\\ngenmove black\\nshowboard\\n' | ramure-lab htp

In HexGui, choose Program > New Program, and give the command: ramure-lab htp";

/// Answers commands until the input ends.
pub fn run(options: Options) -> Result<(), Failure> {
    let Options { search, size, no_swap, time, iterations, seed } = options;
    let budget = iterations.map_or(Budget::millis(time), Budget::iterations);
    let mut engine = Engine::new(Settings { search, size, swap: !no_swap, budget, seed })?;
    Ok(serve(&mut engine, io::stdin().lock(), io::stdout().lock())?)
}
