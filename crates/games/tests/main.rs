//! The games and the problems that come with the crate.

#[path = "../../../tests/common/mod.rs"]
mod common;
mod support;

mod bandit;
mod counts;
mod evaluation;
mod keys;
mod morpion;
mod p_game;
mod random_action;
mod rollouts;
mod rules;
mod same_game;
mod serialization;
mod symmetry;
mod text;
mod twins;
