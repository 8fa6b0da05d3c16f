//! Measures the cost of an iteration in searches of all sizes: Connect 4 from the empty board, `Ucb1` with c
//! = 1. `cargo bench -p ramure-benches --bench growth`.
//!
//! *Growth*: 1e3 to 1e7 iterations from an empty tree, to show how much slower a big tree is. The biggest
//! takes half a gigabyte and about a minute. *First result*: 1 to 1000 iterations, as in small searches, and
//! 10 000 for comparison. This time covers everything between a state and an action: making the search,
//! running it, the report, and dropping it (*fresh*); or `reset` and a run in the memory of the search before
//! (*warm*). Each search has another seed, because the processor would learn the branches of a search that it
//! sees repeatedly.

use criterion::{
    BatchSize, BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use ramure::prelude::*;
use ramure_games::Connect4;
use ramure_games::connect4::Column;
use std::time::Duration;

/// Returns a function that makes searches with the seeds 1, 2, 3, ...
fn searches() -> impl FnMut() -> Mcts<Connect4, Ucb1, Uniform, Average> {
    let mut seed = 0;
    move || {
        seed += 1;
        Mcts::new(Connect4::new()).backprop(Average).tree_policy(Ucb1::new(1.0)).seed(seed)
    }
}

fn result(search: &mut Mcts<Connect4, Ucb1, Uniform, Average>, iterations: u64) -> Option<Column> {
    let report = search.run(Budget::iterations(iterations));
    report.and_then(|report| report.try_best_action()).ok()
}

fn growth(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("growth");
    group.sampling_mode(SamplingMode::Flat);
    for power in 3..=7 {
        let iterations = 10u64.pow(power);
        group.throughput(Throughput::Elements(iterations));
        group.bench_function(BenchmarkId::from_parameter(format!("1e{power}")), |bencher| {
            bencher.iter_batched_ref(
                searches(),
                |search| result(search, iterations),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

fn first_result(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("first result");
    group.sampling_mode(SamplingMode::Flat);
    for iterations in [1, 3, 10, 30, 100, 300, 1_000, 10_000] {
        group.throughput(Throughput::Elements(iterations));
        group.bench_function(BenchmarkId::new("fresh", iterations), |bencher| {
            let mut fresh = searches();
            bencher.iter(|| result(&mut fresh(), iterations));
        });
        let mut search = searches()();
        group.bench_function(BenchmarkId::new("warm", iterations), |bencher| {
            bencher.iter(|| {
                search.reset(Connect4::new());
                result(&mut search, iterations)
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .sample_size(10);
    targets = growth, first_result
}
criterion_main!(benches);
