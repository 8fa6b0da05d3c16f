//! Actions are copied, but a `String` cannot be.
//! expect: the trait bound `String: Copy` is not satisfied
//! expect: texts, floats, big actions: use an index into a table, see docs/first_game.md
use ramure::prelude::*;

#[derive(Clone)]
struct Words(u8, Player);

impl GameState for Words {
    type Action = String;
    fn turn(&self) -> Turn {
        if self.0 == 0 { Turn::Over } else { Turn::Player(self.1) }
    }
    fn actions(&self) -> impl IntoIterator<Item = String> {
        ["a".to_owned()]
    }
    fn apply(&mut self, _: String) {
        self.0 -= 1;
    }
    fn reward(&self, player: Player) -> f64 {
        if player == self.1 { 0.0 } else { 1.0 }
    }
}

fn main() {}
