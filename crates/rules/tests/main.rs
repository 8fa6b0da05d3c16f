//! Tests of the rules kit.

#[path = "../../../tests/common/mod.rs"]
mod common;
#[path = "../../games/tests/support/mod.rs"]
mod support;
#[path = "../../../tests/programs/table/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the random programs use all of it")]
mod table;
mod wrong_games;

mod announced;
mod bad_games;
mod dice;
mod draws;
mod evidence;
mod four_games;
mod guesses;
mod keys;
mod observations;
mod perft;
mod quick;
mod reporting;
mod slow_games;
mod sorted_hands;
mod strategies;
mod tables;
mod teams;
