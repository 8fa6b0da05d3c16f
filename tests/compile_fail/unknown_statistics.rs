//! Your own statistics need one line.
//! expect: `Spread` does not implement `Statistics`, so a tree policy cannot keep it
//! expect: a struct of plain numbers needs one line: `impl<G: GameState, R> Statistics<G, R> for Spread { type Trace = (); }`
use ramure::prelude::*;

include!("../common/sticks.rs");

#[derive(Clone, Copy, Default)]
struct Spread(f32, f32);

struct Mine;

impl<G: GameState> TreePolicy<G> for Mine {
    type Stats = Spread;
    fn select(&self, node: impl Node<G, Spread>, _: &mut Rng) -> Choice {
        node.argmax(|child| child.mean())
    }
}

fn main() {
    let mut search = Mcts::new(Sticks(7, 0)).tree_policy(Mine);
    let _ = search.run(Budget::iterations(10));
}
