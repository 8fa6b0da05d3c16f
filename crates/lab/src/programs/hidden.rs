//! Searches of games with hidden information against each other: `ramure-lab hidden`.

use crate::contest::Conditions;
use crate::experiments::Failure;
use crate::experiments::hidden::{Contest, Effort};
use crate::experiments::output::{self, Files, say};
use crate::experiments::parallel::Work;
use clap::Args;

/// Plays searches against each other in games with hidden information, and prints what was published.
///
/// The players are random, determinized UCT (pimc), SO-ISMCTS, MO-ISMCTS, and UCT that sees everything, as an upper bound. All search the same number
/// of iterations, and none keeps its tree from one action to the next. Each deal is played from all seats.
///
/// With more than two players, each agent plays alone against fields: another agent has all other seats.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The game
    #[arg(value_enum)]
    game: Contest,

    /// Set the number of players of knockout-whist: 2 to 7
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=7))]
    players: u8,

    /// Set the games of each pairing, rounded up to a multiple of the number of players
    #[arg(long, value_name = "N", default_value_t = 200)]
    games: u32,

    /// Set the iterations for each action
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    iterations: u64,

    /// Set the number of guesses among which determinized UCT divides the iterations
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    guesses: u32,

    /// Set the exploration constant of all searches
    #[arg(long, value_name = "C", default_value_t = 0.7)]
    c: f32,

    #[command(flatten)]
    work: Work,

    #[command(flatten)]
    files: Files,
}

const EXAMPLES: &str = "\
Examples:
  ramure-lab hidden knockout-whist
  ramure-lab hidden knockout-whist --players 4 --games 400
  ramure-lab hidden phantom-tic-tac-toe --games 1000 --iterations 2000 --plot elo.svg";

/// Plays the round robin and prints the results.
pub fn run(options: &Options) -> Result<(), Failure> {
    let Options { game, players, games, iterations, guesses, c, work, files } = options;
    files.check(1, [])?;
    let effort = Effort { iterations: *iterations, guesses: *guesses, c: *c };
    let conditions = Conditions::games(games.checked_next_multiple_of((*players).into()).unwrap_or(*games))
        .seed(work.seed)
        .threads(work.threads())
        .stop_handle(output::stop_by_ctrl_c())
        .progress();
    let searched = format!("{iterations} iterations for an action, pimc with {guesses} guesses, c = {c}");
    if *players == 2 {
        let result = game.play(effort, conditions)?;
        say(format_args!("{searched}\n{result}"))?;
        files.csv(|| result.to_csv())?;
        files.plot(|path| output::draw_ratings(&result, path))?;
    } else {
        let result = game.play_fields(*players, effort, conditions)?;
        say(format_args!("{searched}\n{result}"))?;
        files.csv(|| result.to_csv())?;
        files.plot(|path| output::draw_fields(&result, path))?;
    }
    say(game.published())
}
