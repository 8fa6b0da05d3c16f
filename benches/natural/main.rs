//! Measures games as newcomers write them: a `Vec` of actions, no method overridden, boards of arrays and
//! lists in the state. For each game and number of iterations, the time of three programs, with the creation
//! and the freeing of the search: ramure, a plain search written by hand, and only the rollouts, from the
//! leaves of the plain search.
//!
//! `cargo bench -p ramure-benches --bench natural`; with `-- --help`, the options. `-- --count five-in-a-row
//! ramure 1000` runs one search and prints nothing but its action, for a profiler.

mod chess;
mod five_in_a_row;
mod listed_once;
mod othello;
mod pawns;
mod plain;
mod reserved;
mod tricks;

use clap::Parser;
use plain::Plain;
use ramure::backpropagation::Average;
use ramure::prelude::*;
use std::hint::black_box;
use std::time::Instant;

const C: f32 = 0.7;

/// Measures games as newcomers write them.
#[derive(Parser)]
struct Cli {
    /// Measure these numbers of iterations
    #[arg(long, value_delimiter = ',', default_value = "200,1000,10000")]
    iterations: Vec<u64>,
    /// Take the least time of this many runs of each program, in turn
    #[arg(long, default_value_t = 7)]
    runs: u64,
    /// Measure only the games whose name contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Run one search: the game, the program (ramure, plain, rollouts) and the iterations
    #[arg(long, num_args = 3, value_names = ["GAME", "PROGRAM", "ITERATIONS"])]
    count: Option<Vec<String>>,
    /// Passed by cargo
    #[arg(long, hide = true)]
    bench: bool,
    /// Runs a smoke test, as in criterion
    #[arg(long, hide = true)]
    test: bool,
}

fn ramure<G: GameState>(state: &G, iterations: u64, seed: u64) -> G::Action {
    let search = Mcts::new(state.clone()).tree_policy(Ucb1::new(C)).backprop(Average);
    let mut search = search.seed(seed);
    search.run(Budget::iterations(iterations)).expect("these games keep the contract").best_action()
}

fn plain<G: GameState>(state: &G, iterations: u64, seed: u64) -> G::Action {
    let mut search = Plain::new(state.clone(), C.into(), seed);
    for _ in 0..iterations {
        search.iterate();
    }
    search.best_action()
}

/// The leaves of a plain search.
fn leaves<G: GameState>(state: &G, iterations: u64, seed: u64) -> Vec<G> {
    let mut search = Plain::new(state.clone(), C.into(), seed);
    (0..iterations)
        .map(|_| {
            let leaf = search.iterate();
            search.state(leaf).clone()
        })
        .collect()
}

/// Plays from each leaf to the end, as a default rollout does.
fn rollouts<G: GameState>(leaves: &[G], seed: u64) -> f64 {
    let (mut rng, mut sum) = (Rng::seeded(seed), 0.0);
    for leaf in leaves {
        let mut state = leaf.clone();
        while let Turn::Player(_) = state.turn() {
            let Some(action) = state.random_action(&mut rng) else { break };
            state.apply(action);
        }
        sum += state.reward(0);
    }
    sum
}

impl Cli {
    fn count<G: GameState>(&self, state: &G, program: &str, iterations: u64) {
        match program {
            "ramure" => println!("{:?}", ramure(state, iterations, 1)),
            "plain" => println!("{:?}", plain(state, iterations, 1)),
            "leaves" => println!("{}", leaves(state, iterations, 1).len()),
            _ => println!("{}", rollouts(&leaves(state, iterations, 1), 1)),
        }
    }

    fn row<G: GameState>(&self, name: &str, state: &G) {
        for &iterations in &self.iterations {
            let mut least = [f64::INFINITY; 3];
            for seed in 0..self.runs {
                let leaves = leaves(state, iterations, seed);
                let mut time = |program: usize, run: &dyn Fn()| {
                    let begin = Instant::now();
                    run();
                    least[program] = least[program].min(begin.elapsed().as_secs_f64());
                };
                time(0, &|| _ = black_box(ramure(state, iterations, seed)));
                time(1, &|| _ = black_box(plain(state, iterations, seed)));
                time(2, &|| _ = black_box(rollouts(&leaves, seed)));
            }
            let [ours, by_hand, rollouts] = least.map(|time| time * 1e6 / iterations as f64);
            println!(
                "| {name} | {iterations} | {ours:.2} | {by_hand:.2} | {rollouts:.2} | {:.2} | {:.2} |",
                ours / by_hand,
                ours / rollouts
            );
        }
    }

    fn game<G: GameState>(&self, name: &str, state: &G) {
        match &self.count {
            None if name.contains(&self.only) => self.row(name, state),
            Some(words) if words[0] == name => {
                let iterations = words[2].parse().expect("the third word is a number of iterations");
                self.count(state, &words[1], iterations);
            }
            _ => {}
        }
    }
}

fn main() {
    let mut cli = Cli::parse();
    if cli.test {
        (cli.iterations, cli.runs) = (vec![20], 1);
    }
    if cli.count.is_none() {
        println!(
            "| game | iterations | ramure, us an iteration | by hand | rollouts | ramure / by hand | ramure / rollouts |"
        );
        println!("|---|---:|---:|---:|---:|---:|---:|");
    }
    cli.game("five-in-a-row", &five_in_a_row::FiveInARow::new());
    cli.game("pawns", &pawns::Pawns::new());
    cli.game("othello", &othello::Othello::new());
    cli.game("tricks", &tricks::Tricks::new(1));
    cli.game("chess", &chess::Chess::new());
    cli.game("five-in-a-row-once", &listed_once::FiveInARowOnce::new());
    cli.game("pawns-once", &listed_once::PawnsOnce::new());
    cli.game("othello-once", &listed_once::OthelloOnce::new());
    cli.game("five-in-a-row-reserved", &reserved::FiveInARowReserved::new());
    cli.game("chess-reserved", &reserved::ChessReserved::new());
}
