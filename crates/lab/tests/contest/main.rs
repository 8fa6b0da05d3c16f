//! Contests between agents, their statistics and pictures, and the experiments of the programs.

#[path = "../../../../tests/common/mod.rs"]
mod common;

mod books;
mod channels;
mod clocks;
mod files;
mod help;
mod listings;
mod matches;
mod one_player;
mod outputs;
mod pictures;
mod puzzles;
mod ranks;
mod secrets;
mod small_experiments;
mod statistics;
mod tuning;
mod watch;
