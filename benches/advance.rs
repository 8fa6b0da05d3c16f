//! Measures `advance` after 1e5 and 1e6 iterations of Connect 4, by the best action, which keeps most of the
//! tree, and by the worst, which gives most of it back; `reset`, which gives all of it back; and a clone.
//! `cargo bench -p ramure-benches --bench advance`.
//!
//! The elements of the throughput are the nodes given back, or copied. All searches have the same seed, so
//! they are the same.

use criterion::{
    BatchSize, BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use ramure::prelude::*;
use ramure_games::Connect4;
use ramure_games::connect4::Column;
use std::time::Duration;

/// A search after its run, with its best and its worst action.
struct Ready {
    search: Mcts<Connect4, Ucb1, Uniform, Average>,
    best: Column,
    worst: Column,
}

impl Ready {
    fn after(iterations: u64) -> Self {
        let mut search = Mcts::new(Connect4::new()).backprop(Average).tree_policy(Ucb1::new(1.0));
        let report = search.run(Budget::iterations(iterations)).unwrap_or_else(|error| panic!("{error}"));
        let worst = report.actions.iter().min_by_key(|action| action.visits);
        let best = report.best_action();
        Ready { search, best, worst: worst.map_or(best, |action| action.action) }
    }
}

fn time(
    criterion: &mut Criterion,
    name: &str,
    iterations: u64,
    mut step: impl FnMut(&mut Ready) -> Result<(), SearchError>,
) {
    let mut ready = Ready::after(iterations);
    let before = ready.search.tree().node_count();
    step(&mut ready).unwrap_or_else(|error| panic!("{error}"));
    let given_back = before - ready.search.tree().node_count();
    drop(ready);

    let mut group = criterion.benchmark_group("advance");
    group.throughput(Throughput::Elements(given_back as u64)).sampling_mode(SamplingMode::Flat);
    group.bench_function(BenchmarkId::new(name, iterations), |bencher| {
        bencher.iter_batched_ref(|| Ready::after(iterations), &mut step, BatchSize::PerIteration);
    });
    group.finish();
}

/// Clones a search. The elements are its nodes.
fn clone(criterion: &mut Criterion, iterations: u64) {
    let Ready { search, .. } = Ready::after(iterations);
    let mut group = criterion.benchmark_group("clone");
    group.throughput(Throughput::Elements(search.tree().node_count() as u64));
    group.bench_function(BenchmarkId::from_parameter(iterations), |bencher| {
        bencher.iter_with_large_drop(|| search.clone());
    });
    group.finish();
}

fn all(criterion: &mut Criterion) {
    for iterations in [100_000, 1_000_000] {
        time(criterion, "by the best action", iterations, |ready| ready.search.advance(ready.best));
        time(criterion, "by the worst action", iterations, |ready| ready.search.advance(ready.worst));
        time(criterion, "reset", iterations, |ready| {
            ready.search.reset(Connect4::new());
            Ok(())
        });
        clone(criterion, iterations);
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(5))
        .sample_size(10);
    targets = all
}
criterion_main!(benches);
