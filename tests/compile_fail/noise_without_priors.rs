//! Dirichlet noise changes priors, and UCB1 has none.
//! expect: `f32`, which the tree policy keeps per child, has no prior probability
use ramure::prelude::*;
use ramure::selection::{AtRoot, Dirichlet};

include!("../common/sticks.rs");

fn main() {
    let _ = Mcts::new(Sticks(7, 0)).tree_policy(AtRoot::new(Dirichlet::default(), Ucb1::new(0.7)));
}
