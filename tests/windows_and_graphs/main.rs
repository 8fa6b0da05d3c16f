//! Tests of searches with several leaves at a time, and of graphs. They are apart from the other tests of
//! searches so that the two are compiled at the same time.

#[path = "../common/mod.rs"]
mod common;

mod broken_games;
mod erased;
mod in_flight;
mod moving_limits;
mod rings;
mod servers;
mod transpositions;
mod window;
mod wrong_symmetries;
