//! Pictures of positions need a game that draws them.
//! expect: `Sticks` does not draw its positions
//! expect: fn picture(&self, last: Option<<Self as GameState>::Action>) -> String
use ramure::prelude::*;
use ramure_explorer::Explorer;

include!("../common/sticks.rs");

fn main() {
    let search = Mcts::new(Sticks(7, 0));
    let _ = Explorer::new(search.tree()).pictures();
}
