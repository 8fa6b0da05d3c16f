//! PUCT reads priors, and uniform rollouts give none.
//! expect: this tree policy reads prior probabilities, and the rollout policy `Uniform` gives none
//! expect: no priors for the tree policy
//! expect: give values and priors: `.rollout_policy(Evaluate::new(my_evaluator))`
//! expect: or keep the rollouts and add priors: `.rollout_policy(WithPriors::new(Uniform, |state: &Sticks, action| ..))`
use ramure::prelude::*;

include!("../common/sticks.rs");

fn main() {
    let mut search = Mcts::new(Sticks(7, 0)).tree_policy(ramure::selection::Puct::default());
    let _ = search.run(Budget::iterations(10));
}
