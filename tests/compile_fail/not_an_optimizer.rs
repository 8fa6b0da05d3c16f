//! An `Optimization` needs an algorithm.
//! expect: `u8` is not an optimizer for `Sticks`
//! expect: this cannot search for the best line of this game
//! expect: use one that exists: `FlatSampling`, `NestedSearch`, `Nrpa` or `SinglePlayerMcts`
use ramure::prelude::*;

include!("../common/sticks.rs");

impl ramure::Scored for Sticks {
    fn score(&self) -> f64 {
        1.0
    }
}

fn main() {
    use ramure_puzzles::Optimization;
    let _ = Optimization::new(Sticks(7, 0), 3_u8).run(Budget::iterations(10));
}
