//! A closure is not a rollout policy.
//! expect: is not a rollout policy for `Sticks`
//! expect: to use a function that evaluates positions, write `Evaluate::by(|state: &Sticks, actions, priors| ..)`
use ramure::prelude::*;

include!("../common/sticks.rs");

fn main() {
    let mut search = Mcts::new(Sticks(7, 0)).rollout_policy(|_: &Sticks| 0.5);
    let _ = search.run(Budget::iterations(10));
}
