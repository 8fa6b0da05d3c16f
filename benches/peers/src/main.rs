//! Compares ramure with other searches, and with itself under other policies: the same position, rules,
//! rollout and number of iterations. Prints a table. `run.sh` builds it, gets OpenSpiel, and runs it.

mod arbor;
mod board;
mod board_game;
mod by_hand;
mod child;
mod compare;
mod contest;
mod found;
mod mctrust;
mod mcts;
mod memory;
mod minimax;
mod monte_carlo_tree_search;
mod ours;
#[path = "../../common/own_ucb1.rs"]
mod own_ucb1;
mod peer;
mod policies;
mod position;
mod quiet;
mod table;
mod threads;
mod treant;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

/// Compares ramure with other searches: Connect 4 from the empty board
///
/// Each search is a separate process. In each round every peer makes one run, all with the same seed. Each
/// round begins with another peer, so that other load on the machine affects all peers equally.
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    part: Option<Part>,
    #[command(flatten)]
    options: compare::Options,
}

/// The commands that the program runs itself with, in separate processes.
#[derive(Subcommand)]
enum Part {
    /// Prints the time, the iterations and the bytes of one search
    #[command(hide = true)]
    Measure(child::Search),
    /// Prints the columns chosen in positions
    #[command(hide = true)]
    Check {
        #[command(flatten)]
        search: child::Search,
        positions: Vec<String>,
    },
    /// Plays the positions on the standard input, for a contest
    #[command(hide = true)]
    Play(contest::Player),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match cli.part {
        Some(Part::Measure(search)) => search.measure(),
        Some(Part::Check { search, positions }) => search.check(&positions),
        Some(Part::Play(player)) => player.play(),
        None => compare::run(cli.options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
