//! A best-reply search needs a game in which turns can be skipped.
//! expect: players of `Sticks` cannot skip a turn
//! expect: fn skip_turn(&mut self)
use ramure::prelude::*;

include!("../common/sticks.rs");

fn main() {
    let _ = ramure::search::BestReply::new(Sticks(7, 0));
}
