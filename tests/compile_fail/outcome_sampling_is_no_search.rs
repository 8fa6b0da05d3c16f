//! Outcome sampling always begins at the start of the game.
//! expect: this search always begins at the start of the game
//! expect: takes the actions that were played as its `target`
//! errors: 1
use ramure::prelude::*;

include!("../common/sticks.rs");

fn main() {
    let _: Box<dyn Search<Space = Sticks>> = Box::new(Mcts::outcome_sampling(Sticks(7, 0)));
}
