use ramure::prelude::*;

/// Players take one, two or three sticks in turn. The player who takes the last one wins.
#[derive(Clone)]
struct Sticks { left: u8, player: Player }

impl GameState for Sticks {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { Turn::Player(self.player) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        1..=self.left.min(3)
    }
    fn apply(&mut self, taken: u8) {
        *self = Sticks { left: self.left - taken, player: 1 - self.player };
    }
    fn reward(&self, player: Player) -> f64 {
        if player == self.player { 0.0 } else { 1.0 } // no sticks left: the player to move loses
    }
}

fn main() -> Result<(), SearchError> {
    let mut search = Mcts::new(Sticks { left: 10, player: 0 });
    let report = search.run(Budget::iterations(1_000))?; // or a time, bytes, or until stopped
    println!("{report}");
    search.advance(report.best_action())?; // plays the action and keeps the tree below it
    Ok(())
}
