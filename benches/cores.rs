//! Measures what threads are worth: the iterations a second of searches on several threads against those of a
//! plain search, which has one thread and no window, for natural games and for two of the crate. `cargo bench
//! -p ramure-benches --bench cores`; with `-- --help`, the options.
//!
//! The searches of a row take turns, and each ratio is the median over the rounds, with the smallest and the
//! largest in brackets. So the drift of a machine cancels out. The row of one thread shows the price of the
//! window. Use a machine with as many idle cores as threads.

#[path = "natural/chess.rs"]
mod chess;
#[path = "natural/five_in_a_row.rs"]
mod five_in_a_row;
#[path = "natural/othello.rs"]
mod othello;
#[path = "natural/pawns.rs"]
mod pawns;
#[path = "natural/tricks.rs"]
mod tricks;

use clap::Parser;
use ramure::prelude::*;
use ramure_games::{Connect4, Hex};
use std::error::Error;

/// Measures searches on several threads.
#[derive(Parser)]
struct Cli {
    /// Search on this many threads; several numbers give several rows
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2])]
    threads: Vec<usize>,
    /// Measure only the games whose name contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Search this long for each figure, in milliseconds
    #[arg(long, default_value_t = 300)]
    millis: u64,
    /// Let the searches take turns so often
    #[arg(long, default_value_t = 9)]
    rounds: u64,
    /// Set the exploration constant
    #[arg(long, default_value_t = 0.7)]
    c: f32,
    /// Passed by cargo
    #[arg(long, hide = true)]
    bench: bool,
    /// Runs a smoke test, as in criterion
    #[arg(long, hide = true)]
    test: bool,
}

impl Cli {
    /// Returns the iterations a second of a new search.
    fn speed(&self, mut search: impl Search) -> Result<f64, SearchError> {
        let report = search.run(Budget::millis(self.millis))?;
        Ok(report.iterations as f64 / report.time.as_secs_f64())
    }

    /// Prints the rows of a game.
    fn game<G: GameState<Action: Send> + Send>(&self, name: &str, start: &G) -> Result<(), SearchError> {
        if !name.contains(&self.only) {
            return Ok(());
        }
        for &threads in &self.threads {
            let [mut one, mut several, mut ratios] = [const { Vec::new() }; 3];
            for seed in 0..self.rounds {
                // Without proofs, so that the search does not end before.
                let plain = || {
                    let search = Mcts::new(start.clone()).tree_policy(Ucb1::new(self.c));
                    search.backprop(Average).seed(seed)
                };
                one.push(self.speed(plain())?);
                several.push(self.speed(plain().threads(threads))?);
                ratios.push(several[several.len() - 1] / one[one.len() - 1]);
            }
            let [one, several, [least, ratio, greatest]] = [one, several, ratios].map(spread);
            println!(
                "| {name} | {threads} | {:.0} | {:.0} | {ratio:.2} ({least:.2} to {greatest:.2}) |",
                one[1], several[1]
            );
        }
        Ok(())
    }
}

/// Returns the smallest, the median and the largest.
fn spread(mut figures: Vec<f64>) -> [f64; 3] {
    figures.sort_by(f64::total_cmp);
    [0, figures.len() / 2, figures.len() - 1].map(|index| figures[index])
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut cli = Cli::parse();
    if cli.test {
        (cli.millis, cli.rounds) = (5, 1);
    }
    println!("| game | threads | plain, iterations a second | `threads(n)` | times as fast |");
    println!("|---|---:|---:|---:|---:|");
    cli.game("five-in-a-row", &five_in_a_row::FiveInARow::new())?;
    cli.game("pawns", &pawns::Pawns::new())?;
    cli.game("othello", &othello::Othello::new())?;
    cli.game("chess", &chess::Chess::new())?;
    cli.game("tricks", &tricks::Tricks::new(1))?;
    cli.game("connect4", &Connect4::new())?;
    cli.game("hex11", &Hex::new(11)?)?;
    println!("\n{} ms a search, the medians of {} rounds.", cli.millis, cli.rounds);
    Ok(())
}
