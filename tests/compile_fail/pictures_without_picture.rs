//! Pictures of positions need a game that draws them.
//! expect: `Sticks` does not draw its positions
//! expect: fn picture(&self, last: Option<<Self as GameState>::Action>) -> String
use ramure::prelude::*;

include!("../common/sticks.rs");

fn main() {
    let search = Mcts::new(Sticks(7, 0));
    let _ = search.tree().explorer().pictures();
}
