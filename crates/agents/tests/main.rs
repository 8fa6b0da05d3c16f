//! Tests of the agents.

#[path = "../../../tests/common/mod.rs"]
mod common;

mod agents;
mod bad_games;
mod determinized;
