//! expect: several trees cannot merge what `Ordered` keeps per node
//! expect: this policy searches with one tree only
//! expect: statistics that depend on the order of the rewards, and plans for a number of iterations, cannot be merged

use ramure::prelude::*;

include!("../common/sticks.rs");

/// Keeps the latest reward.
#[derive(Clone)]
struct Ordered;

impl<G: GameState> TreePolicy<G> for Ordered {
    type Stats = f32;
    fn select(&self, node: impl Node<G, f32>, _: &mut Rng) -> Choice {
        node.argmax(|child| child.stats())
    }
    fn update(&self, _: f32, _: f32, reward: f32) -> f32 {
        reward
    }
}

fn main() {
    let mut search = Mcts::new(Sticks(7, 0)).tree_policy(Ordered).parallel(2);
    let _ = search.run(Budget::iterations(10));
}
