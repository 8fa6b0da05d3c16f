//! ramure itself.

use crate::board::Connect4;
use crate::found::Found;
use ramure::prelude::*;
use ramure::selection::Exploration;
use std::time::Duration;

/// UCB1, averages, random rollouts.
pub fn search(c: f32, board: Connect4, iterations: u64, seed: u64) -> Found {
    run(ucb1(c, board, seed), iterations)
}

/// The same, with proofs.
pub fn proving(c: f32, board: Connect4, iterations: u64, seed: u64) -> Found {
    run(ucb1(c, board, seed).backprop(Solver::new(Average)), iterations)
}

pub fn ucb1(c: impl Into<Exploration>, board: Connect4, seed: u64) -> Mcts<Connect4> {
    Mcts::new(board).tree_policy(Ucb1::new(c)).seed(seed)
}

/// With all defaults.
pub fn defaults(board: Connect4, iterations: u64, seed: u64) -> Found {
    run(Mcts::new(board).seed(seed), iterations)
}

/// With all defaults and proofs.
pub fn defaults_proving(board: Connect4, iterations: u64, seed: u64) -> Found {
    run(Mcts::new(board).seed(seed).backprop(Solver::new(Average)), iterations)
}

/// [`defaults`] with two trees on two threads.
pub fn two_threads(board: Connect4, iterations: u64, seed: u64) -> Found {
    run(Mcts::new(board).seed(seed).parallel(2), iterations)
}

/// [`defaults_proving`] with two trees on two threads.
pub fn two_threads_proving(board: Connect4, iterations: u64, seed: u64) -> Found {
    run(Mcts::new(board).seed(seed).backprop(Solver::new(Average)).parallel(2), iterations)
}

/// Two threads for this time, with the exploration constant `c`.
pub fn play(c: impl Into<Exploration>, board: Connect4, time: Duration, seed: u64) -> Found {
    run_for(ucb1(c, board, seed).parallel(2), Budget::time(time))
}

/// The same, with proofs.
pub fn play_proving(c: impl Into<Exploration>, board: Connect4, time: Duration, seed: u64) -> Found {
    run_for(ucb1(c, board, seed).backprop(Solver::new(Average)).parallel(2), Budget::time(time))
}

pub fn run<S: Search<Space = Connect4> + 'static>(search: S, iterations: u64) -> Found {
    run_for(search, Budget::iterations(iterations))
}

fn run_for<S: Search<Space = Connect4> + 'static>(mut search: S, budget: Budget) -> Found {
    let report = search.run(budget).unwrap_or_else(|error| panic!("{error}"));
    Found::new(report.best_action(), Some(u64::from(report.root_visits)), search)
        .with_tree(report.nodes, report.mean_depth)
}
