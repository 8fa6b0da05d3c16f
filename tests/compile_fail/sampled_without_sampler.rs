//! A search that samples actions needs a sampler.
//! expect: `Sticks` does not sample its actions
//! expect: if the game lists all its actions, search it without `Sampled`
use ramure::prelude::*;

include!("../common/sticks.rs");

fn main() {
    let mut search = Mcts::new(ramure::search::Sampled::new(Sticks(7, 0)));
    let _ = search.run(Budget::iterations(10));
}
