//! Rollouts with a cutoff need a static evaluation.
//! expect: `Sticks` has no static evaluation
//! expect: this search values unfinished games
//! expect: add `impl StaticEvaluation for Sticks { fn evaluate(&self, player: Player) -> f64 { .. } }`
use ramure::prelude::*;

include!("../common/sticks.rs");

fn main() {
    let mut search = Mcts::new(Sticks(7, 0)).rollout_policy(ramure::simulation::Cutoff::new(3));
    let _ = search.run(Budget::iterations(10));
}
