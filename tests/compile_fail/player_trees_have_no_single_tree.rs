//! Each player has a tree.
//! expect: a search with a tree for each player has no tree that shows all
//! errors: 1
use ramure::prelude::*;

include!("../common/sticks.rs");

fn main() {
    let _ = Mcts::player_trees(Sticks(7, 0)).tree();
}
