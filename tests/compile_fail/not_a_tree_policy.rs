//! A number is not a tree policy.
//! expect: is not a tree policy for `Sticks`
//! expect: not a tree policy for this game
use ramure::prelude::*;

include!("../common/sticks.rs");

fn main() {
    let mut search = Mcts::new(Sticks(7, 0)).tree_policy(1.4);
    let _ = search.run(Budget::iterations(10));
}
