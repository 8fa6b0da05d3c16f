//! Searches, agents and their policies.

#[path = "../common/mod.rs"]
mod common;

mod agents;
mod bad_input;
mod bad_settings;
mod bandit_policies;
mod chance;
mod determinism;
mod early_stop;
mod equations_bandits;
mod expansion;
mod memory;
mod perspective;
mod recent;
mod registry;
mod regressions;
mod reports;
mod solver;
mod statistics;
