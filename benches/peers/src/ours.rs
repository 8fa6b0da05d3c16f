//! ramure itself.

use crate::board::Connect4;
use crate::found::Found;
use ramure::prelude::*;
use std::time::Duration;

/// UCB1, averages, random rollouts.
pub fn search(c: f32, board: Connect4, iterations: u64, seed: u64) -> Found {
    run(ucb1(c, board, seed), iterations)
}

/// The same, with proofs.
pub fn proving(c: f32, board: Connect4, iterations: u64, seed: u64) -> Found {
    run(ucb1(c, board, seed).backprop(Solver::new(Average)), iterations)
}

pub fn ucb1(c: f32, board: Connect4, seed: u64) -> Mcts<Connect4, Ucb1, Uniform, Average> {
    Mcts::new(board).tree_policy(Ucb1::new(c)).backprop(Average).seed(seed)
}

/// With all defaults.
pub fn defaults(board: Connect4, iterations: u64, seed: u64) -> Found {
    run(Mcts::new(board).seed(seed), iterations)
}

/// [`defaults`] on two threads.
pub fn two_threads(board: Connect4, iterations: u64, seed: u64) -> Found {
    run(Mcts::new(board).seed(seed).threads(2), iterations)
}

/// Two threads for this time, with all defaults.
pub fn play(board: Connect4, time: Duration, seed: u64) -> Found {
    run_for(Mcts::new(board).seed(seed).threads(2), Budget::time(time))
}

/// Two threads for this time, with the exploration constant 1 and no proofs.
pub fn play_averaging(board: Connect4, time: Duration, seed: u64) -> Found {
    run_for(ucb1(1.0, board, seed).threads(2), Budget::time(time))
}

/// Two threads for this time, with the exploration constant 1 and proofs.
pub fn play_proving(board: Connect4, time: Duration, seed: u64) -> Found {
    run_for(ucb1(1.0, board, seed).backprop(Solver::new(Average)).threads(2), Budget::time(time))
}

pub fn run<S: Search<Space = Connect4> + 'static>(search: S, iterations: u64) -> Found {
    run_for(search, Budget::iterations(iterations))
}

fn run_for<S: Search<Space = Connect4> + 'static>(mut search: S, budget: Budget) -> Found {
    let report = search.run(budget).unwrap_or_else(|error| panic!("{error}"));
    Found::new(report.best_action(), Some(u64::from(report.root_visits)), search)
        .with_tree(report.nodes, report.mean_depth)
}
