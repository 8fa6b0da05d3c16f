//! A search for the best line needs a score.
//! expect: `Sticks` has no score
//! expect: this search maximises the score of a game of one player
//! expect: add `impl Scored for Sticks { fn score(&self) -> f64 { .. } }`
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

fn main() {
    use ramure::optimization::{FlatSampling, Optimization};
    let _ = Optimization::new(Sticks(7, 0), FlatSampling).run(Budget::iterations(10));
}
