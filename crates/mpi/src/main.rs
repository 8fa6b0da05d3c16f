//! `ramure-mpi`: searches, contests and experiments over the ranks of MPI.

mod commands;
mod help;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use commands::{NoGame, is_everywhere, matches, play, search};
use ramure::games::sudo_tic_tac_toe::Mode;
use ramure::games::{Connect4, Hex, SudoTicTacToe, TicTacToe};
use ramure::prelude::*;
use ramure::search::{Exchange, Forest, Link};
use ramure_lab::Failure;
use ramure_lab::commands::{AnyGame, bandit, compare, hidden, leduc, p_game, puzzle, tune};
use ramure_lab::contest::in_full;
use ramure_lab::ranks;
use ramure_mpi::{Delayed, MpiLink, spread};
#[cfg(feature = "networks")]
use ramure_nets::program::{train, with_net};
use std::process::ExitCode;
use std::time::Duration;

/// Searches games, and runs the contests and experiments of ramure-lab, over MPI
///
/// Start it with the launcher of your MPI, as in `mpirun -n 4 ramure-mpi search connect4`.
#[derive(Parser)]
#[command(
    version,
    about,
    max_term_width = 80,
    after_help = "Games of search, play and match: connect4, hex:N (N from 2 to 11), tic-tac-toe, sudo-tic-tac-toe"
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
    Compare(compare::Options),
    Tune(tune::Options),
    Bandit(bandit::Options),
    PGame(p_game::Options),
    Hidden(hidden::Options),
    Leduc(leduc::Options),
    Puzzle(puzzle::Options),
    #[cfg(feature = "networks")]
    Train(train::Options),
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
    #[arg(long, value_name = "SHARE", default_value_t = 0.02)]
    every: f64,
    /// Make at least N iterations per tree between two exchanges
    #[arg(long, value_name = "N", default_value_t = 250)]
    least_iterations: u32,
    /// Search on while messages are under way: what a tree finds reaches the others one round later
    #[arg(long)]
    overlap: bool,
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

    fn forest<G: GameState>(&self, state: G, link: &impl Link) -> Mcts<G, Ucb1, Uniform, Average, Forest> {
        let exchange =
            Exchange::new().every(self.every).least_iterations(self.least_iterations).overlap(self.overlap);
        let search = Mcts::new(state).backprop(Average).seed(self.seed).parallel(self.trees(link));
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
                _ => Err(NoGame(other.into()).into()),
            },
        }
    };
}

fn main() -> ExitCode {
    let words = help::over_ranks(Options::command()).try_get_matches();
    let options = words.and_then(|words| Options::from_arg_matches(&words));
    let mut link = match MpiLink::start() {
        Ok(link) => link,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    agree(&mut link);
    let options = match options {
        Ok(options) => options,
        Err(error) => {
            // All ranks have the same arguments, so one of them says what is wrong.
            if link.is_first() {
                let _ = error.print();
            }
            return ExitCode::from(error.exit_code() as u8);
        }
    };
    if Link::ranks(&link) == 1 {
        eprintln!("one rank: start this with a launcher, as in `mpirun -n 4 ramure-mpi ...`, to use more");
    }
    match options.command {
        Command::Search(setting) => search_game(link, &setting, &|link| {
            with_game!(setting, |state| search::run(&setting, state, link))
        }),
        Command::Play(setting) => {
            search_game(link, &setting, &|link| with_game!(setting, |state| play::run(&setting, state, link)))
        }
        Command::Match { setting, games } => search_game(link, &setting, &|link| {
            with_game!(setting, |state| matches::run(&setting, games, state, link))
        }),
        Command::Compare(options) => spread(link, || contest(&options)),
        Command::Tune(options) => spread(link, || tune::run(options)),
        Command::Bandit(options) => spread(link, || bandit::run(options)),
        Command::PGame(options) => spread(link, || p_game::run(options)),
        Command::Hidden(options) => spread(link, || hidden::run(options)),
        Command::Leduc(options) => spread(link, || leduc::run(options)),
        Command::Puzzle(options) => spread(link, || puzzle::run(options)),
        #[cfg(feature = "networks")]
        Command::Train(options) => spread(link, || train::run(options)),
    }
}

/// Plays a contest.
fn contest(options: &compare::Options) -> Result<(), Failure> {
    let known = AnyGame::registry();
    #[cfg(feature = "networks")]
    let known = with_net(known, &options.start()?);
    options.run(&known)
}

/// Ends all ranks if one was started in another way than the first.
fn agree(link: &mut MpiLink) {
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    let build = ranks::build().map_or("unknown".into(), |build| format!("{build:016x}"));
    let here =
        format!("version {}, build {build}: {}", env!("CARGO_PKG_VERSION"), Vec::from_iter(words).join(" "));
    let reason = match link.share(Some(here.clone())) {
        Ok(there) if there == here => return,
        Ok(there) => format!(
            "it is {here}, but rank 0 is {there}; start all ranks with the same program and the same arguments"
        ),
        Err(error) => error.to_string(),
    };
    eprintln!("error: rank {}: {reason}", Link::rank(link));
    link.abort(1)
}

/// Runs a search.
fn search_game(
    link: MpiLink,
    setting: &Setting,
    work: &dyn Fn(&mut Delayed<MpiLink>) -> Result<(), Failure>,
) -> ExitCode {
    let link = &mut Delayed::new(link, Duration::from_micros(setting.delay));
    match work(link) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // The same failure on all ranks is printed once.
            if link.rank() == 0 || !is_everywhere(&failure) {
                eprintln!("error: {}", in_full(&*failure));
            }
            ExitCode::FAILURE
        }
    }
}
