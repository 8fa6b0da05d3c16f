//! A search of an information set needs guesses.
//! expect: `Sticks` does not say what its players cannot see
//! expect: a search of this game would see everything
//! expect: if `Sticks` is a type of another crate, wrap it in a type of yours
use ramure::prelude::*;

include!("../common/sticks.rs");

fn main() {
    let mut search = Mcts::new(ramure::search::InformationSet::new(Sticks(7, 0)));
    let _ = search.run(Budget::iterations(10));
}
