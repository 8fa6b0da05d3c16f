//! Tests of numbers that only the inside shows.

use crate::game::{GameState, HiddenInformation, Player, Rng, Turn};
use crate::run::budget::Budget;
use crate::search::engine::seats::share_of;
use crate::search::mcts::Mcts;
use crate::space::information_set::InformationSet;

/// Chance draws 0 or 1, and player 1 sees it. Player 0 does not, and takes .4, or 1 if chance drew 0 and
/// nothing if it drew 1. Then player 1 moves without effect.
#[derive(Clone, Default, Debug)]
struct Gamble(Vec<u8>);

impl GameState for Gamble {
    type Action = u8;

    fn turn(&self) -> Turn {
        [Turn::Chance, Turn::Player(0), Turn::Player(1), Turn::Over][self.0.len()]
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.0.len() == 3 { 0 } else { 2 }
    }
    fn apply(&mut self, action: u8) {
        self.0.push(action);
    }
    fn reward(&self, player: Player) -> f64 {
        let first = match self.0[..] {
            [_, 0, _] => 0.4,
            [drawn, ..] => f64::from(1 - drawn),
            [] => 0.0,
        };
        if player == 0 { first } else { 1.0 - first }
    }
}

impl HiddenInformation for Gamble {
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        if observer == 0 && !self.0.is_empty() {
            self.0[0] = rng.below(2) as u8;
        }
    }
    fn observe(&self, action: u8, observer: Player) -> Option<u8> {
        if self.0.is_empty() && observer == 0 { None } else { Some(action) }
    }
}

/// Nineteen of twenty iterations draw 1. If they counted in full, taking .4 would look better.
#[test]
fn iterations_count_by_the_probability_with_which_they_were_sampled() {
    let mut search = Mcts::outcome_sampling(InformationSet::new(Gamble::default())).seed(1);
    search.target(1, &[1]);
    search.run(Budget::iterations(10_000)).expect("a sound game");
    let gambles: f64 = search.strategy(0, &[]).iter().filter(|entry| entry.0 == 1).map(|entry| entry.1).sum();
    assert!(gambles > 0.9, "{gambles}");
    let tree = &search.trees.searches[0].tree;
    let sum: f64 = tree.children_of(tree.root().link()).map(|child| child.stats().1).sum();
    // In half of the iterations, player 0 does not learn. In each of these, its strategy counts 1 on average:
    // 0 is drawn in a twentieth of them and counts 10, and 1 counts 10/19. The standard deviation of the sum
    // is 150.
    assert!((sum - 5_000.0).abs() < 800.0, "{sum}");
    let drawn = &search.trees.searches[1].tree;
    let visits = |outcome| {
        let child = drawn.children_of(drawn.root().link()).find(|child| child.action() == outcome);
        child.map_or(0, |child| child.visit_count())
    };
    assert!(
        (300..700).contains(&visits(0)) && visits(0) + visits(1) == 10_000,
        "{} {}",
        visits(0),
        visits(1)
    );
}

#[test]
fn trees_above_their_share_leave_the_rest_to_the_others() {
    for (limit, sizes, expected) in [
        (100, [0, 0, 0, 0].as_slice(), 25),
        (100, &[25, 10, 0, 0], 25),
        (100, &[40, 0, 0, 0], 20),
        (100, &[21, 40, 0, 0], 19),
        (100, &[40, 40, 10], 20),
        (100, &[140, 0], 0),
        (100, &[60, 70], 0),
    ] {
        assert_eq!(share_of(limit, sizes.to_vec()), expected, "{sizes:?}");
    }
}
