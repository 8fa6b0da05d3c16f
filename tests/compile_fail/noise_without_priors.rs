//! Dirichlet noise changes priors, and UCB1 has none.
//! expect: `f32`, which the tree policy keeps per child, has no prior probability
use ramure::prelude::*;
use ramure::selection::{AtRoot, Dirichlet};

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
    let _ = Mcts::new(Sticks(7, 0)).tree_policy(AtRoot::new(Dirichlet::default(), Ucb1::new(0.7)));
}
