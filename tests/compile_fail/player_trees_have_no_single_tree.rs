//! Each player has a tree.
//! expect: a search with a tree for each player has no tree that shows all
//! errors: 1
use ramure::games::TicTacToe;
use ramure::prelude::*;

fn main() {
    let _ = Mcts::player_trees(TicTacToe::new()).tree();
}
