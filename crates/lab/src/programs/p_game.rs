//! The share of wrong actions of a search over its iterations: `ramure-lab p-game`.

use crate::experiments::Failure;
use crate::experiments::games::AnyGame;
use crate::experiments::output::{Files, say};
use crate::experiments::p_games::{self, Cell, Kind, Row, Settings};
use crate::experiments::parallel::Work;
use crate::pictures::Picture;
use clap::Args;
use ramure::games::PGame;

/// Measures how often a search chooses a wrong action in P-games, random trees whose exact value is known.
///
/// An action of MAX adds a random number from 0 to 127, an action of MIN subtracts such a number, and MAX wins if the
/// sum is positive. Only trees with both good and bad actions at the root are used. Without options, the program
/// measures the five rows that have published figures, and the first of them with a solver, which takes a minute at
/// most.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Set the actions in every state [default: the published rows]
    #[arg(long, value_name = "B", requires = "depth", value_parser = clap::value_parser!(u8).range(2..))]
    branching: Option<u8>,

    /// Set the actions from the root to a leaf
    #[arg(long, value_name = "D", requires = "branching", value_parser = clap::value_parser!(u8).range(1..))]
    depth: Option<u8>,

    /// Add a search for --branching and --depth, as in ucb1:c=0.7,solver=yes; may be repeated [default: ucb1]
    #[arg(long, value_name = "TEXT", requires = "branching", value_parser = search)]
    search: Vec<String>,

    /// Set the number of trees; the published figures are for the default
    #[arg(long, value_name = "N", default_value_t = p_games::PUBLISHED_TREES,
          value_parser = clap::value_parser!(u32).range(1..=i64::from(p_games::MOST_TREES)))]
    trees: u32,

    /// Check the choice after each of these numbers of iterations, in ascending order
    #[arg(long, value_name = "N,N,..", value_delimiter = ',', default_values_t = p_games::PUBLISHED_ITERATIONS,
          value_parser = clap::value_parser!(u32).range(1..=MOST_ITERATIONS))]
    iterations: Vec<u32>,

    #[command(flatten)]
    work: Work,

    #[command(flatten)]
    files: Files,
}

/// The most visits that a search can count.
const MOST_ITERATIONS: i64 = 2_147_483_647;

const EXAMPLES: &str = "\
The table shows the share of trees in which the search chose a bad action, with its 95 % interval (Wilson), the published
share, and a verdict: same, better or WORSE by Fisher's exact test, one-sided, at p = .001.

Examples:
  ramure-lab p-game
  ramure-lab p-game --branching 4 --depth 10 --search ucb1:c=0.5 --iterations 100,1000,10000
  ramure-lab p-game --branching 2 --depth 20 --search ucb1:solver=yes --csv wrong.csv --plot wrong.svg";

fn search(text: &str) -> Result<String, String> {
    let tree = PGame::new(2, 2, 0).map_err(|error| error.to_string())?;
    let known = AnyGame::registry().search(text, tree.into(), 0);
    known.map(|_| text.to_owned()).map_err(|error| error.to_string())
}

/// Runs the experiment, and prints the results.
pub fn run(options: Options) -> Result<(), Failure> {
    let Options { trees, iterations, files, .. } = options;
    let seed = options.work.seed;
    if !iterations.is_sorted_by(|a, b| a < b) {
        return Err("--iterations are not in ascending order; write them as in 100,1000,10000".into());
    }
    let threads = options.work.threads();
    let settings = Settings { trees, iterations, seed, threads };
    let plan: Vec<Kind> = match (options.branching, options.depth) {
        (Some(branching), Some(depth)) => {
            let searches = if options.search.is_empty() { vec!["ucb1".to_owned()] } else { options.search };
            searches.into_iter().map(|search| Kind::new(branching, depth, search)).collect()
        }
        _ => {
            let published = p_games::PUBLISHED.iter().map(|row| row.kind());
            published.chain([Kind::new(2, 10, "ucb1:solver=yes")]).collect()
        }
    };
    files.check(1, [])?;
    let mut file = files.table(&COLUMNS)?;

    say(format_args!("{trees} trees, seed {seed}"))?;
    let mut rows = Vec::new();
    for kind in &plan {
        let row = p_games::measure(kind, &settings)?;
        say(format_args!("\n{}", table(&row)))?;
        if let Some(file) = &mut file {
            row.cells.iter().try_for_each(|cell| file.write(record(&row, seed, cell)))?;
        }
        rows.push(row);
    }
    say("")?;
    p_games::claims(&rows).iter().try_for_each(say)?;
    files.plot(|path| Ok(p_games::picture(&rows, trees).save(path)?))
}

fn table(row: &Row) -> String {
    let proven = if row.kind.solves() { "  proven" } else { "" };
    let mut table = format!(
        "{}\n{:>10} {:>22} {:>9} {:>7}{proven}",
        row.kind, "iterations", "share of wrong actions", "published", "verdict"
    );
    for cell in &row.cells {
        let (published, verdict) = match cell.published {
            Some((share, verdict)) => (share.to_string(), verdict.to_string()),
            None => ("-".into(), "-".into()),
        };
        let share = format!("{:.3}", cell.share);
        table += &format!("\n{:>10} {share:>22} {published:>9} {verdict:>7}", cell.iterations);
        if row.kind.solves() {
            table += &format!(" {:>5.1} %", 100.0 * f64::from(cell.proven) / f64::from(cell.trees));
        }
    }
    table
}

const COLUMNS: [&str; 13] = [
    "branching",
    "depth",
    "search",
    "seed",
    "iterations",
    "trees",
    "wrong",
    "share",
    "low",
    "high",
    "proven",
    "published",
    "verdict",
];

fn record(row: &Row, seed: u64, cell: &Cell) -> [String; COLUMNS.len()] {
    let Kind { branching, depth, search, .. } = row.kind.clone();
    let [branching, depth] = [branching, depth].map(|n| n.to_string());
    let seed = seed.to_string();
    let counts = [cell.iterations, cell.trees, cell.wrong, cell.proven].map(|n| n.to_string());
    let [iterations, trees, wrong, proven] = counts;
    let [share, low, high] = [cell.share.value, cell.share.low, cell.share.high].map(|x| x.to_string());
    let (published, verdict) = match cell.published {
        Some((share, verdict)) => (share.to_string(), verdict.to_string()),
        None => Default::default(),
    };
    [branching, depth, search, seed, iterations, trees, wrong, share, low, high, proven, published, verdict]
}
