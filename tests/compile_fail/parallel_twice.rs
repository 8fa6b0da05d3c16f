//! A forest of forests.
//! expect: the method `parallel` exists for struct
//! errors: 1
use ramure::games::TicTacToe;
use ramure::prelude::*;

fn main() {
    let _ = Mcts::new(TicTacToe::new()).parallel(2).parallel(8);
}
