//! A person against the search, in games with secrets: `ramure-lab play`.

use clap::{Args, Subcommand, ValueEnum};
use ramure::search::Budget;
use ramure_lab::experiments::Failure;
use ramure_lab::experiments::table::{self, Person};
use ramure_lab::games::goofspiel::Prizes;
use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

/// Plays a game with secrets against the search. You see only your side.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    #[command(subcommand)]
    game: Game,

    /// Set the time of the search for each action, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 500, global = true, value_parser = clap::value_parser!(u64).range(1..))]
    time: u64,

    /// Set the seed of the cards and of the search [default: from the clock]
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
  ramure-lab play goofspiel --cards 13 --prizes descending --time 1000";

/// Plays one game.
pub fn run(options: &Options) -> Result<(), Failure> {
    let budget = Budget::millis(options.time);
    // Any moment will do, also one before 1970.
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64);
    let seed = options.seed.unwrap_or_else(clock);
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
    }
}
