//! A policy that plans for a number of iterations searches with one tree. It is not the user's, who cannot change that.
//! expect: several trees cannot merge what `SequentialHalving` keeps per node
//! expect: to search with one tree, leave out `parallel`
//! expect: for a policy of your own that keeps nothing
use ramure::prelude::*;
use ramure::selection::{AtRoot, SequentialHalving};

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

fn main() {
    let policy = AtRoot::new(SequentialHalving::default(), Ucb1::new(0.7));
    let _ = Mcts::new(Sticks(7, 0)).tree_policy(policy).parallel(2).run(Budget::iterations(10));
}
