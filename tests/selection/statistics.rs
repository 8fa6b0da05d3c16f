//! Sums of rewards are exact.

#![allow(
    clippy::disallowed_methods,
    reason = "tests may use the platform's own functions, in double precision"
)]

use crate::common::sized;
use ramure::{Budget, GameState, Mcts, Player, Turn};

/// One action, then chance: a reward of 1 with this probability, else 0.
#[derive(Clone)]
struct Coin {
    win: f64,
    tossed: Option<bool>,
    steps: u8,
}

impl GameState for Coin {
    type Action = bool;

    fn turn(&self) -> Turn {
        match self.steps {
            0 => Turn::Player(0),
            1 => Turn::Chance,
            _ => Turn::Over,
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = bool> {
        [true, false].into_iter().take([1, 2, 0][usize::from(self.steps)])
    }
    fn apply(&mut self, action: bool) {
        self.tossed = Some(action);
        self.steps += 1;
    }
    fn reward(&self, _: Player) -> f64 {
        if self.tossed == Some(true) { 1.0 } else { 0.0 }
    }
    fn players(&self) -> u8 {
        1
    }
    fn probability(&self, outcome: bool) -> f64 {
        if outcome { self.win } else { 1.0 - self.win }
    }
    fn random_outcome(&self, rng: &mut ramure::Rng) -> Option<bool> {
        Some(rng.unit() < self.win)
    }
}

#[test]
fn means_of_20_million_random_rewards_are_exact_to_a_rounding_error() {
    let count = sized(80_000, 20_000_000);
    for win in [0.9, 0.99] {
        let mut search = Mcts::new(Coin { win, tossed: None, steps: 0 });
        search.run(Budget::iterations(count.into())).expect("a sound game");
        let root = search.tree().root().expect("it ran");
        let child = root.children().next().expect("one action");
        let outcomes = Vec::from_iter(child.children());
        assert_eq!(child.visits(), count);
        // The first visit was a rollout from the child, whose toss is not in the tree.
        assert_eq!(outcomes.iter().map(|outcome| outcome.visits()).sum::<u32>(), count - 1);
        let wins =
            outcomes.iter().find(|outcome| outcome.action() == Some(true)).expect("it came up").visits();
        // The first toss may be one more win.
        let error_of = |wins: u32| (f64::from(child.mean()) - f64::from(wins) / f64::from(count)).abs();
        let error = error_of(wins).min(error_of(wins + 1));
        assert!(error < 1.2e-7, "{win}: off by {error}");
        assert!((f64::from(child.mean()) - win).abs() < 4.0 * (win * (1.0 - win) / f64::from(count)).sqrt());
        assert!(
            outcomes
                .iter()
                .all(|outcome| outcome.mean() == if outcome.action() == Some(true) { 1.0 } else { 0.0 })
        );
    }
}
