//! Tests of rollout policies and of backpropagation.

#[path = "../common/mod.rs"]
mod common;

mod backups;
mod best_line;
mod decorators;
mod rollout_cutoff;
mod rollout_learning;
mod rollout_policies;
mod rollout_settings;
mod scales;
mod score_bounds;
mod solver;
