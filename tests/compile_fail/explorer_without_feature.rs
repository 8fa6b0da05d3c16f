//! The page that shows a tree needs a feature. A call without it is one error.
//! expect: FeatureExplorerIsEnabled
//! errors: 1
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
    search.run(Budget::iterations(10))?;
    search.tree().explorer().title("Sticks").save("sticks.html")?;
    Ok(())
}
