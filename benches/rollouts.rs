//! Measures rollouts alone: a random game from the start to its end, for each of the games. `cargo bench -p
//! ramure-benches --bench rollouts`.
//!
//! There are three ways to play the game. *Uniform* is the rollout policy of this name: the game's shortcut
//! (`random_rollout`), then the rest of the game by random actions. *Uniform, in a search* is the same code
//! inside the loop of a search, which is compiled a second time for the vector and bit instructions of newer
//! processors. *By actions* calls `random_action` for every action, as policies that record the actions must.
//! It is measured only for games that have a shortcut; for the others it is the same as the first.

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use ramure::ParameterError;
use ramure::prelude::*;
use ramure::simulation::{Leaf, Trace};
use ramure::{Expansion, GameFault, Rewards};
use ramure_games::sudo_tic_tac_toe::Mode;
use ramure_games::{Connect4, Hex, SudoTicTacToe, TicTacToe};
use std::time::Duration;

/// The number of games per leaf, so large that the clock and the rest of the search do not matter.
const GAMES: u64 = 1_000;

/// Plays `state` to its end, action by action, and returns the reward of player 0.
#[inline(always)]
fn by_actions<G: GameState>(state: &mut G, rng: &mut Rng) -> f64 {
    while state.turn() != Turn::Over {
        let Some(action) = state.random_action(rng) else { break };
        state.apply(action);
    }
    state.reward(0)
}

/// The same, with the game's shortcut.
#[inline(always)]
fn uniform<G: GameState>(state: &mut G, rng: &mut Rng) -> f64 {
    state.random_rollout(rng);
    by_actions(state, rng)
}

/// A rollout policy that plays many games from the start, whatever the leaf.
struct Many<G> {
    start: G,
}

impl<G: GameState> RolloutPolicy<G> for Many<G> {
    type Trace = ();

    #[inline(always)]
    fn simulate(&self, _: &mut Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Rewards, GameFault> {
        let (mut state, mut sum) = (self.start.clone(), 0.0);
        for _ in 0..GAMES {
            state.clone_from(&self.start);
            sum += uniform(&mut state, rng);
        }
        let mean = (sum / GAMES as f64) as f32;
        Ok(Rewards::new(2, |player| if player == 0 { mean } else { 1.0 - mean }))
    }
}

fn time<G: GameState>(criterion: &mut Criterion, game: &str, start: &G, has_shortcut: bool) {
    let mut group = criterion.benchmark_group(format!("rollout, {game}"));
    group.throughput(Throughput::Elements(GAMES)).sampling_mode(SamplingMode::Flat);
    let mut plain = |name, play: fn(&mut G, &mut Rng) -> f64| {
        let (mut state, mut rng) = (start.clone(), Rng::seeded(1));
        group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
            bencher.iter(|| {
                let games = (0..GAMES).map(|_| {
                    state.clone_from(start);
                    play(&mut state, &mut rng)
                });
                games.sum::<f64>()
            });
        });
    };
    plain("Uniform", uniform::<G>);
    if has_shortcut {
        plain("by actions", by_actions::<G>);
    }
    let many = Many { start: start.clone() };
    let never = Expansion::default().on_visit(u32::MAX);
    let mut search = Mcts::new(start.clone()).backprop(Average).rollout_policy(many).expansion(never);
    group.bench_function(BenchmarkId::from_parameter("Uniform, in a search"), |bencher| {
        bencher.iter(|| search.run(Budget::iterations(1)).map(|report| report.root_visits));
    });
    group.finish();
}

fn all(criterion: &mut Criterion) {
    time(criterion, "tic-tac-toe", &TicTacToe::new(), false);
    time(criterion, "connect 4", &Connect4::new(), true);
    time(criterion, "sudo tic-tac-toe 1", &SudoTicTacToe::new(Mode::LocalWin), false);
    time(criterion, "sudo tic-tac-toe 2", &SudoTicTacToe::new(Mode::Ultimate), false);
    let hex = |criterion: &mut Criterion, size| -> Result<(), ParameterError> {
        time(criterion, &format!("hex {size}x{size}"), &Hex::new(size)?, true);
        Ok(())
    };
    for size in [11, 19] {
        hex(criterion, size).unwrap_or_else(|error| panic!("{error}"));
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3))
        .sample_size(20);
    targets = all
}
criterion_main!(benches);
