//! Searches by the clock: iterations per second for games and policies. `cargo bench --bench search`.

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ramure::games::sudo_tic_tac_toe::Mode;
use ramure::games::{Connect4, Hex, SudoTicTacToe, TicTacToe};
use ramure::prelude::*;
use ramure::selection::{Grave, Puct, Rave, Thompson, Ucb1Tuned};
use ramure::simulation::{Cutoff, Mast, WithPriors};
use ramure::{ActionIndex, StaticEvaluation};

const ITERATIONS: u64 = 10_000;

fn time<S: Search>(criterion: &mut Criterion, game: &str, name: &str, search: impl Fn() -> S) {
    let mut group = criterion.benchmark_group(game);
    group.throughput(Throughput::Elements(ITERATIONS)).sample_size(20);
    group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
        bencher.iter_batched_ref(
            &search,
            |search| search.run(Budget::iterations(ITERATIONS)).map(|report| report.root_visits),
            BatchSize::LargeInput,
        );
    });
    group.finish();
}

fn policies<G: ActionIndex + StaticEvaluation>(criterion: &mut Criterion, game: &str, start: &G) {
    let plain = || Mcts::new(start.clone()).tree_policy(Ucb1::new(1.0));
    time(criterion, game, "Ucb1", plain);
    time(criterion, game, "Ucb1Tuned", || plain().tree_policy(Ucb1Tuned::default()));
    time(criterion, game, "Puct", || {
        plain().tree_policy(Puct::default()).rollout_policy(WithPriors::new(Uniform, |_: &G, _| 1.0))
    });
    time(criterion, game, "Grave", || plain().tree_policy(Grave::default()));
    time(criterion, game, "Rave", || plain().tree_policy(Rave::default()));
    time(criterion, game, "Thompson", || plain().tree_policy(Thompson));
    time(criterion, game, "Ucb1, Solver", || plain().backprop(Solver::new(Average)));
    time(criterion, game, "Ucb1, Mast", || plain().rollout_policy(Mast::default()));
    time(criterion, game, "Ucb1, Cutoff 8", || plain().rollout_policy(Cutoff::new(8)));
}

fn all(criterion: &mut Criterion) {
    policies(criterion, "tic-tac-toe", &TicTacToe::new());
    policies(criterion, "connect 4", &Connect4::new());
    policies(criterion, "sudo tic-tac-toe 1", &SudoTicTacToe::new(Mode::LocalWin));
    policies(criterion, "sudo tic-tac-toe 2", &SudoTicTacToe::new(Mode::Ultimate));
    match Hex::new(11) {
        Ok(hex) => policies(criterion, "hex 11x11", &hex),
        Err(error) => panic!("{error}"),
    }
}

criterion_group!(benches, all);
criterion_main!(benches);
