//! `ramure-mpi`: searches over the ranks of MPI.

mod commands;

use clap::{Args, Parser, Subcommand};
use commands::{Failure, matches, play, search};
use ramure::games::sudo_tic_tac_toe::Mode;
use ramure::games::{Connect4, Hex, SudoTicTacToe, TicTacToe};
use ramure::search::{Exchange, Link};
use ramure::{Budget, Forest, GameState, Mcts};
use ramure_mpi::{Delayed, MpiLink};
use std::process::ExitCode;
use std::time::Duration;

/// Searches games over MPI: start it with the launcher of your MPI, as in `mpirun -n 4 ramure-mpi search connect4`
#[derive(Parser)]
#[command(
    version,
    about,
    after_help = "Games: connect4, hex:N (N from 2 to 11), tic-tac-toe, sudo-tic-tac-toe"
)]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Search the start of a game once, and print the report and the cost of the exchanges
    Search(Setting),
    /// Play against the search; the first rank reads and prints
    Play(Setting),
    /// Play matches of all ranks against one tree with as many iterations, and print the score
    Match {
        #[command(flatten)]
        setting: Setting,
        /// Play N games, each opening twice
        #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(2..))]
        games: u32,
    },
}

/// The game and the search.
#[derive(Args, Clone)]
struct Setting {
    /// The game
    #[arg(value_name = "GAME")]
    game: String,
    /// Search with N trees in all [default: one for each thread of each rank]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    trees: Option<u16>,
    /// Use N threads on each rank
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
    /// Make N iterations per action, with all trees together [default: 100000, unless there is --time]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "time")]
    iterations: Option<u64>,
    /// Search for MS milliseconds per action
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    time: Option<u64>,
    /// Set the seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Exchange when all trees together have added this share of the root's visits
    #[arg(long, value_name = "SHARE", default_value_t = 0.01)]
    every: f64,
    /// Make at least N iterations per tree between two exchanges
    #[arg(long, value_name = "N", default_value_t = 250)]
    least_iterations: u32,
    /// Delay each message by MICROSECONDS, to see what a slower network costs
    #[arg(long, value_name = "MICROSECONDS", default_value_t = 0)]
    delay: u64,
}

impl Setting {
    fn budget(&self) -> Budget {
        match self.time {
            Some(time) => Budget::time(Duration::from_millis(time)),
            None => Budget::iterations(self.iterations.unwrap_or(100_000)),
        }
    }

    fn trees(&self, link: &impl Link) -> usize {
        self.trees.map_or(usize::from(self.threads) * link.ranks(), usize::from)
    }

    fn forest<G: GameState>(&self, state: G, link: &impl Link) -> Forest<G> {
        let exchange = Exchange::new().every(self.every).least_iterations(self.least_iterations);
        let search = Mcts::new(state).seed(self.seed).parallel(self.trees(link));
        search.threads(self.threads.into()).exchange(exchange)
    }
}

/// Does `work` with the start of the game that `$setting` names.
macro_rules! with_game {
    ($setting:expr, $work:expr) => {
        match $setting.game.as_str() {
            "connect4" => $work(Connect4::new()),
            "tic-tac-toe" => $work(TicTacToe::new()),
            "sudo-tic-tac-toe" => $work(SudoTicTacToe::new(Mode::LocalWin)),
            other => match other.strip_prefix("hex:").and_then(|size| size.parse().ok()).map(Hex::new) {
                Some(Ok(hex)) => $work(hex),
                _ => Err(Failure::NoGame(other.into())),
            },
        }
    };
}

fn main() -> ExitCode {
    let options = Options::parse();
    let link = match MpiLink::start() {
        Ok(link) => link,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    if link.ranks() == 1 {
        eprintln!("one rank: start this with a launcher, as in `mpirun -n 4 ramure-mpi ...`, to use more");
    }
    let setting = match &options.command {
        Command::Search(setting) | Command::Play(setting) | Command::Match { setting, .. } => setting.clone(),
    };
    let link = &mut Delayed::new(link, Duration::from_micros(setting.delay));
    let result = match options.command {
        Command::Search(_) => with_game!(setting, |state| search::run(&setting, state, link)),
        Command::Play(_) => with_game!(setting, |state| play::run(&setting, state, link)),
        Command::Match { games, .. } => {
            with_game!(setting, |state| matches::run(&setting, games, state, link))
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // The same failure on all ranks is printed once.
            if link.rank() == 0 || !failure.is_everywhere() {
                eprintln!("error: {failure}");
            }
            ExitCode::FAILURE
        }
    }
}
