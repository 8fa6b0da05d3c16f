//! Every policy that texts can name: with each other, against oracles, in hostile games.

#[path = "../../../../tests/common/mod.rs"]
mod common;

mod clear;
mod covering;
mod determinism;
mod hostile;
mod hostile_game;
mod pairs;
mod perspective;
mod registry;
mod table;
mod verdict;
mod wrong_evaluations;
