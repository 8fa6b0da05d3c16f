//! A function is an evaluator by `Evaluate::by`.
//! expect: is not an evaluator for `Sticks`
//! expect: to use a function, write `Evaluate::by(|state: &Sticks, actions, priors| ..)`
use ramure::Rewards;
use ramure::prelude::*;
use ramure::simulation::Evaluate;

include!("../common/sticks.rs");

fn main() {
    let half = |_: &Sticks, _: &[u8], _: &mut [f32]| Rewards::new(2, |_| 0.5);
    let _ = Mcts::new(Sticks(7, 0)).rollout_policy(Evaluate::new(half));
}
