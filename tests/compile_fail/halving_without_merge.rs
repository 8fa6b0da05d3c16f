//! A policy that plans for a number of iterations searches with one tree. It is not the user's, who cannot change that.
//! expect: several trees cannot merge what `SequentialHalving` keeps per node
//! expect: to search with one tree, leave out `parallel`
//! expect: for a policy of your own that keeps nothing
use ramure::prelude::*;
use ramure::selection::{AtRoot, SequentialHalving};

include!("../common/sticks.rs");

fn main() {
    let policy = AtRoot::new(SequentialHalving::default(), Ucb1::new(0.7));
    let _ = Mcts::new(Sticks(7, 0)).tree_policy(policy).parallel(2).run(Budget::iterations(10));
}
