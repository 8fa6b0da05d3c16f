//! Whole runs of problems whose state the planner does not see: `ramure-lab plan`.

use super::files::Files;
use super::output::{mean, mean_in_words, say};
use super::parallel::{Work, try_gather};
use crate::Failure;
use crate::contest::{Estimate, Progress};
use crate::pictures::{Curve, Curves, Picture, Scale};
use crate::plans::{Battleship, DISCOUNT, LightDark, Preferred, RockSample, Tiger};
use clap::{Args, ValueEnum};
use ramure::prelude::*;
use ramure::search::{Believed, Pomdp};
use ramure::selection::{AtRoot, AvailabilityUcb1, Exploration};
use ramure::simulation::{RolloutPolicy, Uniform};
use ramure::statistics::Statistics;
use ramure::{Belief, PartiallyObserved};

/// Measures what plans by a belief return, in whole runs of a problem whose state the planner does not see.
///
/// Each decision is a search of its own, whose belief is filtered by what was done and observed before.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The problem
    #[arg(value_enum)]
    problem: Problem,

    /// Make so many iterations for each decision
    #[arg(long, value_name = "N,N,..", value_delimiter = ',', default_values_t = [1_000, 10_000],
          value_parser = clap::value_parser!(u64).range(1..=2_000_000_000))]
    iterations: Vec<u64>,

    /// Set the number of runs, with a seed each; intervals need two or more
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    runs: u32,

    /// Set the number of states of the belief
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    particles: u32,

    /// Consider K N^A observations after an action with N visits [default: 5,0.0667 for light-dark; else all]
    #[arg(long, value_name = "K,A", value_delimiter = ',')]
    observations: Option<Vec<f64>>,

    /// Set the rollouts
    #[arg(long, value_enum, default_value_t = Rollouts::Repeated)]
    rollouts: Rollouts,

    /// Set by how many deviations of the returns the search explores at the root, and below
    #[arg(long, value_name = "K,K", value_delimiter = ',', num_args = 1, default_values_t = [8.0, 1.0])]
    deviations: Vec<f32>,

    #[command(flatten)]
    work: Work,

    #[command(flatten)]
    files: Files,
}

const EXAMPLES: &str = "\
Examples:
  ramure-lab plan tiger
  ramure-lab plan light-dark --iterations 1000,10000 --particles 10000
  ramure-lab plan rock-sample --rollouts preferred --runs 200 --csv rocks.csv";

/// The problems; each with the most steps of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Problem {
    /// A tiger behind one of two doors; 30 steps
    Tiger,
    /// Rocks that may be worthless, on a map of 7 by 7; at most 100 steps
    RockSample,
    /// A walk that sees well only near a light; at most 100 steps
    LightDark,
    /// Ships of 5, 4, 3 and 2 cells on a board of 10 by 10
    Battleship,
}

/// The rollouts of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Rollouts {
    /// The action whose repetition returns the most
    Repeated,
    /// Random actions
    Random,
    /// None: an estimate of 0 (Tiger and RockSample)
    Nothing,
    /// What makes sense by what was observed (RockSample)
    Preferred,
}

/// Runs the experiment, and prints the results.
pub fn run(options: Options) -> Result<(), Failure> {
    let Options { problem, iterations, runs, particles, observations, rollouts, deviations, work, files } =
        options;
    files.check(1, [])?;
    let name = problem.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
    let few = match observations.as_deref() {
        Some(&[scale, exponent]) => Some((scale, exponent)),
        Some(_) => return Err("--observations needs two numbers; write them as in 5,0.0667".into()),
        None => (problem == Problem::LightDark).then_some((5.0, 1.0 / 15.0)),
    };
    let &[at_root, below] = &deviations[..] else {
        return Err("--deviations needs two numbers; write them as in 8,1".into());
    };
    let deviations = (at_root, below);
    let mut file = files.table("problem iterations runs particles seed return low high")?;
    say(format_args!("{:<12} {:>10} {:>6}  discounted return", "problem", "iterations", "runs"))?;
    let mut points = Vec::new();
    for iterations in iterations {
        let settings = Settings { iterations, particles: particles as usize, few, rollouts, deviations };
        let progress = Progress::new(true, "runs", runs.into(), 0);
        let one = |run: usize| measure(problem, &settings, work.seed.wrapping_add(run as u64));
        let done = try_gather(work.threads(), runs as usize, one, &mut |done| progress.at(done as u64))?;
        drop(progress);
        let Some(returns) = done else { continue };
        let estimate @ Estimate { value, low, high } = mean(&returns);
        let shown = mean_in_words(estimate, returns.len(), 2);
        points.push((iterations as f64, estimate));
        say(format_args!("{name:<12} {iterations:>10} {runs:>6}  {shown}"))?;
        if let Some(file) = &mut file {
            let [iterations, runs, particles] =
                [iterations, runs.into(), particles.into()].map(|count| count.to_string());
            let figures = [value, low, high].map(|figure| figure.to_string());
            let row = [name.clone(), iterations, runs, particles, work.seed.to_string()];
            file.write(row.into_iter().chain(figures).collect::<Vec<_>>())?;
        }
    }
    let picture = Curves::new(format!("{name}: what plans by a belief return, runs: {runs}"))
        .x_label("iterations of a decision")
        .x_scale(Scale::Log10)
        .y_label("discounted return, with 95 % intervals")
        .curve(Curve::of_estimates(name, points));
    files.plot(|path| Ok(picture.save(path)?))
}

/// The settings of each decision.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    pub iterations: u64,
    pub particles: usize,
    /// How many observations an action may have, see [`Pomdp::observations`].
    pub few: Option<(f64, f64)>,
    pub rollouts: Rollouts,
    pub deviations: (f32, f32),
}

/// Random actions, one by one.
#[derive(Clone, Copy)]
struct Random;

impl<G: GameState> RolloutPolicy<G> for Random {
    type Trace = ();
}

/// Returns the discounted return of one run.
///
/// # Errors
///
/// Returns an error if a setting is out of range or not for this problem, or if no state of the belief explains an
/// observation.
pub fn measure(problem: Problem, settings: &Settings, seed: u64) -> Result<f64, Failure> {
    let estimate = (settings.rollouts == Rollouts::Nothing).then_some(0.0);
    match (problem, settings.rollouts) {
        (Problem::RockSample, Rollouts::Preferred) => {
            play_by(Preferred, RockSample::draw, DISCOUNT, 100, settings, seed)
        }
        (_, Rollouts::Preferred) => Err("preferred actions are known for rock-sample only".into()),
        (Problem::Tiger, _) => {
            let draw = |rng: &mut Rng| Tiger { estimate, ..Tiger::draw(rng) };
            play(draw, DISCOUNT, 30, settings, seed)
        }
        (Problem::RockSample, _) => {
            play(|rng: &mut Rng| RockSample::draw(rng).estimated(estimate), DISCOUNT, 100, settings, seed)
        }
        (_, Rollouts::Nothing) => Err("an estimate of 0 is for tiger and rock-sample only".into()),
        (Problem::LightDark, _) => play(LightDark::draw, DISCOUNT, 100, settings, seed),
        (Problem::Battleship, _) => {
            play(|rng: &mut Rng| Battleship::draw(10, &[5, 4, 3, 2], rng), 1.0, 100, settings, seed)
        }
    }
}

fn play<M: PartiallyObserved<Reward = f64>>(
    draw: impl Fn(&mut Rng) -> M,
    discount: f64,
    steps: u32,
    settings: &Settings,
    seed: u64,
) -> Result<f64, Failure> {
    match settings.rollouts {
        Rollouts::Random => play_by(Random, draw, discount, steps, settings, seed),
        _ => play_by(Uniform, draw, discount, steps, settings, seed),
    }
}

fn play_by<M: PartiallyObserved<Reward = f64>, R: RolloutPolicy<Believed<M>>>(
    rollouts: R,
    draw: impl Fn(&mut Rng) -> M,
    discount: f64,
    steps: u32,
    settings: &Settings,
    seed: u64,
) -> Result<f64, Failure>
where
    u32: Statistics<Believed<M>, R>,
{
    let mut rng = Rng::seeded(seed ^ 0x5EED);
    let plan = Pomdp::new(Belief::from_fn(settings.particles, seed, &draw)?).discount(discount);
    let plan = match settings.few {
        Some((scale, exponent)) => plan.observations(scale, exponent),
        None => plan,
    };
    let by = |deviations| AvailabilityUcb1::new(Exploration::deviations(deviations));
    let policy = AtRoot::new(by(settings.deviations.0), by(settings.deviations.1));
    let mut search = Mcts::new(plan).tree_policy(policy).rollout_policy(rollouts).seed(seed);
    let (mut state, mut total, mut weight) = (draw(&mut rng), 0.0, 1.0);
    for _ in 0..steps {
        let action = search.run(Budget::iterations(settings.iterations))?.try_best_action()?.action;
        total += weight * state.step(action.clone(), &mut rng);
        weight *= discount;
        if state.is_over() {
            break;
        }
        let observation = state.observe(&action, &mut rng);
        search.observe(action, observation)?;
    }
    Ok(total)
}
