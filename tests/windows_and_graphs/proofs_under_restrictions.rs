//! Proofs in graphs whose lines of play can return: what a report says is proven must hold for the root
//! actions that are allowed, and for the positions that the game has had.

use ramure::prelude::*;
use ramure::search::Transpositions;
use ramure::{Keyed, Player, RootActions};

/// In the only room beside the root's, the only action leads back to the root. There one can win, too.
#[derive(Clone, Debug)]
struct Room(&'static str);

impl GameState for Room {
    type Action = &'static str;

    fn players(&self) -> u8 {
        1
    }
    fn turn(&self) -> Turn {
        if matches!(self.0, "win" | "lose") { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = &'static str> {
        match self.0 {
            "start" => vec!["win", "lose", "walk"],
            "walk" => vec!["start"],
            _ => vec![],
        }
    }
    fn apply(&mut self, action: &'static str) {
        self.0 = action;
    }
    fn reward(&self, _: Player) -> f64 {
        f64::from(u8::from(self.0 == "win"))
    }
}

impl Keyed for Room {
    fn key(&self) -> u128 {
        ramure::hash_key(self.0)
    }
    fn repetition_reward(&self, _: Player) -> f64 {
        0.0
    }
}

#[test]
fn a_win_that_is_forbidden_is_not_proven_by_a_line_back_to_the_root() {
    let mut search = Mcts::new(Transpositions::new(Room("start")));
    assert_eq!(search.run(Budget::iterations(1_000)).unwrap().proof, Some(1.0));
    search.set_root_actions(RootActions::except(["win"]));
    let report = search.run(Budget::iterations(1_000)).unwrap();
    assert_eq!(report.proof, None, "{report}");
    let walk = report.actions.iter().find(|entry| entry.action == "walk").unwrap();
    assert!(walk.proof.is_none() && walk.mean < 0.01, "{report}");
    // With the restriction lifted, the root is what it was, and so is the line back.
    search.set_root_actions(RootActions::default());
    let report = search.run(Budget::iterations(1_000)).unwrap();
    assert_eq!((report.proof, report.best_action()), (Some(1.0), "win"), "{report}");
    assert_eq!(report.actions[2].proof, None, "{report}");
}
