//! The regret of tree policies on bandits with Bernoulli arms (Auer, Cesa-Bianchi and Fischer 2002, section
//! 4): `ramure-lab bandit`.
//!
//! A policy, named by its text, runs as in every search: in `Mcts` on `games::Bandit`, where an iteration is
//! one play of an arm. The root has all arms as children before the first iteration, and `Ucb1` tries each
//! arm once before it computes a value. This is the policy of the paper's figure 1, with `ln n` of the plays
//! so far, and c = sqrt 2.

use super::files::Files;
use super::output::say;
use super::parallel::{Work, try_map};
use super::{AnyGame, Claim, MOST_VISITS};
use crate::Failure;
use crate::contest::Estimate;
use crate::pictures::{Curve, Curves, Picture, Scale};
use crate::ranks::on_first;
use crate::registry::{with_parameter, without_proofs};
use crate::several::joined;
use clap::Args;
use ramure::{Budget, Rng, Search};
use ramure_games::Bandit;
use serde::{Deserialize, Serialize};

/// Measures the regret of tree policies on the K-armed bandit.
///
/// Each arm wins with its own probability, which the player does not know. The gap of an arm is the best
/// arm's probability minus its own. The regret of a run is the sum, over all arms, of the plays of the arm
/// times its gap. Each policy runs in the search itself, on a game of one action. Without options, the
/// program runs three policies on the six bandits that have published figures, which takes a minute at most.
#[derive(Args)]
#[command(after_help = EXAMPLES, mut_arg("csv", |csv| csv.help(CSV)), mut_arg("plot", |plot| plot.help(PLOT)))]
pub struct Options {
    /// Add a bandit, by the probability of a win of each arm, as in 0.9,0.6; may be repeated [default: the
    /// six published bandits]
    #[arg(long, value_name = "P,P,..", value_parser = arms)]
    arms: Vec<Box<[f64]>>,

    /// Add a tree policy with its parameters, as in ucb1 or ucb1:c=1; may be repeated [default:
    /// ucb1:c=1.4142135, ucb1-tuned and thompson]
    #[arg(long, value_name = "TEXT", value_parser = policy)]
    policy: Vec<String>,

    /// Set the plays of a run; the published figures are for the default
    #[arg(long, value_name = "N", default_value_t = PUBLISHED_PLAYS,
          value_parser = clap::value_parser!(u32).range(1..=MOST_VISITS))]
    plays: u32,

    /// Set the number of independent runs, from which the intervals are computed
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(2..=i64::from(MOST_RUNS)))]
    runs: u32,

    #[command(flatten)]
    work: Work,

    #[command(flatten)]
    files: Files,
}

const CSV: &str = "Write the regret over the plays to this CSV file";
const PLOT: &str =
    "Draw the regret over the plays, as SVG or PNG; several bandits get one picture each, as name-1.svg";

const EXAMPLES: &str = "\
Columns: the regret, and the share of plays of the best arm, as means over the runs with 95 % intervals (Student's t); \
the bound on the regret of UCB1 by theorem 1 of Auer, Cesa-Bianchi and Fischer (2002); the published regret; and the \
ratio of the measured regret to it.

Examples:
  ramure-lab bandit
  ramure-lab bandit --arms 0.9,0.6 --arms 0.5,0.4 --plays 10000 --csv r.csv
  ramure-lab bandit --arms 0.9,0.8 --plot regret.svg
  ramure-lab bandit --policy ucb1:c=1 --policy thompson --runs 20 --seed 7";

fn arms(text: &str) -> Result<Box<[f64]>, String> {
    let number = |word: &str| {
        let hint = "write the probabilities with commas between them, as in 0.9,0.6";
        word.trim().parse::<f64>().map_err(|_| format!("\"{word}\" is not a number; {hint}"))
    };
    let arms = text.split(',').map(number).collect::<Result<Box<_>, _>>()?;
    check_arms(&arms).map_err(|error| error.to_string())?;
    Ok(arms)
}

fn policy(text: &str) -> Result<String, String> {
    let arms = Bandit::new(&[0.5]).map_err(|error| error.to_string())?;
    AnyGame::from(arms).searched_by(&as_played(text)).map(|_| text.into())
}

/// Runs the experiment, and prints the results.
pub fn run(options: Options) -> Result<(), Failure> {
    let Options { plays, runs, files, .. } = options;
    let seed = options.work.seed;
    let threads = options.work.threads();
    let settings = Settings { plays, runs, seed, threads };
    let all_arms = match options.arms.is_empty() {
        true => PUBLISHED.iter().map(|(arms, ..)| Box::from(*arms)).collect(),
        false => options.arms,
    };
    let policies =
        if options.policy.is_empty() { POLICIES.map(str::to_owned).to_vec() } else { options.policy };
    files.check(all_arms.len(), [])?;
    let mut file = files.table(COLUMNS)?;

    let width = policies.iter().map(String::len).max().unwrap_or_default().max(6);
    say(format_args!(
        "{runs} runs of {plays} plays, seed {seed}\n\n{:<30} {:<width$} {:>22} {:>25} {:>6} {:>9} {:>5}",
        "arms", "policy", "regret", "best arm, %", "bound", "published", "ratio"
    ))?;
    let mut rows = Vec::new();
    for (index, arms) in all_arms.iter().enumerate() {
        let of_these = rows.len();
        for policy in &policies {
            let row = measure(arms, policy, settings)?;
            say(line(&row, width))?;
            if let Some(file) = &mut file {
                row.curve.iter().try_for_each(|point| file.write(record(&row, settings, point)))?;
            }
            rows.push(row);
        }
        if let Some(path) = files.picture(index + 1, all_arms.len()) {
            on_first("the picture", || {
                picture(&rows[of_these..], settings.runs).save(path).map_err(Failure::from)
            })?;
        }
    }
    say("")?;
    claims(&rows).iter().try_for_each(say)
}

fn line(row: &Row, width: usize) -> String {
    let Point { regret, best, bound, .. } = row.last();
    let best = format!("{:.2}", best.map(|share| 100.0 * share));
    let published = row.published.map_or("-".into(), |(regret, _)| regret.to_string());
    let ratio = row.ratio().map_or("-".into(), |ratio| format!("{ratio:.2}"));
    let (arms, regret) = (label(&row.arms), format!("{regret:.1}"));
    format!(
        "{arms:<30} {:<width$} {regret:>22} {best:>25} {bound:>6.0} {published:>9} {ratio:>5}",
        row.policy
    )
}

const COLUMNS: &str =
    "arms policy runs seed plays regret regret_low regret_high best best_low best_high bound";

fn record(row: &Row, settings: Settings, point: &Point) -> Vec<String> {
    let Point { plays, regret, best, bound } = point;
    let numbers = [regret.value, regret.low, regret.high, best.value, best.low, best.high, *bound];
    let mut record = vec![joined(&row.arms, " "), row.policy.clone()];
    record.extend([settings.runs.to_string(), settings.seed.to_string(), plays.to_string()]);
    record.extend(numbers.map(|number| number.to_string()));
    record
}

/// The policies of the published figures, and one more.
pub const POLICIES: [&str; 3] = ["ucb1:c=1.4142135", "ucb1-tuned", "thompson"];

/// The regret of a policy, and the share of its plays that went to the best arm.
pub type Figures = (f64, f64);

/// The table of the experiments, section E, measured over 100 runs of [`PUBLISHED_PLAYS`]: the arms, then the
/// figures of UCB1 and of UCB1-Tuned.
pub const PUBLISHED: [(&[f64], Figures, Figures); 6] = [
    (&[0.9, 0.6], (69.0, 0.9977), (10.4, 0.9997)),
    (&[0.9, 0.8], (173.0, 0.983), (24.7, 0.9975)),
    (&[0.55, 0.45], (166.0, 0.983), (31.0, 0.997)),
    (&[0.9, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6], (624.0, 0.979), (81.0, 0.997)),
    (&[0.9, 0.8, 0.8, 0.8, 0.7, 0.7, 0.7, 0.6, 0.6, 0.6], (1022.0, 0.927), (147.0, 0.989)),
    (&[0.55, 0.45, 0.45, 0.45, 0.45, 0.45, 0.45, 0.45, 0.45, 0.45], (1496.0, 0.850), (215.0, 0.979)),
];

/// The plays of each published run.
pub const PUBLISHED_PLAYS: u32 = 100_000;

/// The most runs. All runs, with about 60 points each, stay in memory until the last is over.
pub const MOST_RUNS: u32 = 100_000;

/// The settings of a measurement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Plays of a run, at least 1.
    pub plays: u32,
    /// Independent runs, from 2 to [`MOST_RUNS`].
    pub runs: u32,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of threads, which changes only the time.
    pub threads: usize,
}

/// The result of one policy on one bandit.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The probabilities of the arms.
    pub arms: Vec<f64>,
    /// The policy as a text of the registry of searches.
    pub policy: String,
    /// A point for each checkpoint. The checkpoints are evenly spaced on a logarithmic scale; the last is
    /// after all plays.
    pub curve: Vec<Point>,
    /// The published figures, if they are for the same number of plays.
    pub published: Option<Figures>,
}

/// The result after a number of plays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    pub plays: u32,
    /// The pseudo-regret: the sum, over all arms, of the plays of the arm times its gap to the best
    /// probability.
    pub regret: Estimate,
    /// The share of the plays that went to a best arm.
    pub best: Estimate,
    /// The theorem's bound on the regret of UCB1: see [`bound`].
    pub bound: f64,
}

impl Row {
    /// Returns the result after all plays.
    pub fn last(&self) -> Point {
        self.curve[self.curve.len() - 1] // `measure` makes at least one point
    }

    /// Returns the ratio of the measured regret to the published one.
    pub fn ratio(&self) -> Option<f64> {
        self.published.map(|(regret, _)| self.last().regret.value / regret)
    }
}

/// Plays a bandit in many runs, each a search with its own seed.
///
/// # Errors
///
/// Returns an error of [`check_arms`], or if the policy is unknown, there are no plays, or there are fewer
/// than two runs or more than [`MOST_RUNS`].
pub fn measure(arms: &[f64], policy: &str, settings: Settings) -> Result<Row, Failure> {
    measure_at(arms, policy, settings, &checkpoints(settings.plays))
}

/// Plays as [`measure`] does, with these checkpoints, the last one after all plays. With a single one, a
/// policy that divides the iterations of a run in advance has all plays in one run.
///
/// # Errors
///
/// Returns the errors of [`measure`].
pub fn measure_at(
    arms: &[f64],
    policy: &str,
    settings: Settings,
    checkpoints: &[u32],
) -> Result<Row, Failure> {
    let Settings { plays, runs, seed, threads } = settings;
    check_arms(arms)?;
    if runs > MOST_RUNS {
        return Err(format!("{runs} runs do not fit in memory; ask for at most {MOST_RUNS}").into());
    }
    let most_regret = gaps(arms).fold(0.0, f64::max);
    let mut rng = Rng::seeded(seed);
    let seeds: Vec<u64> = (0..runs).map(|_| rng.bits()).collect();
    let runs = try_map(threads, seeds.len(), |run| one_run(arms, policy, seeds[run], checkpoints))?;
    let point = |(index, &plays): (usize, &u32)| {
        let over_runs = |what: fn(&Checkpoint) -> f64| {
            Estimate::mean(&runs.iter().map(|tallies| what(&tallies[index])).collect::<Vec<_>>())
                .ok_or_else(|| Failure::from("an interval needs two runs or more"))
        };
        Ok(Point {
            plays,
            regret: over_runs(|tally| tally.regret)?.within(0.0, most_regret * f64::from(plays)),
            best: over_runs(|tally| tally.best)?.within(0.0, 1.0),
            bound: bound(arms, plays),
        })
    };
    let curve = checkpoints.iter().enumerate().map(point).collect::<Result<Vec<_>, Failure>>()?;
    if curve.is_empty() {
        return Err("there are no plays; ask for at least 1".into());
    }
    Ok(Row {
        arms: arms.to_vec(),
        policy: policy.to_owned(),
        curve,
        published: published(arms, policy, plays),
    })
}

/// Checks that a policy can do better or worse on a bandit with these probabilities.
///
/// # Errors
///
/// Returns an error if the arms do not make a bandit, or if all are equally good.
pub fn check_arms(arms: &[f64]) -> Result<(), Failure> {
    Bandit::new(arms)?;
    match gaps(arms).any(|gap| gap > 0.0) {
        true => Ok(()),
        false => Err(format!(
            "the arms {} are equally good, so no play loses anything; write two or more that differ, as in 0.9,0.6",
            label(arms)
        )
        .into()),
    }
}

/// Returns the claims that these rows can check: those on UCB1 where there is a published figure, and that
/// UCB1-Tuned does better.
pub fn claims(rows: &[Row]) -> Vec<Claim> {
    let of = |policy| rows.iter().filter(move |row: &&Row| row.policy == policy);
    let near = of("ucb1:c=1.4142135").filter_map(Row::ratio).map(|ratio| (ratio - 1.0).abs() <= 0.1);
    let below = of("ucb1:c=1.4142135").map(|row| row.last().regret.value <= row.last().bound);
    let better = of("ucb1-tuned").filter_map(|tuned| {
        let ucb1 = of("ucb1:c=1.4142135").find(|row| row.arms == tuned.arms)?;
        Some(tuned.last().regret.value < ucb1.last().regret.value)
    });
    let claims = [
        Claim::of("the regret of UCB1 is within 10 % of the published", near),
        Claim::of("the regret of UCB1 is below the bound of the theorem", below),
        Claim::of("the regret of UCB1-Tuned is below that of UCB1", better),
    ];
    claims.into_iter().filter(|claim| claim.cases > 0).collect()
}

/// The upper bound on UCB1's expected regret after `plays` plays: `8 sum ln n / gap + (1 + pi^2 / 3) sum
/// gap`, over the arms that are not the best (Auer, Cesa-Bianchi and Fischer 2002, theorem 1).
pub fn bound(arms: &[f64], plays: u32) -> f64 {
    let gaps = || gaps(arms).filter(|&gap| gap > 0.0);
    let constant = 1.0 + std::f64::consts::PI * std::f64::consts::PI / 3.0;
    let (inverses, sum) = gaps().fold((0.0, 0.0), |(inverses, sum), gap| (inverses + 1.0 / gap, sum + gap));
    8.0 * libm::log(f64::from(plays)) * inverses + constant * sum
}

/// Returns a short text for the arms, such as `0.9, 9 x 0.6`.
pub fn label(arms: &[f64]) -> String {
    let alike = arms.chunk_by(|a, b| a == b).map(|group| match group.len() {
        1 => group[0].to_string(),
        count => format!("{count} x {}", group[0]),
    });
    joined(alike, ", ")
}

/// Draws the regret over the plays, as a curve with a band for each row. A regret that grows by the logarithm
/// of the plays is a straight line. The bound of the theorem is far above, so the title has its value at the
/// end. All rows must have the same arms.
pub fn picture(rows: &[Row], runs: u32) -> Curves {
    let arms = rows.first().map_or_else(String::new, |row| label(&row.arms));
    let bound = rows.first().map_or(0.0, |row| row.last().bound);
    let mut picture =
        Curves::new(format!("Regret on the bandit {arms}: {runs} runs (bound for UCB1: {bound:.0})"))
            .x_label("plays")
            .x_scale(Scale::Log10)
            .y_label("regret [rewards lost], with 95 % bands");
    for row in rows {
        let points = row.curve.iter().map(|point| (f64::from(point.plays), point.regret));
        picture = picture.curve(Curve::of_estimates(&row.policy, points).band());
    }
    picture
}

/// The gap of each arm to the best probability.
fn gaps(arms: &[f64]) -> impl Iterator<Item = f64> {
    let best = arms.iter().copied().fold(0.0, f64::max);
    arms.iter().map(move |arm| best - arm)
}

fn published(arms: &[f64], policy: &str, plays: u32) -> Option<Figures> {
    let &(_, ucb1, tuned) = PUBLISHED.iter().find(|row| row.0 == arms && plays == PUBLISHED_PLAYS)?;
    match policy {
        "ucb1:c=1.4142135" => Some(ucb1),
        "ucb1-tuned" => Some(tuned),
        _ => None,
    }
}

/// The checkpoints: ten for each power of ten, without duplicates, and the end.
fn checkpoints(plays: u32) -> Vec<u32> {
    let spaced = (0..).map(|step| libm::round(libm::pow(10.0, f64::from(step) / 10.0)));
    let mut checkpoints: Vec<u32> = spaced.take_while(|&n| n < f64::from(plays)).map(|n| n as u32).collect();
    checkpoints.dedup();
    checkpoints.extend((plays > 0).then_some(plays));
    checkpoints
}

/// The state of one run at a checkpoint.
#[derive(Serialize, Deserialize)]
struct Checkpoint {
    regret: f64,
    best: f64,
}

/// Returns the text of the search that plays by `policy`. A proof would end the plays, and `expand` keeps the
/// search from adding nodes below the arms.
fn as_played(policy: &str) -> String {
    with_parameter(&without_proofs(policy), &format!("expand={}", u32::MAX))
}

fn one_run(arms: &[f64], policy: &str, seed: u64, checkpoints: &[u32]) -> Result<Vec<Checkpoint>, Failure> {
    // Each run has its own bandit, because sharing the arms between threads costs more than copying them.
    let mut search = AnyGame::registry().search(&as_played(policy), Bandit::new(arms)?.into(), seed)?;
    let gaps: Vec<f64> = gaps(arms).collect();
    let mut done = 0;
    let tally = |&plays: &u32| {
        let report = search.run(Budget::iterations(u64::from(plays - done)))?;
        done = plays;
        let plays_of = report.actions.iter().map(|arm| f64::from(arm.visits));
        let best = plays_of.clone().zip(&gaps).filter(|(_, gap)| **gap == 0.0).map(|(n, _)| n).sum::<f64>();
        Ok(Checkpoint {
            regret: plays_of.zip(&gaps).map(|(n, gap)| n * gap).sum(),
            best: best / f64::from(plays),
        })
    };
    checkpoints.iter().map(tally).collect()
}
