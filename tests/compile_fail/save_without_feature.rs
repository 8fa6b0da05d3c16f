//! Searches are saved and loaded with a feature. A call without it is one error.
//! expect: searches are saved and loaded with the feature `save` of ramure, which is off
//! expect: in Cargo.toml, write: ramure = { version = "..", features = ["save"] }
//! errors: 4
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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut search = Mcts::new(Sticks(7, 0));
    search.save("sticks.tree")?;
    search.load("sticks.tree").expect("it is there");
    let mut forest = Mcts::new(Sticks(7, 0)).parallel(2);
    forest.resume(std::path::Path::new("sticks.tree"))?;
    Mcts::new(Sticks(7, 0)).window(4).save_to(&mut Vec::new())?;
    Ok(())
}
