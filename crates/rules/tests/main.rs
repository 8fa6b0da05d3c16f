//! Tests of the rules kit.
#![cfg(feature = "proptest")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../../crates/games/tests/support/mod.rs"]
mod support;
mod wrong_games;

mod announced;
mod bad_games;
mod dice;
mod draws;
mod evidence;
mod four_games;
mod guesses;
mod keys;
mod perft;
mod quick;
mod reporting;
mod slow_games;
mod sorted_hands;
mod strategies;
mod teams;
