//! MAST keeps a table indexed by action.
//! expect: the actions of `Sticks` have no numbers
//! expect: this search keeps a table indexed by action
use ramure::prelude::*;

include!("../common/sticks.rs");

fn main() {
    let mut search = Mcts::new(Sticks(7, 0)).rollout_policy(ramure::simulation::Mast::default());
    let _ = search.run(Budget::iterations(10));
}
