//! Measures the cost of each policy relative to `Ucb1`, `Uniform` and `Average`: time per iteration and bytes
//! per child, as a table for each phase. `cargo bench -p ramure-benches --bench policies`, or with the least
//! number of seconds for each figure of time after `--`.
//!
//! Every policy has its default parameters if it has defaults, and runs with the other two of these three
//! unless its row says otherwise. For the time, searches of the policy and of the three take turns, each from
//! an empty tree and with another seed. The ratio is the median over the pairs, with its 95 % interval in
//! brackets, so the drift of a machine cancels out. The bytes are those of the report after 100 000
//! iterations, so a small tree also pays for chunks that it has not filled.
//!
//! A policy also changes the tree and the rollouts, and the time includes this. It also includes the
//! recording or counting of the actions of rollouts, for policies that need them: Hex and Connect 4 have a
//! shortcut for rollouts without recorded actions.

use clap::Parser;
use ramure::backpropagation::{
    BayesBackup, Contempt, Discounted, ImplicitMinimax, MaxBackup, PowerMean, RecencyWeighted, RelativeBonus,
    ScoreBounds, SoftmaxBackup,
};
use ramure::prelude::*;
use ramure::selection::{
    AlphaAmaf, AtRoot, BayesUct, Boltzmann, CompletedValues, Dirichlet, EpsilonGreedy, Exp3,
    GaussianThompson, Grave, Gumbel, KlUcb, Moss, ProgressiveBias, ProgressiveHistory, Puct, Rave,
    SequentialHalving, Shot, Thompson, Ucb1Tuned, UcbV,
};
use ramure::simulation::{
    Cutoff, Decisive, Evaluate, EvaluationPriors, LastGoodReply, Mast, Mixed, MultipleRollouts, Nst, Ppa,
    Softmax, WithPriors,
};
use ramure::statistics::Statistics;
use ramure::{ActionIndex, Rewards, StaticEvaluation, simulation};
use ramure_games::{Connect4, Hex};
use statrs::distribution::{Binomial, DiscreteCDF};
use std::error::Error;
use std::time::{Duration, Instant};

/// Prints the cost of each policy
#[derive(Parser)]
struct Cli {
    /// Sets the seconds for each figure of time; nine pairs of searches run even if they take longer
    #[arg(default_value = "1.5", value_parser = seconds)]
    seconds: Duration,
    /// Passed by cargo
    #[arg(long, hide = true)]
    bench: bool,
    /// Runs a smoke test
    #[arg(long)]
    test: bool,
}

fn seconds(text: &str) -> Result<Duration, Box<dyn Error + Send + Sync>> {
    Ok(Duration::try_from_secs_f64(text.parse()?)?)
}

/// The search into which the policies are put.
type Averaging<G> = Mcts<G, Ucb1, Uniform, Average>;

/// A policy, and the function that puts it into a search.
struct Row<G: GameState> {
    name: &'static str,
    /// The bytes per child that the tree policy, the rollout policy and the backpropagation keep.
    kept: [usize; 3],
    with: Box<dyn Fn(Averaging<G>) -> Box<dyn Search<Space = G>>>,
}

fn row<G, P, R, B>(name: &'static str, with: impl Fn(Averaging<G>) -> Mcts<G, P, R, B> + 'static) -> Row<G>
where
    G: GameState + 'static,
    P: TreePolicy<G, Stats: Statistics<G, R>> + 'static,
    R: RolloutPolicy<G> + 'static,
    B: Backprop<G> + 'static,
{
    let kept = [size_of::<P::Stats>(), 0, size_of::<B::Stats>()];
    Row { name, kept, with: Box::new(move |search| Box::new(with(search))) }
}

/// Returns rollouts with equal priors.
fn equal<G: GameState>() -> WithPriors<Uniform, impl Fn(&G, G::Action) -> f32> {
    WithPriors::new(Uniform, |_: &G, _| 1.0)
}

fn selection<G: ActionIndex + 'static>() -> Vec<Row<G>> {
    vec![
        row("`Ucb1`", |search| search.tree_policy(Ucb1::default())),
        row("`Ucb1Tuned`", |search| search.tree_policy(Ucb1Tuned::default())),
        row("`UcbV`", |search| search.tree_policy(UcbV::default())),
        row("`KlUcb`", |search| search.tree_policy(KlUcb::default())),
        row("`Moss`", |search| search.tree_policy(Moss::default())),
        row("`BayesUct`, with `BayesBackup`", |search| {
            search.tree_policy(BayesUct::default()).backprop(BayesBackup)
        }),
        row("`Thompson`", |search| search.tree_policy(Thompson)),
        row("`GaussianThompson`", |search| search.tree_policy(GaussianThompson::default())),
        row("`EpsilonGreedy`", |search| search.tree_policy(EpsilonGreedy::default())),
        row("`Boltzmann`", |search| search.tree_policy(Boltzmann::default())),
        row("`Exp3`", |search| search.tree_policy(Exp3::default())),
        row("`Grave`", |search| search.tree_policy(Grave::default())),
        row("`Rave`", |search| search.tree_policy(Rave::default())),
        row("`AlphaAmaf`", |search| search.tree_policy(AlphaAmaf::default())),
        row("`ProgressiveHistory`", |search| search.tree_policy(ProgressiveHistory::default())),
        row("`Puct`, equal priors", |search| search.tree_policy(Puct::default()).rollout_policy(equal())),
        row("`ProgressiveBias`, equal priors", |search| {
            search.tree_policy(ProgressiveBias::default()).rollout_policy(equal())
        }),
        row("`CompletedValues`, equal priors", |search| {
            search.tree_policy(CompletedValues::default()).rollout_policy(equal())
        }),
        row("`GumbelRoot` before `CompletedValues`, equal priors", |search| {
            search.tree_policy(Gumbel::default()).rollout_policy(equal())
        }),
        row("`Dirichlet` before `Puct`, equal priors", |search| {
            search.tree_policy(AtRoot::new(Dirichlet::default(), Puct::default())).rollout_policy(equal())
        }),
        row("`SequentialHalving` before `Ucb1`", |search| {
            search.tree_policy(AtRoot::new(SequentialHalving::new(), Ucb1::default()))
        }),
        row("`Shot`", |search| search.tree_policy(Shot::new())),
    ]
}

fn simulation<G: ActionIndex + StaticEvaluation + 'static>() -> Vec<Row<G>> {
    let evaluator = |state: &G, _: &[G::Action], _: &mut [f32]| {
        Rewards::new(state.players(), |player| state.evaluate(player) as f32)
    };
    // All actions are equal, so rollouts are as long as random ones.
    let heuristic = |_: &G, _: G::Action| 1.0;
    vec![
        row("`Uniform`", |search| search.rollout_policy(Uniform)),
        row("`EpsilonGreedyRollouts`, a constant heuristic", move |search| {
            search.rollout_policy(simulation::EpsilonGreedyRollouts::new(0.1, heuristic))
        }),
        row("`Softmax`, a constant heuristic", move |search| {
            search.rollout_policy(Softmax::new(0.1, heuristic))
        }),
        row("`Mast`", |search| search.rollout_policy(Mast::default())),
        row("`Mast::gibbs`", |search| search.rollout_policy(Mast::gibbs(0.1))),
        row("`Nst`", |search| search.rollout_policy(Nst::default())),
        row("`Ppa`", |search| search.rollout_policy(Ppa::default())),
        row("`LastGoodReply`", |search| search.rollout_policy(LastGoodReply::default())),
        row("`Decisive`", |search| search.rollout_policy(Decisive::new())),
        row("`Decisive::anti`", |search| search.rollout_policy(Decisive::new().anti())),
        row("`Cutoff` after 8 actions", |search| search.rollout_policy(Cutoff::new(8))),
        row("`Cutoff::when_decided`", |search| search.rollout_policy(Cutoff::when_decided(0.3))),
        row("`Mixed` of the static evaluation and `Uniform`", |search| {
            search.rollout_policy(Mixed::new(Cutoff::new(0), Uniform))
        }),
        row("`MultipleRollouts`, 4 rollouts", |search| {
            search.rollout_policy(MultipleRollouts::new(4, Uniform))
        }),
        row("`Evaluate`, the static evaluation", move |search| {
            search.rollout_policy(Evaluate::by(evaluator))
        }),
        row("`WithPriors`, equal priors, with `Puct`", |search| {
            search.tree_policy(Puct::default()).rollout_policy(equal())
        }),
        row("`EvaluationPriors`, with `Puct`", |search| {
            search.tree_policy(Puct::default()).rollout_policy(EvaluationPriors::<Uniform>::default())
        }),
    ]
}

fn backpropagation<G: StaticEvaluation + 'static>() -> Vec<Row<G>> {
    vec![
        row("`Average`", |search| search.backprop(Average)),
        row("`Discounted`", |search| search.backprop(Discounted::new(0.98))),
        row("`RecencyWeighted`", |search| search.backprop(RecencyWeighted::new(0.001))),
        row("`MaxBackup`", |search| search.backprop(MaxBackup)),
        row("`PowerMean`", |search| search.backprop(PowerMean::default())),
        row("`SoftmaxBackup`", |search| search.backprop(SoftmaxBackup::default())),
        row("`BayesBackup`", |search| search.backprop(BayesBackup)),
        row("`ImplicitMinimax` of `Average`", |search| {
            search.backprop(ImplicitMinimax::<Average>::default())
        }),
        row("`Solver` of `Average`", |search| search.backprop(Solver::new(Average))),
        row("`ScoreBounds` of `Average`", |search| search.backprop(ScoreBounds::new(Average))),
        row("`Contempt` of `Average`", |search| search.backprop(Contempt::new(0.4, Average))),
        row("`RelativeBonus` of `Average`", |search| search.backprop(RelativeBonus::<Average>::default())),
    ]
}

/// A game, and the measurements on it.
struct Bench<G: GameState> {
    start: G,
    iterations: u64,
    least_pairs: usize,
    seconds: Duration,
    /// The reference.
    plain: Row<G>,
    /// The nanoseconds per iteration of every search with the reference.
    nanoseconds: Vec<f64>,
}

impl<G: GameState + 'static> Bench<G> {
    fn new(start: G, cli: &Cli) -> Self {
        let (iterations, least_pairs, seconds) =
            if cli.test { (100, 1, Duration::ZERO) } else { (5_000, 9, cli.seconds) };
        let plain = row("", |search| search);
        Bench { start, iterations, least_pairs, seconds, plain, nanoseconds: Vec::new() }
    }

    fn run(&self, row: &Row<G>, iterations: u64, seed: u64) -> Result<Report<G::Action>, SearchError> {
        (row.with)(Mcts::new(self.start.clone()).backprop(Average).seed(seed))
            .run(Budget::iterations(iterations))
    }

    /// Returns bytes per child, in a tree so large that its last chunk matters little.
    fn bytes(&self, row: &Row<G>) -> Result<f64, SearchError> {
        let report = self.run(row, 20 * self.iterations, 0)?;
        Ok(report.bytes as f64 / report.nodes as f64)
    }

    /// Returns nanoseconds per iteration.
    fn time(&self, row: &Row<G>, seed: u64) -> Result<f64, SearchError> {
        let report = self.run(row, self.iterations, seed)?;
        Ok(report.time.as_nanos() as f64 / report.iterations as f64)
    }

    /// Returns the times relative to the reference, one per pair of searches. The first pair only warms up.
    fn ratios(&mut self, row: &Row<G>) -> Result<Vec<f64>, SearchError> {
        let (mut pairs, began) = (Vec::new(), Instant::now());
        while pairs.len() <= self.least_pairs || began.elapsed() < self.seconds {
            let seed = pairs.len() as u64;
            // Each of the two goes first equally often.
            pairs.push(if seed.is_multiple_of(2) {
                let plain = self.time(&self.plain, seed)?;
                (self.time(row, seed)?, plain)
            } else {
                (self.time(row, seed)?, self.time(&self.plain, seed)?)
            });
        }
        self.nanoseconds.extend(pairs.iter().skip(1).map(|&(_, plain)| plain));
        Ok(pairs.iter().skip(1).map(|(own, plain)| own / plain).collect())
    }
}

/// Returns the median and the ends of its 95 % interval, by the binomial distribution.
fn median(mut numbers: Vec<f64>) -> Result<[f64; 3], Box<dyn Error>> {
    numbers.sort_by(f64::total_cmp);
    let last = numbers.len() - 1;
    let rank = Binomial::new(0.5, numbers.len() as u64)?.inverse_cdf(0.025) as usize;
    let low = rank.saturating_sub(1);
    Ok([(numbers[last / 2] + numbers[last.div_ceil(2)]) / 2.0, numbers[low], numbers[last - low]])
}

fn main() -> Result<(), Box<dyn Error>> {
    let cli = Cli::parse();
    let mut connect4 = Bench::new(Connect4::new(), &cli);
    let mut hex = Bench::new(Hex::new(11)?, &cli);
    let phases = [
        ("selection", selection(), selection()),
        ("simulation", simulation(), simulation()),
        ("backpropagation", backpropagation(), backpropagation()),
    ];
    for (phase, (name, on_connect4, on_hex)) in phases.into_iter().enumerate() {
        println!(
            "| {name} | bytes it keeps per child | bytes per child of a tree of Connect 4 | time on Connect 4 | time on Hex 11x11 |"
        );
        println!("|---|---:|---:|---:|---:|");
        for (row, hex_row) in on_connect4.iter().zip(&on_hex) {
            print!("| {} | {} | {:.1} |", row.name, row.kept[phase], connect4.bytes(row)?);
            for ratios in [connect4.ratios(row)?, hex.ratios(hex_row)?] {
                let [middle, low, high] = median(ratios)?;
                print!(" {middle:.2} ({low:.2} to {high:.2}) |");
            }
            println!();
        }
        println!();
    }
    let [connect4, ..] = median(connect4.nanoseconds)?;
    let [hex, ..] = median(hex.nanoseconds)?;
    println!("1.00 is {connect4:.0} ns per iteration on Connect 4, and {hex:.0} on Hex 11x11.");
    Ok(())
}
