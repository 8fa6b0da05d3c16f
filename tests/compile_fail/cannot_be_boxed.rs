//! A search that cannot run does not implement `Search`.
//! expect: this tree policy reads prior probabilities, and the rollout policy `Uniform` gives none
use ramure::prelude::*;

include!("../common/sticks.rs");

fn main() {
    let search = Mcts::new(Sticks(7, 0)).tree_policy(ramure::selection::Puct::default());
    let _boxed: Box<dyn Search<Space = Sticks>> = Box::new(search);
}
