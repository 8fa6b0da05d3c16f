//! How near searches come to an equilibrium of Leduc poker: `ramure-lab leduc`.

use crate::contest::Estimate;
use crate::experiments::Failure;
use crate::experiments::leduc::{self, Row, Settings};
use crate::experiments::output::{Files, say};
use crate::experiments::parallel::Work;
use crate::experiments::statistics::mean_in_words;
use crate::pictures::Picture;
use clap::Args;

/// Measures how far searches are from an equilibrium of Leduc poker.
///
/// The exploitability is how much a perfect opponent wins, as the mean of both seats, in chips per game. It is 0 in an equilibrium. Outcome sampling and MO-ISMCTS search
/// the whole game from its start. SO-ISMCTS searches at each information set, with an equal share of the iterations.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Look after each of these numbers of iterations, in ascending order
    #[arg(long, value_name = "N,N,..", value_delimiter = ',',
          default_values_t = [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000],
          value_parser = clap::value_parser!(u64).range(1_000..=2_000_000_000))]
    iterations: Vec<u64>,

    /// Set the number of runs, with a seed each; intervals need two or more
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    runs: u32,

    /// Set the exploration constant of MO-ISMCTS and SO-ISMCTS
    #[arg(long, value_name = "C", default_value_t = 0.7)]
    c: f32,

    #[command(flatten)]
    work: Work,

    #[command(flatten)]
    files: Files,
}

const EXAMPLES: &str = "\
Published: the average strategy of outcome sampling approaches an equilibrium (Lisy, Lanctot, Bowling 2015); that of UCT with a tree for each
player does not (Heinrich, Silver 2015).

Examples:
  ramure-lab leduc
  ramure-lab leduc --iterations 1000,10000,100000,1000000,10000000 --runs 5 --plot leduc.svg";

/// Runs the experiment, and prints the results.
pub fn run(options: Options) -> Result<(), Failure> {
    let Options { iterations, runs, c, work, files } = options;
    if !iterations.is_sorted_by(|a, b| a < b) {
        return Err("--iterations are not in ascending order; write them as in 1000,10000,100000".into());
    }
    files.check(1, [])?;
    let settings = Settings { iterations, runs, c, seed: work.seed, threads: work.threads() };
    let measured = leduc::measure(&settings)?;
    let shown = match runs {
        1 => "one run, without an interval",
        _ => "mean and 95 % interval",
    };
    say(format_args!(
        "exploitability in chips, runs: {runs}, c = {c}; uniform play: {:.3}\n{:<16} {:>10}  {shown}",
        measured.uniform, "search", "iterations"
    ))?;
    for Row { kind, points } in &measured.rows {
        for (iterations, point) in points {
            let mean = mean_in_words(*point, runs as usize, 4);
            say(format_args!("{:<16} {iterations:>10}  {mean}", kind.to_string()))?;
        }
    }
    files.csv(|| {
        let row = |Row { kind, points }: &Row| {
            let line = |&(iterations, Estimate { value, low, high }): &(u64, Estimate)| match runs {
                1 => format!("{kind},{iterations},{runs},{value},,\n"),
                _ => format!("{kind},{iterations},{runs},{value},{low},{high}\n"),
            };
            points.iter().map(line).collect::<String>()
        };
        let rows: String = measured.rows.iter().map(row).collect();
        format!("search,iterations,runs,exploitability,low,high\n{rows}")
    })?;
    files.plot(|path| Ok(leduc::picture(&measured, &settings).save(path)?))
}
