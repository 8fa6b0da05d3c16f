//! Outcome sampling always begins at the start of the game.
//! expect: this search always begins at the start of the game
//! expect: takes the actions that were played as its `target`
//! errors: 1
use ramure::games::TicTacToe;
use ramure::prelude::*;

fn main() {
    let _: Box<dyn Search<Space = TicTacToe>> = Box::new(Mcts::outcome_sampling(TicTacToe::new()));
}
