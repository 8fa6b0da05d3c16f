//! Pictures of positions need a game that draws them.
//! expect: `Sticks` does not draw its positions
//! expect: fn picture(&self, last: Option<<Self as GameState>::Action>) -> String
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
        self.1 = (self.1 + 1) % 3;
    }
    fn reward(&self, player: Player) -> f64 {
        if player == self.1 { 0.0 } else { 1.0 }
    }
    fn players(&self) -> u8 {
        3
    }
}

fn main() {
    let search = Mcts::new(Sticks(7, 0));
    let _ = search.tree().explorer().pictures();
}
