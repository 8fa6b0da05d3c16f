//! A tree for each player averages rewards.
//! expect: no method named `backprop` found for struct
//! errors: 1
use ramure::prelude::*;

include!("../common/sticks.rs");

fn main() {
    let _ = Mcts::player_trees(Sticks(7, 0)).backprop(Solver::new(Average));
}
