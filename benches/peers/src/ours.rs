//! ramure itself.

use crate::board::Connect4;
use crate::found::Found;
use ramure::prelude::*;

/// UCB1, averages, random rollouts.
pub fn search(c: f32, board: Connect4, iterations: u64, seed: u64) -> Found {
    run(ucb1(c, board, seed), iterations)
}

/// The same, with proofs.
pub fn proving(c: f32, board: Connect4, iterations: u64, seed: u64) -> Found {
    run(ucb1(c, board, seed).backprop(Solver::new(Average)), iterations)
}

pub fn ucb1(c: f32, board: Connect4, seed: u64) -> Mcts<Connect4> {
    Mcts::new(board).tree_policy(Ucb1::new(c)).seed(seed)
}

pub fn run<S: Search<Game = Connect4> + 'static>(mut search: S, iterations: u64) -> Found {
    let report = search.run(Budget::iterations(iterations)).unwrap_or_else(|error| panic!("{error}"));
    Found::new(report.best_action(), Some(u64::from(report.root_visits)), search)
        .with_tree(report.nodes, report.mean_depth)
}
