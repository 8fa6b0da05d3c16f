//! The share of wrong actions of a search on P-games, over its iterations (Kocsis and Szepesvári 2006,
//! section 3.1): `ramure-lab p-game`.

use super::files::Files;
use super::output::say;
use super::parallel::{Work, try_map};
use super::{AnyAction, AnyGame, Claim, MOST_VISITS, at_each};
use crate::Failure;
use crate::contest::Estimate;
use crate::pictures::{Curve, Curves, Picture, Scale};
use crate::registry::without_proofs;
use clap::Args;
use ramure::{Budget, Rng, Search, StopReason};
use ramure_games::PGame;
use serde::{Deserialize, Serialize};
use statrs::stats_tests::{Alternative, fishers_exact};
use std::fmt;

/// Measures how often a search chooses a wrong action in P-games, random trees whose exact value is known.
///
/// An action of MAX adds a random number from 0 to 127, an action of MIN subtracts such a number, and MAX
/// wins if the sum is positive. Only trees with both good and bad actions at the root are used. Without
/// options, the program measures the five rows that have published figures, and the first of them with a
/// solver, which takes a minute at most.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Set the actions in every state [default: the published rows]
    #[arg(long, value_name = "B", requires = "depth", value_parser = clap::value_parser!(u8).range(2..))]
    branching: Option<u8>,

    /// Set the actions from the root to a leaf
    #[arg(long, value_name = "D", requires = "branching", value_parser = clap::value_parser!(u8).range(1..))]
    depth: Option<u8>,

    /// Add a search for --branching and --depth, as in ucb1:c=0.7,solver=no; may be repeated [default: ucb1]
    #[arg(long, value_name = "TEXT", requires = "branching", value_parser = search)]
    search: Vec<String>,

    /// Set the number of trees; the published figures are for the default
    #[arg(long, value_name = "N", default_value_t = PUBLISHED_TREES,
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_TREES)))]
    trees: u32,

    /// Check the choice after each of these numbers of iterations, in ascending order
    #[arg(long, value_name = "N,N,..", value_delimiter = ',', default_values_t = PUBLISHED_ITERATIONS,
          value_parser = clap::value_parser!(u32).range(1..=MOST_VISITS))]
    iterations: Vec<u32>,

    #[command(flatten)]
    work: Work,

    #[command(flatten)]
    files: Files,
}

const EXAMPLES: &str = "\
The table shows the share of trees in which the search chose a bad action, with its 95 % interval (Wilson), the \
published share, and a verdict: same, better or WORSE by Fisher's exact test, one-sided, at p = 0.001.

Examples:
  ramure-lab p-game
  ramure-lab p-game --branching 4 --depth 10 --search ucb1:c=0.5
  ramure-lab p-game --branching 2 --depth 20 --iterations 100,1000,10000
  ramure-lab p-game --branching 2 --depth 20 --search ucb1 \\
                    --search ucb1:solver=no --csv wrong.csv --plot wrong.svg";

fn search(text: &str) -> Result<String, String> {
    let tree = PGame::new(2, 2, 0).map_err(|error| error.to_string())?;
    AnyGame::from(tree).searched_by(text)
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
        _ => published().chain([Kind::new(2, 10, "ucb1:c=1.4142135,solver=yes")]).collect(),
    };
    files.check(1, [])?;
    let mut file = files.table(COLUMNS)?;

    say(format_args!("{trees} trees, seed {seed}"))?;
    let mut rows = Vec::new();
    for kind in &plan {
        let row = measure(kind, &settings)?;
        say(format_args!("\n{}", table(&row)))?;
        if let Some(file) = &mut file {
            row.cells.iter().try_for_each(|cell| file.write(record(&row, seed, cell)))?;
        }
        rows.push(row);
    }
    say("")?;
    claims(&rows).iter().try_for_each(say)?;
    files.plot(|path| Ok(picture(&rows, trees).save(path)?))
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

const COLUMNS: &str =
    "branching depth search seed iterations trees wrong share low high proven published verdict";

fn record(row: &Row, seed: u64, cell: &Cell) -> Vec<String> {
    let Kind { branching, depth, search } = &row.kind;
    let mut record = vec![branching.to_string(), depth.to_string(), search.clone(), seed.to_string()];
    record.extend([cell.iterations, cell.trees, cell.wrong].map(|count| count.to_string()));
    record.extend([cell.share.value, cell.share.low, cell.share.high].map(|share| share.to_string()));
    let (share, verdict) = cell.published.unzip();
    let verdict = verdict.map(|verdict| verdict.to_string()).unwrap_or_default();
    record.extend([
        cell.proven.to_string(),
        share.map(|share| share.to_string()).unwrap_or_default(),
        verdict,
    ]);
    record
}

/// A kind of trees, and the search to run on them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kind {
    pub branching: u8,
    pub depth: u8,
    /// The search as a text of the registry of searches.
    pub search: String,
}

impl Kind {
    /// Returns trees of this branching and depth, with this search.
    pub fn new(branching: u8, depth: u8, search: impl Into<String>) -> Self {
        Kind { branching, depth, search: search.into() }
    }

    /// Whether the search has a solver.
    pub fn solves(&self) -> bool {
        self.search.contains("solver=yes") || without_proofs(&self.search) != self.search
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("B{} D{}, {}", self.branching, self.depth, self.search))
    }
}

/// The iterations of the published table.
pub const PUBLISHED_ITERATIONS: [u32; 7] = [100, 300, 1_000, 3_000, 10_000, 30_000, 100_000];

/// The number of trees behind each published share.
pub const PUBLISHED_TREES: u32 = 200;

/// The table of the experiments, section E: the branching, the depth and the search, then the share of wrong
/// actions after each of [`PUBLISHED_ITERATIONS`], as far as it was measured.
const PUBLISHED: [(u8, u8, &str, &[f64]); 5] = [
    (2, 10, "ucb1:c=1.4142135,solver=no", &[0.045, 0.0, 0.0, 0.0, 0.0]),
    (2, 20, "ucb1:c=1.4142135,solver=no", &[0.115, 0.045, 0.045, 0.015, 0.0, 0.0, 0.0]),
    (2, 20, "ucb1:c=0.7,solver=no", &[0.12, 0.055, 0.015, 0.0, 0.0, 0.0, 0.0]),
    (8, 8, "ucb1:c=1.4142135,solver=no", &[0.33, 0.25, 0.185, 0.095, 0.045, 0.005, 0.0]),
    (8, 8, "ucb1:c=0.7,solver=no", &[0.38, 0.255, 0.125, 0.065, 0.01, 0.0, 0.0]),
];

/// Returns the trees and searches of the published table.
pub fn published() -> impl Iterator<Item = Kind> {
    PUBLISHED.iter().map(|&(branching, depth, search, _)| Kind::new(branching, depth, search))
}

/// A share is called different from the published one if chance explains the difference with less than this
/// probability.
pub const SIGNIFICANCE: f64 = 0.001;

/// The most leaves of a tree that this experiment solves.
const MOST_LEAVES: f64 = 4_294_967_296.0;

/// The most trees. All stay in memory until the last is searched.
pub const MOST_TREES: u32 = 1_000_000;

/// The most trees to try, for each one that must have both good and bad actions at the root.
const MOST_TRIED: usize = 1_000;

/// The settings of a measurement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The number of trees, from 1 to [`MOST_TREES`]. All have both good and bad actions at the root.
    pub trees: u32,
    /// The numbers of iterations at the checkpoints, at least 1 each, in ascending order.
    pub iterations: Vec<u32>,
    /// The seed of all random numbers. The trees do not depend on the search.
    pub seed: u64,
    /// The number of threads, which changes only the time.
    pub threads: usize,
}

/// The result on one kind of trees.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    pub kind: Kind,
    pub cells: Vec<Cell>,
}

/// The result after a number of iterations.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cell {
    pub iterations: u32,
    pub trees: u32,
    /// The number of trees in which the search chose a bad action.
    pub wrong: u32,
    /// The share of trees in which the search chose a bad action.
    pub share: Estimate,
    /// The number of trees in which the search had proven its root: 0 without a solver.
    pub proven: u32,
    /// The published share, if there is one, and the verdict of Fisher's test.
    pub published: Option<(f64, Verdict)>,
}

/// Draws the share of wrong actions over the iterations, as a curve with intervals for each row.
pub fn picture(rows: &[Row], trees: u32) -> Curves {
    let mut picture = Curves::new(format!("P-games: how often a search is wrong, on {trees} trees each"))
        .x_label("iterations")
        .x_scale(Scale::Log10)
        .y_label("share of wrong actions, with 95 % intervals")
        .y_percent();
    for row in rows {
        let points = row.cells.iter().map(|cell| (f64::from(cell.iterations), cell.share));
        picture = picture.curve(Curve::of_estimates(row.kind.to_string(), points));
    }
    picture
}

/// The comparison of a measured share with the published one, by Fisher's exact test on each side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Verdict {
    /// Chance can explain the difference.
    Same,
    /// The measured share is smaller, with this probability by chance.
    Better(f64),
    /// The measured share is greater, with this probability by chance.
    Worse(f64),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Same => "same",
            Verdict::Better(_) => "better",
            Verdict::Worse(_) => "WORSE",
        })
    }
}

/// Searches many trees, each with its own seed, and checks the choice at each checkpoint. One search of a
/// tree continues from checkpoint to checkpoint, so a policy that divides the iterations of a run in advance
/// needs a measurement for each.
///
/// # Errors
///
/// Returns an error if a setting is out of range, if the trees are too large to solve, if too few of them have
/// both good and bad actions, or if no policy or checkpoint is given.
pub fn measure(kind: &Kind, settings: &Settings) -> Result<Row, Failure> {
    let Settings { trees, iterations, seed, threads } = settings;
    if *trees == 0 || iterations.is_empty() || !iterations.is_sorted_by(|a, b| a < b) || iterations[0] == 0 {
        return Err("trees and iterations must be above 0, and the iterations in ascending order".into());
    }
    if *trees > MOST_TREES {
        return Err(format!("{trees} trees do not fit in memory; ask for at most {MOST_TREES}").into());
    }
    let problems = trees_with_a_choice(kind, *trees, *seed)?;
    let known = AnyGame::registry();
    let searched = try_map(*threads, problems.len(), |index| {
        let Problem { tree, good, seed } = &problems[index];
        let mut search = known.search(&kind.search, (*tree).into(), *seed)?;
        at_each(iterations.iter().map(|&iterations| iterations.into()), |more| {
            let report = search.run(Budget::iterations(more))?;
            let best = report.try_best_action()?;
            let wrong = !good.iter().any(|&action| best == AnyAction::PGame(action));
            Ok(Look { wrong, proven: report.stop_reason == StopReason::Proven })
        })
    })?;
    let cell = |(index, &iterations): (usize, &u32)| {
        let count =
            |what: fn(&Look) -> bool| searched.iter().filter(|looks| what(&looks[index])).count() as u32;
        let wrong = count(|look| look.wrong);
        let known = published_share(kind, iterations);
        let compare = |share: f64| compare((wrong, *trees), share).map(|verdict| (share, verdict));
        Ok(Cell {
            iterations,
            trees: *trees,
            wrong,
            share: Estimate::wilson(wrong.into(), (*trees).into()).ok_or("there are no trees")?,
            proven: count(|look| look.proven),
            published: known.map(compare).transpose()?,
        })
    };
    let cells = iterations.iter().enumerate().map(cell).collect::<Result<_, Failure>>()?;
    Ok(Row { kind: kind.clone(), cells })
}

/// Returns the claims that these rows can check.
pub fn claims(rows: &[Row]) -> Vec<Claim> {
    let verdicts = rows.iter().flat_map(|row| &row.cells).filter_map(|cell| cell.published);
    let no_worse = verdicts.map(|(_, verdict)| !matches!(verdict, Verdict::Worse(_)));
    let solved =
        rows.iter().filter(|row| row.kind.solves() && (row.kind.branching, row.kind.depth) == (2, 10));
    let at_1k = solved.flat_map(|row| &row.cells).filter(|cell| cell.iterations == 1_000);
    let claims = [
        Claim::of("the share of wrong actions is not above the published (Fisher, p = .001)", no_worse),
        Claim::of(
            "a solver proves all B2 D10 trees within 1k iterations",
            at_1k.map(|cell| cell.proven == cell.trees),
        ),
    ];
    claims.into_iter().filter(|claim| claim.cases > 0).collect()
}

/// Compares `ours`, wrong actions and trees, with a published share.
pub fn compare(ours: (u32, u32), published: f64) -> Result<Verdict, Failure> {
    let theirs = (published * f64::from(PUBLISHED_TREES)).round() as u32;
    let chance = fisher(ours, (theirs, PUBLISHED_TREES))?;
    Ok(if chance.more < SIGNIFICANCE {
        Verdict::Worse(chance.more)
    } else if chance.fewer < SIGNIFICANCE {
        Verdict::Better(chance.fewer)
    } else {
        Verdict::Same
    })
}

fn published_share(kind: &Kind, iterations: u32) -> Option<f64> {
    let row = published().position(|published| published == *kind)?;
    let column = PUBLISHED_ITERATIONS.iter().position(|&published| published == iterations)?;
    PUBLISHED[row].3.get(column).copied()
}

/// A tree to search, the good actions of its root, and the seed of the search.
struct Problem {
    tree: PGame,
    good: Vec<u8>,
    seed: u64,
}

/// Returns the first `trees` trees in which the choice at the root matters.
fn trees_with_a_choice(
    &Kind { branching, depth, .. }: &Kind,
    trees: u32,
    seed: u64,
) -> Result<Vec<Problem>, Failure> {
    if libm::pow(f64::from(branching), f64::from(depth)) > MOST_LEAVES {
        let reason = "has more than 2^32 leaves, which is too many to solve; choose a smaller one";
        return Err(format!("a tree of branching {branching} and depth {depth} {reason}").into());
    }
    let (mut rng, mut problems) = (Rng::seeded(seed), Vec::new());
    let most_tried = MOST_TRIED * trees as usize;
    for _ in 0..most_tried {
        let tree = PGame::new(branching, depth, rng.bits())?;
        let (good, seed) = (tree.good_actions(), rng.bits());
        if !good.is_empty() && good.len() < usize::from(branching) {
            problems.push(Problem { tree, good, seed });
        }
        if problems.len() == trees as usize {
            return Ok(problems);
        }
    }
    let found = problems.len();
    Err(format!(
        "of {most_tried} trees of branching {branching} and depth {depth}, only {found} have both good and bad actions; \
         choose another size, or fewer trees"
    )
    .into())
}

/// The state of a search at a checkpoint.
#[derive(Serialize, Deserialize)]
struct Look {
    wrong: bool,
    proven: bool,
}

/// Fisher's exact test, one-sided: if both have the same rate of hits, the probability that the first has by
/// chance at least as many more, or at least as many fewer, hits than the second. Each argument is a pair of
/// hits and cases.
///
/// # Errors
///
/// Returns an error if there are more hits than cases.
pub fn fisher(first: (u32, u32), second: (u32, u32)) -> Result<OneSided, Failure> {
    let cells = |(hits, cases): (u32, u32)| {
        let misses = cases.checked_sub(hits).ok_or("there are more hits than cases")?;
        Ok::<_, Failure>([u64::from(hits), u64::from(misses)])
    };
    let ([a, b], [c, d]) = (cells(first)?, cells(second)?);
    let table = [a, b, c, d];
    let p = |alternative| fishers_exact(&table, alternative);
    Ok(OneSided { more: p(Alternative::Greater)?, fewer: p(Alternative::Less)? })
}

/// The two probabilities of [`fisher`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OneSided {
    /// The probability of the observed number of hits, or more.
    pub more: f64,
    /// The probability of the observed number of hits, or fewer.
    pub fewer: f64,
}
