//! A search of a graph needs a game whose positions have keys.
//! expect: the positions of `Sticks` have no keys
//! expect: fn key(&self) -> u128
use ramure::prelude::*;

include!("../common/sticks.rs");

fn main() {
    let _ = ramure::search::Transpositions::new(Sticks(7, 0));
}
