//! Tests of tree policies: selection in the tree and at the root, and the statistics that it reads.

#[path = "../common/mod.rs"]
mod common;

mod amaf;
mod bandit_policies;
mod bayes;
mod chosen;
mod equations_bandits;
mod equations_priors_amaf;
mod exploration;
mod gumbel;
mod listed_order;
mod recency_weighted;
mod root_policies;
mod shot;
mod statistics;
mod ties;
mod watched;
