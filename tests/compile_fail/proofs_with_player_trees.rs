//! A tree for each player averages rewards.
//! expect: type mismatch resolving
//! errors: 1
use ramure::games::TicTacToe;
use ramure::prelude::*;

fn main() {
    let _ = Mcts::player_trees(TicTacToe::new()).backprop(Solver::new(Average));
}
