//! Actions are compared for equality, but a float may not equal itself.
//! expect: the trait bound `f64: Eq` is not satisfied
//! expect: floats: use a newtype, see docs/chance_and_sampling.md
use ramure::prelude::*;

#[derive(Clone)]
struct Words(u8, Player);

impl GameState for Words {
    type Action = f64;
    fn turn(&self) -> Turn {
        if self.0 == 0 { Turn::Over } else { Turn::Player(self.1) }
    }
    fn actions(&self) -> impl IntoIterator<Item = f64> {
        [0.5]
    }
    fn apply(&mut self, _: f64) {
        self.0 -= 1;
    }
    fn reward(&self, player: Player) -> f64 {
        if player == self.1 { 0.0 } else { 1.0 }
    }
}

fn main() {}
