//! The regret of tree policies on bandits: `ramure-lab bandit`.

use crate::experiments::Failure;
use crate::experiments::bandits::{self, POLICIES, Point, Row, Settings};
use crate::experiments::games::AnyGame;
use crate::experiments::output::{Files, say};
use crate::experiments::parallel::Work;
use crate::pictures::Picture;
use clap::Args;
use ramure::games::Bandit;

/// Measures the regret of tree policies on the K-armed bandit.
///
/// Each arm wins with its own probability, which the player does not know. The gap of an arm is the best arm's probability
/// minus its own. The regret of a run is the sum, over all arms, of the plays of the arm times its gap. Each policy runs in the
/// search itself, on a game of one action. Without options, the program runs three policies on the six bandits that have
/// published figures, which takes a minute at most.
#[derive(Args)]
#[command(after_help = EXAMPLES, mut_arg("csv", |csv| csv.help(CSV)), mut_arg("plot", |plot| plot.help(PLOT)))]
pub struct Options {
    /// Add a bandit, by the probability of a win of each arm, as in 0.9,0.6; may be repeated [default: the six published
    /// bandits]
    #[arg(long, value_name = "P,P,..", value_parser = arms)]
    arms: Vec<Arms>,

    /// Add a tree policy with its parameters, as in ucb1 or ucb1:c=1; may be repeated [default: ucb1, ucb1-tuned and
    /// thompson]
    #[arg(long, value_name = "TEXT", value_parser = policy)]
    policy: Vec<String>,

    /// Set the plays of a run; the published figures are for the default
    #[arg(long, value_name = "N", default_value_t = bandits::PUBLISHED_PLAYS,
          value_parser = clap::value_parser!(u32).range(1..=MOST_PLAYS))]
    plays: u32,

    /// Set the number of independent runs, from which the intervals are computed
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(2..=i64::from(bandits::MOST_RUNS)))]
    runs: u32,

    #[command(flatten)]
    work: Work,

    #[command(flatten)]
    files: Files,
}

/// The most visits that a search can count.
const MOST_PLAYS: i64 = 2_147_483_647;

const CSV: &str = "Write the regret over the plays to this CSV file";
const PLOT: &str =
    "Draw the regret over the plays, as SVG or PNG; several bandits get one picture each, as name-1.svg";

const EXAMPLES: &str = "\
Columns: the regret, and the share of plays of the best arm, as means over the runs with 95 % intervals (Student's t); the bound
on the regret of UCB1 by theorem 1 of Auer, Cesa-Bianchi and Fischer (2002); the published regret; and the ratio of the measured
regret to it.

Examples:
  ramure-lab bandit
  ramure-lab bandit --arms 0.9,0.6 --arms 0.5,0.5,0.4 --plays 10000 --csv regret.csv
  ramure-lab bandit --arms 0.9,0.8 --plot regret.svg
  ramure-lab bandit --policy ucb1:c=1 --policy thompson --runs 20 --seed 7";

#[derive(Clone)]
struct Arms(Vec<f64>);

fn arms(text: &str) -> Result<Arms, String> {
    let number = |word: &str| {
        let hint = "write the probabilities with commas between them, as in 0.9,0.6";
        word.trim().parse::<f64>().map_err(|_| format!("\"{word}\" is not a number; {hint}"))
    };
    let arms = text.split(',').map(number).collect::<Result<Vec<_>, _>>()?;
    bandits::check_arms(&arms).map_err(|error| error.to_string())?;
    Ok(Arms(arms))
}

fn policy(text: &str) -> Result<String, String> {
    let arms = Bandit::new(&[0.5]).map_err(|error| error.to_string())?;
    let known = AnyGame::registry().search(text, arms.into(), 0);
    known.map(|_| text.to_owned()).map_err(|error| error.to_string())
}

/// Runs the experiment, and prints the results.
pub fn run(options: Options) -> Result<(), Failure> {
    let Options { plays, runs, files, .. } = options;
    let seed = options.work.seed;
    let threads = options.work.threads();
    let settings = Settings { plays, runs, seed, threads };
    let all_arms = match options.arms.is_empty() {
        true => bandits::PUBLISHED.iter().map(|published| published.arms.to_vec()).collect(),
        false => options.arms.into_iter().map(|arms| arms.0).collect::<Vec<_>>(),
    };
    let policies =
        if options.policy.is_empty() { POLICIES.map(str::to_owned).to_vec() } else { options.policy };
    files.check(all_arms.len(), [])?;
    let mut file = files.table(&COLUMNS)?;

    say(format_args!(
        "{runs} runs of {plays} plays, seed {seed}\n\n{:<30} {:<10} {:>22} {:>25} {:>6} {:>9} {:>5}",
        "arms", "policy", "regret", "best arm, %", "bound", "published", "ratio"
    ))?;
    let mut rows = Vec::new();
    for (index, arms) in all_arms.iter().enumerate() {
        let of_these = rows.len();
        for policy in &policies {
            let row = bandits::measure(arms, policy, settings)?;
            say(line(&row))?;
            if let Some(file) = &mut file {
                row.curve.iter().try_for_each(|point| file.write(record(&row, settings, point)))?;
            }
            rows.push(row);
        }
        if let Some(path) = files.picture(index + 1, all_arms.len()) {
            bandits::picture(&rows[of_these..], settings.runs).save(path)?;
        }
    }
    say("")?;
    bandits::claims(&rows).iter().try_for_each(say)
}

fn line(row: &Row) -> String {
    let Point { regret, best, bound, .. } = row.last();
    let percent = [best.value, best.low, best.high].map(|share| 100.0 * share);
    let best = format!("{:.2} [{:.2}, {:.2}]", percent[0], percent[1], percent[2]);
    let published = row.published.map_or("-".into(), |(regret, _)| regret.to_string());
    let ratio = row.ratio().map_or("-".into(), |ratio| format!("{ratio:.2}"));
    let (arms, regret) = (bandits::label(&row.arms), format!("{regret:.1}"));
    format!("{arms:<30} {:<10} {regret:>22} {best:>25} {bound:>6.0} {published:>9} {ratio:>5}", row.policy)
}

const COLUMNS: [&str; 12] = [
    "arms",
    "policy",
    "runs",
    "seed",
    "plays",
    "regret",
    "regret_low",
    "regret_high",
    "best",
    "best_low",
    "best_high",
    "bound",
];

fn record(row: &Row, settings: Settings, point: &Point) -> [String; COLUMNS.len()] {
    let arms: Vec<String> = row.arms.iter().map(ToString::to_string).collect();
    let Point { plays, regret, best, bound } = point;
    let numbers = [regret.value, regret.low, regret.high, best.value, best.low, best.high, *bound];
    let [regret, regret_low, regret_high, best, best_low, best_high, bound] = numbers.map(|x| x.to_string());
    let [runs, plays] = [settings.runs, *plays].map(|n| n.to_string());
    let (policy, seed) = (row.policy.clone(), settings.seed.to_string());
    [
        arms.join(" "),
        policy,
        runs,
        seed,
        plays,
        regret,
        regret_low,
        regret_high,
        best,
        best_low,
        best_high,
        bound,
    ]
}
