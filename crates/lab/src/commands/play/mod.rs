//! A person at a table: games with secrets against the search, and 2048 with its advice: `ramure-lab play`.

pub mod game_2048;
pub mod table;

use super::output::say;
use crate::Failure;
use crate::games::goofspiel::Prizes;
use clap::{Args, Subcommand, ValueEnum};
use game_2048::Kind;
use ramure::Budget;
use std::io;
use std::time::{SystemTime, UNIX_EPOCH};
use table::Person;

/// Plays a card game against the search, where you see only your side; or 2048, where the search
/// gives advice.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    #[command(subcommand)]
    game: Game,

    /// Set the time of the search for each action, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 500, global = true, value_parser = clap::value_parser!(u64).range(1..))]
    time: u64,

    /// Set the seed of cards, tiles and searches [default: from the clock; 0 with --games]
    #[arg(long, value_name = "N", global = true)]
    seed: Option<u64>,
}

#[derive(Subcommand)]
enum Game {
    /// Win tricks, or you are out: Knockout Whist
    KnockoutWhist {
        /// Set the number of players, with you: 2 to 7
        #[arg(long, value_name = "N", default_value_t = 3)]
        players: u8,
    },
    /// Bid cards for prizes, at the same time as the search
    Goofspiel {
        /// Set the number of cards: 1 to 13
        #[arg(long, value_name = "N", default_value_t = 6)]
        cards: u8,

        /// Set the order of the prizes
        #[arg(long, value_enum, default_value_t = Order::Drawn)]
        prizes: Order,
    },
    /// Slide and merge tiles: 2048. The search gives advice, or plays
    #[command(name = "2048")]
    Game2048 {
        /// Let the searches play N games alone, and print their mean points and how often they reach the tile
        /// 2048, with standard errors
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        games: Option<u32>,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum Order {
    Drawn,
    Descending,
    Ascending,
}

const EXAMPLES: &str = "\
Examples:
  ramure-lab play knockout-whist --players 4
  ramure-lab play goofspiel --cards 13 --prizes descending --time 1000
  ramure-lab play 2048
  ramure-lab play 2048 --games 20 --time 10

Board games: `cargo run --release --example connect4`; also hex, tic_tac_toe and
sudo_tic_tac_toe. In a browser: `cargo run --release -p ramure-web -- serve`.";

/// Plays one game.
pub fn run(options: Options) -> Result<(), Failure> {
    let budget = Budget::millis(options.time);
    // Any moment will do, also one before 1970.
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64);
    let seed = options.seed.unwrap_or_else(clock);
    if let Game::Game2048 { games: Some(games) } = options.game {
        return alone(games, budget, options.seed.unwrap_or(0));
    }
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let person = &mut Person { input: &mut input, output: &mut output };
    match options.game {
        Game::KnockoutWhist { players } => table::knockout_whist(players, budget, seed, person),
        Game::Goofspiel { cards, prizes } => {
            let order = match prizes {
                Order::Drawn => Prizes::Drawn,
                Order::Descending => Prizes::Descending,
                Order::Ascending => Prizes::Ascending,
            };
            table::goofspiel(cards, order, budget, seed, person)
        }
        Game::Game2048 { .. } => game_2048::with_person(budget, seed, person),
    }
}

/// Lets each search play games of 2048, one at a time because they look at the clock.
fn alone(games: u32, budget: Budget, seed: u64) -> Result<(), Failure> {
    say("search        games      mean points  share with a tile of 2048")?;
    for (kind, games) in [(Kind::Random, games.max(200)), (Kind::ChanceNodes, games), (Kind::OpenLoop, games)]
    {
        say(game_2048::alone(kind, games, budget, seed)?)?;
    }
    Ok(())
}
