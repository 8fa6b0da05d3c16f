//! Whole runs of problems whose state the planner does not see, with several kinds of rollouts: prints the
//! table of `docs/evidence/planning.md`.

use clap::Parser;
use ramure::prelude::*;
use ramure::search::{Believed, Pomdp};
use ramure::selection::{AvailabilityUcb1, Exploration};
use ramure::simulation::RolloutPolicy;
use ramure::statistics::Statistics;
use ramure::{Belief, PartiallyObserved, Simulator};
use std::sync::Arc;

const DISCOUNT: f64 = 0.95;

/// Plays whole runs of Tiger and RockSample by plans of beliefs with 1 000 particles.
#[derive(Parser)]
struct Arguments {
    /// Iterations for each decision
    #[arg(long, value_delimiter = ',', default_value = "1000,10000")]
    iterations: Vec<u64>,
    /// Runs for each figure
    #[arg(long, default_value_t = 100)]
    runs: u64,
    /// Deviations by which the search explores
    #[arg(long, value_delimiter = ',', default_value = "1")]
    deviations: Vec<f32>,
}

/// Kaelbling, Littman and Cassandra, 1998.
#[derive(Clone)]
struct Tiger {
    is_left: bool,
    estimate: Option<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Door {
    Listen,
    OpenLeft,
    OpenRight,
}

impl Simulator for Tiger {
    type Action = Door;
    type Reward = f64;

    fn actions(&self) -> impl IntoIterator<Item = Door> {
        [Door::Listen, Door::OpenLeft, Door::OpenRight]
    }
    fn step(&mut self, action: Door, rng: &mut Rng) -> f64 {
        if action == Door::Listen {
            return -1.0;
        }
        let finds_it = self.is_left == (action == Door::OpenLeft);
        self.is_left = rng.unit() < 0.5;
        if finds_it { -100.0 } else { 10.0 }
    }
    fn estimate(&self) -> Option<f64> {
        self.estimate
    }
}

impl Tiger {
    fn rightness(action: Door) -> f64 {
        if action == Door::Listen { 0.85 } else { 0.5 }
    }
}

impl PartiallyObserved for Tiger {
    type Observation = bool;

    fn observe(&self, action: &Door, rng: &mut Rng) -> bool {
        self.is_left == (rng.unit() < Tiger::rightness(*action))
    }
    fn likelihood(&self, action: &Door, is_heard_left: &bool) -> Option<f64> {
        let right = Tiger::rightness(*action);
        Some(if self.is_left == *is_heard_left { right } else { 1.0 - right })
    }
}

/// RockSample: Smith and Simmons, *Heuristic Search Value Iteration for POMDPs*, 2004. The first column is 0, and the
/// exit is behind the last.
#[derive(Clone)]
struct RockSample {
    rocks: Arc<[(i8, i8)]>,
    size: i8,
    place: (i8, i8),
    /// A bit for each rock that is good.
    good: usize,
    is_over: bool,
    estimate: Option<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Move {
    Go(i8, i8),
    Sample,
    Check(usize),
}

impl RockSample {
    fn rightness(&self, rock: usize) -> f64 {
        let (x, y) = self.rocks[rock];
        let distance = libm::hypot((x - self.place.0).into(), (y - self.place.1).into());
        0.5 + 0.5 * libm::exp2(-distance / 20.0)
    }
    fn is_good(&self, rock: usize) -> bool {
        self.good >> rock & 1 == 1
    }
}

impl Simulator for RockSample {
    type Action = Move;
    type Reward = f64;

    fn actions(&self) -> impl IntoIterator<Item = Move> {
        let (x, y) = self.place;
        let inside = move |&(dx, dy): &(i8, i8)| x + dx >= 0 && (0..self.size).contains(&(y + dy));
        let ways = [(1, 0), (-1, 0), (0, 1), (0, -1)].into_iter().filter(inside);
        let sample = self.rocks.contains(&self.place).then_some(Move::Sample);
        let checks = (0..self.rocks.len()).map(Move::Check);
        ways.map(|(dx, dy)| Move::Go(dx, dy)).chain(sample).chain(checks)
    }
    fn step(&mut self, action: Move, _: &mut Rng) -> f64 {
        match action {
            Move::Check(_) => 0.0,
            Move::Go(dx, dy) => {
                self.place = (self.place.0 + dx, self.place.1 + dy);
                self.is_over = self.place.0 == self.size;
                if self.is_over { 10.0 } else { 0.0 }
            }
            Move::Sample => {
                let here = self.rocks.iter().position(|&rock| rock == self.place).expect("a rock is here");
                let was_good = self.is_good(here);
                self.good &= !(1 << here);
                if was_good { 10.0 } else { -10.0 }
            }
        }
    }
    fn is_over(&self) -> bool {
        self.is_over
    }
    fn estimate(&self) -> Option<f64> {
        self.estimate
    }
}

impl PartiallyObserved for RockSample {
    /// Whether the checked rock looks good.
    type Observation = Option<bool>;

    fn observe(&self, action: &Move, rng: &mut Rng) -> Option<bool> {
        let Move::Check(rock) = *action else { return None };
        Some(self.is_good(rock) == (rng.unit() < self.rightness(rock)))
    }
    fn likelihood(&self, action: &Move, observation: &Option<bool>) -> Option<f64> {
        Some(match (*action, *observation) {
            (Move::Check(rock), Some(looks_good)) => {
                let right = self.rightness(rock);
                if self.is_good(rock) == looks_good { right } else { 1.0 - right }
            }
            (Move::Check(_), None) | (_, Some(_)) => 0.0,
            (_, None) => 1.0,
        })
    }
}

/// Random actions.
#[derive(Clone, Copy)]
struct Random;

impl<G: GameState> RolloutPolicy<G> for Random {
    type Trace = ();
}

/// The mean discounted return of whole runs, with its 95 % interval.
fn play<M: PartiallyObserved<Reward = f64>, R: RolloutPolicy<Believed<M>> + Clone>(
    draw: impl Fn(&mut Rng) -> M,
    steps: u32,
    rollouts: R,
    (iterations, runs, deviations): (u64, u64, f32),
) -> (f64, f64)
where
    u32: Statistics<Believed<M>, R>,
{
    let one = |seed: u64| {
        let mut rng = Rng::seeded(1_000_000 + seed);
        let belief = Belief::from_fn(1_000, seed, &draw).expect("particles");
        let mut search = Mcts::new(Pomdp::new(belief).discount(DISCOUNT))
            .tree_policy(AvailabilityUcb1::new(Exploration::deviations(deviations)))
            .rollout_policy(rollouts.clone())
            .seed(seed);
        let (mut state, mut total, mut weight) = (draw(&mut rng), 0.0, 1.0);
        for _ in 0..steps {
            let action =
                search.run(Budget::iterations(iterations)).expect("a sound problem").best_action().action;
            total += weight * state.step(action.clone(), &mut rng);
            weight *= DISCOUNT;
            if state.is_over() {
                break;
            }
            let observation = state.observe(&action, &mut rng);
            search.observe(action, observation).expect("a state explains it");
        }
        total
    };
    let returns: Vec<f64> = (0..runs).map(one).collect();
    let mean = returns.iter().sum::<f64>() / runs as f64;
    let squares: f64 = returns.iter().map(|total| (total - mean) * (total - mean)).sum();
    (mean, 1.96 * squares.sqrt() / runs as f64)
}

fn main() {
    let Arguments { iterations, runs, deviations } = Arguments::parse();
    println!("| problem | iterations | deviations | a repeated action | random actions | nothing |");
    println!("|---|--:|--:|--:|--:|--:|");
    let rocks = Arc::new([(2, 0), (0, 1), (3, 1), (6, 3), (2, 4), (3, 4), (5, 5), (1, 6)]);
    for &deviations in &deviations {
        for &iterations in &iterations {
            let setting = (iterations, runs, deviations);
            let tiger = |estimate| move |rng: &mut Rng| Tiger { is_left: rng.unit() < 0.5, estimate };
            let figures = [
                play(tiger(None), 30, ramure::simulation::Uniform, setting),
                play(tiger(None), 30, Random, setting),
                play(tiger(Some(0.0)), 30, ramure::simulation::Uniform, setting),
            ];
            print_row("Tiger, 30 steps", setting, figures);
            let rock_sample = |estimate| {
                let rocks: Arc<[(i8, i8)]> = rocks.clone();
                move |rng: &mut Rng| RockSample {
                    good: rng.below(1 << rocks.len()),
                    rocks: rocks.clone(),
                    size: 7,
                    place: (0, 3),
                    is_over: false,
                    estimate,
                }
            };
            let figures = [
                play(rock_sample(None), 100, ramure::simulation::Uniform, setting),
                play(rock_sample(None), 100, Random, setting),
                play(rock_sample(Some(0.0)), 100, ramure::simulation::Uniform, setting),
            ];
            print_row("RockSample (7, 8)", setting, figures);
        }
    }
}

fn print_row(problem: &str, (iterations, _, deviations): (u64, u64, f32), figures: [(f64, f64); 3]) {
    let figures = figures.map(|(mean, error)| format!("{mean:.1} ± {error:.1}"));
    println!("| {problem} | {iterations} | {deviations} | {} |", figures.join(" | "));
}
