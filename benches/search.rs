//! Measures searches: 10 000 iterations from an empty tree, for every game and policy. `cargo bench -p
//! ramure-benches --bench search`.
//!
//! "Own copy of Ucb1" is the policy that a user would write in ten lines, see `common/own_ucb1.rs`. Each
//! search has another seed, because the processor would learn the branches of a search that it sees
//! repeatedly.

#[path = "common/own_ucb1.rs"]
mod own_ucb1;

use criterion::{
    BatchSize, BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use own_ucb1::{OwnUcb1, PlainUcb1};
use ramure::prelude::*;
use ramure::selection::{Grave, Puct, Rave, Thompson, Ucb1Tuned};
use ramure::simulation::{Cutoff, Mast, WithPriors};
use ramure::{ActionIndex, StaticEvaluation};
use ramure_games::sudo_tic_tac_toe::Mode;
use ramure_games::{Connect4, Hex, SudoTicTacToe, TicTacToe};
use std::time::Duration;

const ITERATIONS: u64 = 10_000;

fn time<S: Search>(criterion: &mut Criterion, game: &str, name: &str, search: impl Fn(u64) -> S) {
    let mut group = criterion.benchmark_group(format!("search, {game}"));
    group.throughput(Throughput::Elements(ITERATIONS)).sampling_mode(SamplingMode::Flat);
    group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
        let mut seed = 0;
        bencher.iter_batched_ref(
            || {
                seed += 1;
                search(seed)
            },
            |search| search.run(Budget::iterations(ITERATIONS)).map(|report| report.root_visits),
            BatchSize::LargeInput,
        );
    });
    group.finish();
}

fn policies<G: ActionIndex + StaticEvaluation>(criterion: &mut Criterion, game: &str, start: &G) {
    let plain = |seed| Mcts::new(start.clone()).backprop(Average).tree_policy(Ucb1::new(1.0)).seed(seed);
    time(criterion, game, "Ucb1", plain);
    time(criterion, game, "own copy of Ucb1", |seed| plain(seed).tree_policy(OwnUcb1(1.0)));
    time(criterion, game, "own plain UCB1", |seed| plain(seed).tree_policy(PlainUcb1(1.0)));
    time(criterion, game, "Ucb1Tuned", |seed| plain(seed).tree_policy(Ucb1Tuned::default()));
    time(criterion, game, "Puct", |seed| {
        plain(seed).tree_policy(Puct::default()).rollout_policy(WithPriors::new(Uniform, |_: &G, _| 1.0))
    });
    time(criterion, game, "Grave", |seed| plain(seed).tree_policy(Grave::default()));
    time(criterion, game, "Rave", |seed| plain(seed).tree_policy(Rave::default()));
    time(criterion, game, "Thompson", |seed| plain(seed).tree_policy(Thompson));
    time(criterion, game, "Ucb1, Solver", |seed| plain(seed).backprop(Solver::new(Average)));
    time(criterion, game, "Ucb1, Mast", |seed| plain(seed).rollout_policy(Mast::default()));
    time(criterion, game, "Ucb1, Cutoff 8", |seed| plain(seed).rollout_policy(Cutoff::new(8)));
}

fn all(criterion: &mut Criterion) {
    policies(criterion, "tic-tac-toe", &TicTacToe::new());
    policies(criterion, "connect 4", &Connect4::new());
    policies(criterion, "sudo tic-tac-toe 1", &SudoTicTacToe::new(Mode::LocalWin));
    policies(criterion, "sudo tic-tac-toe 2", &SudoTicTacToe::new(Mode::Ultimate));
    for size in [11, 19] {
        match Hex::new(size) {
            Ok(hex) => policies(criterion, &format!("hex {size}x{size}"), &hex),
            Err(error) => panic!("{error}"),
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(15);
    targets = all
}
criterion_main!(benches);
