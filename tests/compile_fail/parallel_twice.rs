//! A forest of forests.
//! expect: `parallel` needs a search with one tree
//! errors: 1
use ramure::prelude::*;

include!("../common/sticks.rs");

fn main() {
    let _ = Mcts::new(Sticks(7, 0)).parallel(2).parallel(8);
}
