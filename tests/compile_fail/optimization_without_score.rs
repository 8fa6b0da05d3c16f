//! A search for the best line needs a score.
//! expect: `Sticks` has no puzzle score
//! expect: this search maximises the puzzle score of a game of one player
//! expect: add `impl Scored for Sticks { fn score(&self) -> f64 { .. } }`
use ramure::prelude::*;

include!("../common/sticks.rs");

fn main() {
    use ramure_puzzles::{FlatSampling, Optimization};
    let _ = Optimization::new(Sticks(7, 0), FlatSampling).run(Budget::iterations(10));
}
