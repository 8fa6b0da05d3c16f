//! A search of an information set needs guesses.
//! expect: `Sticks` does not say what its players cannot see
//! expect: a search of this game would see everything
//! expect: if `Sticks` is a type of another crate, wrap it in a type of yours
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
    let mut search = ramure::search::InformationSet::new(Sticks(7, 0)).search(0.7);
    let _ = search.run(Budget::iterations(10));
}
