//! An adaptor that lists a game's actions in the worst order.

use ramure::{GameState, Player, StaticEvaluation, Turn};
use ramure_lab::commands::{AnyAction, AnyGame};

/// The same game, with its actions sorted by evaluation, the worst first.
#[derive(Clone)]
pub struct WorstFirst(pub AnyGame);

impl GameState for WorstFirst {
    type Action = AnyAction;

    fn turn(&self) -> Turn {
        self.0.turn()
    }

    fn actions(&self) -> impl IntoIterator<Item = AnyAction> {
        let mut actions = Vec::from_iter(self.0.actions());
        if let Turn::Player(player) = self.turn() {
            let promise = |action: &AnyAction| {
                let mut next = self.0.clone();
                next.apply(*action);
                if next.turn() == Turn::Over { next.reward(player) } else { next.evaluate(player) }
            };
            actions.sort_by(|a, b| promise(a).total_cmp(&promise(b)));
        }
        actions
    }

    fn apply(&mut self, action: AnyAction) {
        self.0.apply(action);
    }

    fn reward(&self, player: Player) -> f64 {
        self.0.reward(player)
    }
}

impl StaticEvaluation for WorstFirst {
    fn evaluate(&self, player: Player) -> f64 {
        self.0.evaluate(player)
    }
}
