//! Outcome sampling keeps what no file has.
//! expect: this search cannot be saved
//! errors: 1
use ramure::games::TicTacToe;
use ramure::prelude::*;

fn main() {
    let _ = Mcts::outcome_sampling(TicTacToe::new()).save("file");
}
