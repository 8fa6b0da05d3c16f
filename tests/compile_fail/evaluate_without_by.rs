//! A function is an evaluator by `Evaluate::by`.
//! expect: is not an evaluator for `Sticks`
//! expect: to use a function, write `Evaluate::by(|state: &Sticks, actions, priors| ..)`, or `try_by` if it can fail
use ramure::Rewards;
use ramure::prelude::*;
use ramure::simulation::Evaluate;

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
    let half = |_: &Sticks, _: &[u8], _: &mut [f32]| Rewards::new(2, |_| 0.5);
    let _ = Mcts::new(Sticks(7, 0)).rollout_policy(Evaluate::new(half));
}
