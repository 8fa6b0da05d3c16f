//! NRPA needs codes of actions.
//! expect: the actions of `Sticks` have no codes
//! expect: this search keeps a weight for each code of an action
//! expect: add `impl ActionCode for Sticks { fn action_code(&self, action: Self::Action) -> u64 { .. } }`
use ramure::prelude::*;

include!("../common/sticks.rs");

impl ramure::Scored for Sticks {
    fn score(&self) -> f64 {
        1.0
    }
}

fn main() {
    use ramure_puzzles::{Nrpa, Optimization};
    let _ = Optimization::new(Sticks(7, 0), Nrpa::new(2)).run(Budget::iterations(10));
}
