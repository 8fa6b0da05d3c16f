//! SO-ISMCTS with partially observable moves.

use crate::common::sized;
use crate::common::tricks::Tricks;
use ramure::prelude::*;
use ramure::search::{InformationSet, ObservedMoves, Space};
use ramure::selection::AvailabilityUcb1;
use ramure::{GameFault, HiddenInformation};

/// Player 0 takes `sure`, or else player 1, or chance with these probabilities, hides a coin under one of
/// three cups, and player 0 wins by finding it. Player 0 sees whether it is under the last cup, but does not
/// see which of the others it is under.
#[derive(Clone, Debug)]
struct Cups {
    sure: f64,
    chance: Option<[f64; 3]>,
    played: Vec<u8>,
}

fn cups(sure: f64, chance: Option<[f64; 3]>) -> Cups {
    Cups { sure, chance, played: Vec::new() }
}

impl GameState for Cups {
    type Action = u8;

    fn turn(&self) -> Turn {
        match self.played[..] {
            [] | [1, _] => Turn::Player(0),
            [1] if self.chance.is_some() => Turn::Chance,
            [1] => Turn::Player(1),
            _ => Turn::Over,
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..match (self.turn(), self.played.len()) {
            (Turn::Over, _) => 0,
            (_, 0) => 2,
            _ => 3,
        }
    }
    fn apply(&mut self, action: u8) {
        self.played.push(action);
    }
    fn probability(&self, cup: u8) -> f64 {
        self.chance.expect("its turn")[usize::from(cup)]
    }
    fn reward(&self, player: Player) -> f64 {
        let own = match self.played[..] {
            [_, hidden, guess] => f64::from(u8::from(hidden == guess)),
            _ => self.sure,
        };
        if player == 0 { own } else { 1.0 - own }
    }
}

impl HiddenInformation for Cups {
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        if let (0, [1, cup @ (0 | 1)]) = (observer, &mut self.played[..]) {
            let [first, second, _] = self.chance.unwrap_or([1.0; 3]);
            *cup = u8::from(rng.unit() >= first / (first + second));
        }
    }
    fn observe(&self, cup: u8, observer: Player) -> Option<u8> {
        let hides = observer == 0 && matches!(self.turn(), Turn::Chance | Turn::Player(1));
        Some(if hides && cup < 2 { 0 } else { cup })
    }
}

fn mean(report: &Report<Option<u8>>, action: u8) -> f64 {
    let own = report.actions.iter().find(|entry| entry.action == Some(action)).expect("listed");
    own.mean.into()
}

/// The value of hiding at random among what looks alike: the coin under the last cup is found, the others
/// half of the time.
#[test]
fn the_search_does_not_expect_to_know_what_it_will_not_see() {
    let budget = Budget::iterations(20_000);
    let report = Mcts::new(ObservedMoves::new(cups(0.75, None)))
        .tree_policy(AvailabilityUcb1::new(0.7))
        .run(budget)
        .expect("a sound game");
    assert_eq!(report.best_action(), Some(0));
    // Where it is worth less to take the sure reward, the search tries the other action often enough to know
    // its value.
    let report = Mcts::new(ObservedMoves::new(cups(0.3, None)))
        .tree_policy(AvailabilityUcb1::new(0.7))
        .run(budget)
        .expect("a sound game");
    assert!((mean(&report, 1) - 0.5).abs() < 0.04, "{report}");
}

/// The outcome by chance is one of two that look alike, at .45 and .15, or the last one. The better guess
/// finds .45 + .4 = .85 of the coins.
#[test]
fn outcomes_that_look_alike_share_a_node_and_keep_their_probabilities() {
    let chance = Some([0.45, 0.15, 0.4]);
    let report = Mcts::new(ObservedMoves::new(cups(0.6, chance)))
        .tree_policy(AvailabilityUcb1::new(0.7))
        .run(Budget::iterations(20_000))
        .expect("a sound game");
    assert!((mean(&report, 1) - 0.85).abs() < 0.04, "{report}");
    let mut game = ObservedMoves::new(cups(0.6, chance)).root().clone();
    game.apply(Some(1));
    assert_eq!(game.actions().into_iter().collect::<Vec<_>>(), [Some(0), Some(2)]);
    assert!((game.probability(Some(0)) - 0.6).abs() < 1e-12);
}

#[test]
fn wrong_probabilities_do_not_hide_behind_each_other() {
    let wrong = Mcts::new(ObservedMoves::new(cups(0.1, Some([1.0, -0.5, 0.5]))))
        .tree_policy(AvailabilityUcb1::new(0.7))
        .run(Budget::iterations(100));
    assert!(
        matches!(wrong, Err(SearchError::Game { fault: GameFault::Probability { .. }, .. })),
        "{wrong:?}"
    );
}

#[test]
fn the_search_goes_on_with_what_was_seen() {
    let mut search = Mcts::new(ObservedMoves::new(cups(0.3, None))).tree_policy(AvailabilityUcb1::new(0.7));
    search.run(Budget::iterations(2_000)).expect("a sound game");
    search.advance(Some(1)).expect("the observer's own action");
    // Two actions look like this one.
    assert!(matches!(search.advance(Some(0)), Err(SearchError::IllegalAction { .. })));
    let mut next = search.state().clone();
    next.apply(1);
    search.advance_to(Some(0), ObservedMoves::new(next).observer(0)).expect("no iteration is pending");
    let report = search.run(Budget::iterations(1)).expect("a sound game");
    assert!(report.root_visits > 100, "{report}");
}

/// Where everybody sees everything, this is the search of the information set, with other random numbers.
#[test]
fn if_all_actions_are_seen_it_is_the_search_of_the_information_set() {
    let (mut one, mut other) = ([0.0; 4], [0.0; 4]);
    let seeds = sized(4, 10);
    for seed in 0..seeds {
        let budget = Budget::iterations(2_000);
        let seen = Mcts::new(ObservedMoves::new(Tricks::new(2, 4, 1)))
            .tree_policy(AvailabilityUcb1::new(0.7))
            .seed(seed)
            .run(budget)
            .expect("sound");
        let plain = Mcts::new(InformationSet::new(Tricks::new(2, 4, 1)))
            .tree_policy(AvailabilityUcb1::new(0.7))
            .seed(seed)
            .run(budget)
            .expect("sound");
        for place in 0..4 {
            assert_eq!(seen.actions[place].action, Some(plain.actions[place].action));
            one[place] += seen.actions[place].mean / seeds as f32;
            other[place] += plain.actions[place].mean / seeds as f32;
        }
    }
    let apart = one.iter().zip(&other).map(|(one, other)| (one - other).abs()).fold(0.0, f32::max);
    assert!(apart < 0.02, "{one:?} {other:?}");
}
