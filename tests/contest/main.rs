//! Contests between agents, their statistics and pictures, and the experiments of the programs.
#![cfg(feature = "contest")]

#[path = "../common/mod.rs"]
mod common;
#[cfg(feature = "games")]
#[path = "../../examples/experiments/mod.rs"]
mod experiments;

mod files;
mod matches;
mod one_player;
#[cfg(feature = "games")]
mod outputs;
mod pictures;
#[cfg(feature = "games")]
mod small_experiments;
mod statistics;
mod tuning;
