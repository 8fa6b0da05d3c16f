//! Open-loop searches: chance is no node of the tree.

use crate::common::pig::{HOLD, Pig, ROLL};
use ramure::GameFault;
use ramure::prelude::*;
use ramure::search::{OpenLoop, PlayerAction};
use ramure::selection::AvailabilityUcb1;

fn search(state: Pig, seed: u64) -> Mcts<OpenLoop<Pig>, AvailabilityUcb1> {
    Mcts::new(OpenLoop::new(state)).tree_policy(AvailabilityUcb1::new(0.7)).seed(seed)
}

fn pig(banked: [u8; 2], pot: u8, player: u8, turns: u8) -> Pig {
    Pig { banked, pot, player, turns, rolling: false }
}

#[test]
fn the_tree_is_kept_through_chance() {
    let mut search = search(pig([2, 3], 2, 0, 4), 3);
    let report = search.run(Budget::iterations(3_000)).expect("a sound game");
    let roll = PlayerAction::by_player(0, ROLL);
    let visits = report.actions.iter().find(|entry| entry.action == roll).expect("legal").visits;
    let root = search.tree().root().expect("a root");
    let shown: Vec<String> =
        root.children().map(|child| format!("{:?}", child.action().expect("a child"))).collect();
    assert!(shown.len() == 2 && shown.contains(&HOLD.to_string()), "{shown:?}");
    assert!(root.children().all(|child| child.children().count() == 2), "the views draw chance too");
    assert!(matches!(
        search.advance(PlayerAction::by_player(1, ROLL)),
        Err(SearchError::IllegalAction { .. })
    ));
    search.advance(roll).expect("legal");
    assert_eq!(search.run(Budget::iterations(10)).expect_err("chance is to move"), SearchError::ChanceToMove);
    let (lost, four) = (PlayerAction::by_chance(2), PlayerAction::by_chance(5));
    assert!(matches!(search.advance(PlayerAction::by_player(0, 5)), Err(SearchError::IllegalAction { .. })));
    for (outcome, player, is_told) in [(four, 0, false), (lost, 1, false), (four, 0, true)] {
        if is_told {
            let mut next = *search.state();
            next.apply(outcome.action);
            search.advance_to(outcome, OpenLoop::new(next)).expect("no iteration is pending");
        } else {
            search.advance(outcome).expect("a face");
        }
        let report = search.report().expect("kept");
        assert_eq!((report.root_visits, report.player), (visits, Some(player)));
        assert!(report.actions.iter().all(|entry| entry.action.player == Some(player) && entry.visits > 0));
        let after = search.run(Budget::iterations(100)).expect("a sound game");
        assert_eq!(after.root_visits, visits + 100);
        // Start again for the other outcome.
        search.reset(OpenLoop::new(pig([2, 3], 2, 0, 4)));
        search.set_seed(3);
        search.run(Budget::iterations(3_000)).expect("a sound game");
        search.advance(roll).expect("legal");
    }
}

/// The player may take .6, or bet on a colour that chance draws before the bet.
#[derive(Clone, Debug)]
struct Colours {
    fault: u8,
    played: Vec<u8>,
}

impl GameState for Colours {
    type Action = u8;

    fn turn(&self) -> Turn {
        match (self.played.len(), self.fault) {
            (2.., 3) => Turn::Chance,
            (1, _) if self.played[0] == 1 => Turn::Chance,
            (1 | 3, _) => Turn::Over,
            _ => Turn::Player(0),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        let none = self.turn() == Turn::Over || self.turn() == Turn::Chance && self.fault == 2;
        0..if none { 0 } else { 2 }
    }
    fn apply(&mut self, action: u8) {
        if self.played.len() < 3 {
            self.played.push(action);
        }
    }
    fn reward(&self, _: Player) -> f64 {
        match self.played[..] {
            [_, colour, bet] => f64::from(u8::from(colour == bet)),
            _ => 0.6,
        }
    }
    fn players(&self) -> u8 {
        1
    }
    fn probability(&self, _: u8) -> f64 {
        if self.fault == 1 { 0.25 } else { 0.5 }
    }
}

#[test]
fn a_plan_cannot_depend_on_what_chance_draws() {
    let state = Colours { fault: 0, played: Vec::new() };
    let report = Mcts::new(OpenLoop::new(state))
        .tree_policy(AvailabilityUcb1::new(0.7))
        .run(Budget::iterations(10_000))
        .expect("a sound game");
    assert_eq!(report.best_action().action, 0, "{report}");
    // At least 400 bets, with a standard error of .025.
    assert!(report.actions[1].visits > 400 && (report.actions[1].mean - 0.5).abs() < 0.1, "{report}");
}

#[test]
fn wrong_chance_is_an_error() {
    let run = |fault| {
        let state = Colours { fault, played: Vec::new() };
        Mcts::new(OpenLoop::new(state))
            .tree_policy(AvailabilityUcb1::new(0.7))
            .run(Budget::iterations(100))
            .expect_err("a wrong game")
    };
    let SearchError::Game { fault: GameFault::ProbabilitySum { sum: 0.5 }, ply: 1, .. } = run(1) else {
        panic!()
    };
    let SearchError::Game { fault: GameFault::NoActions, ply: 1, .. } = run(2) else { panic!() };
    let SearchError::Game { fault: GameFault::Endless { .. }, .. } = run(3) else { panic!("it ends") };
}
