//! Tests of searches and agents.

#[path = "../common/mod.rs"]
mod common;

mod after_the_end;
mod agents;
mod agents_and_bad_games;
mod bad_input;
mod bad_settings;
mod big_actions;
mod calls;
mod chance;
mod coalitions;
mod comparisons;
mod copies;
mod depth;
mod determinism;
mod determinized;
mod early_stop;
mod engines;
mod expansion;
mod explorer;
mod failing_games;
mod failures;
mod game_clock;
mod hidden_chance;
mod information_sets;
mod kept_states;
mod lines_of_play;
mod long_runs;
mod memory;
mod observed_moves;
mod open_loop;
mod outcome_sampling;
mod owning_actions;
mod planning;
mod player_trees;
mod regressions;
mod reports;
mod root_actions;
mod sampled;
mod saved;
mod saved_graphs;
mod saved_wide;
mod serialization;
mod widening;
