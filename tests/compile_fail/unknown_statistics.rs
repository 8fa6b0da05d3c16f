//! Your own statistics need one line.
//! expect: `Spread` does not implement `Statistics`, so a tree policy cannot keep it
//! expect: a struct of plain numbers needs one line: `impl<G: GameState, R> Statistics<G, R> for Spread { type Trace = (); }`
use ramure::prelude::*;

#[derive(Clone)]
struct Sticks(u8, Player);

impl GameState for Sticks {
    type Action = u8;
    fn turn(&self) -> Turn {
        if self.0 == 0 { Turn::Over } else { Turn::Player(self.1) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        1..=self.0.min(3)
    }
    fn apply(&mut self, taken: u8) {
        self.0 -= taken;
        self.1 = 1 - self.1;
    }
    fn reward(&self, player: Player) -> f64 {
        if player == self.1 { 0.0 } else { 1.0 }
    }
}

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
