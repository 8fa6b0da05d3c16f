//! GRAVE keeps a table indexed by action.
//! expect: the actions of `Sticks` have no numbers
//! expect: this search keeps a table indexed by action
//! expect: add `impl ActionIndex for Sticks { const ACTION_COUNT: usize = ..; fn action_index(action: Self::Action) -> usize { .. } }`
use ramure::prelude::*;

include!("../common/sticks.rs");

fn main() {
    let mut search = Mcts::new(Sticks(7, 0)).tree_policy(ramure::selection::Grave::default());
    let _ = search.run(Budget::iterations(10));
}
