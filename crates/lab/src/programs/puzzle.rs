//! Searches for the best line of a puzzle: `ramure-lab puzzle`.

use crate::experiments::Failure;
use crate::experiments::output::{Files, say};
use crate::experiments::parallel::Work;
use crate::experiments::puzzles::{self, PUZZLES, Puzzle, Recipe, Row, SEARCHES, Settings};
use crate::experiments::statistics::mean_in_words;
use crate::pictures::Picture;
use clap::Args;

/// Compares searches for the best line of a puzzle, on the same instances.
///
/// An instance is a board of SameGame, or a seed of the search. The first search is the one to which the others are compared. A row shows
/// the mean score, by which share it is above that of the first search, both with 95 % intervals if there are two instances or more, and the
/// least and the greatest score.
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help())]
pub struct Options {
    /// The puzzle
    #[arg(help = format!("The puzzle: {PUZZLES}"))]
    puzzle: Puzzle,

    /// The searches, as in flat nested:2 nrpa:3,n=50 (--help lists all words)
    #[arg(value_name = "SEARCH", default_values = ["flat", "sp-mcts:25000", "nested:2", "nested:2,beam=4", "nrpa:3,n=46", "nrpa:3,n=46,beam=4"])]
    searches: Vec<Recipe>,

    /// Set the number of instances: boards of SameGame, or seeds
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    instances: u32,

    /// Set the number of rollouts of each search
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "pass")]
    rollouts: u64,

    /// Make one pass of each search, however many rollouts that takes
    #[arg(long)]
    pass: bool,

    #[command(flatten)]
    work: Work,

    #[command(flatten)]
    files: Files,
}

const EXAMPLES: &str = "\
Examples:
  ramure-lab puzzle same-game
  ramure-lab puzzle same-game flat nrpa:2 nrpa:2,alpha=0.5 --rollouts 10000 --plot same_game.svg
  ramure-lab puzzle morpion-5d nested:3 nrpa:3 --pass --instances 10";

fn long_help() -> String {
    format!("Searches:\n{SEARCHES}\n\n{EXAMPLES}")
}

/// Runs the searches, and prints the results.
pub fn run(options: Options) -> Result<(), Failure> {
    let Options { puzzle, searches, instances, rollouts, pass, work, files } = options;
    files.check(1, [])?;
    let rollouts = (!pass).then_some(rollouts);
    let settings =
        Settings { puzzle, searches, instances, rollouts, seed: work.seed, threads: work.threads() };
    let rows = puzzles::measure(&settings)?;
    let width = rows.iter().map(|row| row.search.len()).max().unwrap_or(0);
    say(format_args!(
        "{puzzle}, {instances} instances from seed {}\n{:<width$}  {:<28} {:<28} {:>6} {:>8} {:>11} {:>9}",
        work.seed, "search", "mean score", "above the first, %", "least", "greatest", "rollouts", "seconds"
    ))?;
    for row in puzzles::ranked(&rows) {
        let above = row.above(&rows[0]);
        let percent = crate::contest::Estimate {
            value: 100.0 * above.value,
            low: 100.0 * above.low,
            high: 100.0 * above.high,
        };
        let (least, greatest) = bounds(row);
        say(format_args!(
            "{:<width$}  {:<28} {:<28} {least:>6} {greatest:>8} {:>11.0} {:>9.2}",
            row.search,
            mean_in_words(row.mean(), row.scores.len(), 1),
            mean_in_words(percent, row.scores.len(), 1),
            row.rollouts,
            row.seconds
        ))?;
    }
    files.csv(|| {
        let line = |row: &Row| {
            let of = |(number, score): (usize, &f64)| format!("\"{}\",{number},{score}\n", row.search);
            row.scores.iter().enumerate().map(of).collect::<String>()
        };
        format!("search,instance,score\n{}", rows.iter().map(line).collect::<String>())
    })?;
    files.plot(|path| Ok(puzzles::picture(&rows, &settings).save(path)?))
}

fn bounds(row: &Row) -> (f64, f64) {
    let least = row.scores.iter().copied().fold(f64::INFINITY, f64::min);
    (least, row.scores.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}
