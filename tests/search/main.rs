//! Tests of searches, agents and their policies.

#[path = "../common/mod.rs"]
mod common;

mod agents;
mod agents_and_bad_games;
mod amaf;
mod backups;
mod bad_input;
mod bad_settings;
mod bandit_policies;
mod bayes;
mod best_line;
mod big_actions;
mod chance;
mod decorators;
mod determinism;
mod early_stop;
mod equations_bandits;
mod equations_priors_amaf;
mod expansion;
mod failures;
mod gumbel;
mod memory;
mod recency_weighted;
mod regressions;
mod reports;
mod rollout_cutoff;
mod rollout_learning;
mod rollout_policies;
mod rollout_settings;
mod root_policies;
mod scales;
mod score_bounds;
mod serialization;
mod shot;
mod solver;
mod statistics;
mod widening;
