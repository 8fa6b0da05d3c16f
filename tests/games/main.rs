//! The games and the problems that come with the crate.
#![cfg(feature = "games")]

#[path = "../common/mod.rs"]
mod common;
mod support;

mod bandit;
mod counts;
mod evaluation;
mod keys;
mod p_game;
mod random_action;
mod rollouts;
mod rules;
mod serialization;
mod symmetry;
mod text;
mod twins;
