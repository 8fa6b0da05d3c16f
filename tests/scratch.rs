#[path = "common/mod.rs"]
mod common;
#[path = "search/outcome_sampling.rs"]
mod outcome_sampling;
#[path = "search/player_trees.rs"]
mod player_trees;
