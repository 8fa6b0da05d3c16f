use ramure::prelude::*;

#[derive(Clone)]
struct Sticks {
    left: u8,
    player: Player,
}

impl GameState for Sticks {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { Turn::Player(self.player) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        1..=self.left.min(3)
    }
    fn apply(&mut self, taken: u8) {
        self.left -= taken;
        self.player = 1 - self.player;
    }
    fn reward(&self, player: Player) -> f64 {
        if player == self.player { 0.0 } else { 1.0 } // no sticks left: the player to move loses
    }
}

fn main() -> Result<(), SearchError> {
    let mut search = Mcts::uct(Sticks { left: 10, player: 0 }).tree_policy(Ucb1::new(0.7)).seed(1);

    // Each run adds iterations to the same tree.
    for more in [3, 7, 40, 950, 9_000] {
        let report = search.run(Budget::iterations(more))?;
        print!("{:>6} iterations:", report.root_visits);
        for action in &report.actions {
            print!("   take {}: n {:>5}, Q {:.3}", action.action, action.visits, action.mean);
        }
        println!();
    }

    let report = search.report()?;
    assert_eq!(report.root_visits, 10_000);
    assert_eq!(report.best_action(), 2);
    Ok(())
}
