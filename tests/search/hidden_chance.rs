//! Chance that is hidden in `apply` is found, with a message that says so.

use crate::kept_states::Kept;
use ramure::backpropagation::Average;
use ramure::prelude::*;
use ramure::search::Transpositions;
use ramure::{GameFault, Keyed};
use std::cell::RefCell;

thread_local! {
    /// The random numbers that the games take behind the back of the search.
    static DICE: RefCell<Rng> = RefCell::new(Rng::seeded(1));
}

fn roll(sides: usize) -> u8 {
    DICE.with_borrow_mut(|dice| dice.below(sides) as u8)
}

/// Each player has a hand of three cards of twenty, plays one of them, and draws another one: in `apply`, not
/// by chance.
#[derive(Clone, Debug)]
struct Drawing {
    hands: [Vec<u8>; 2],
    points: [u32; 2],
    turns: u8,
}

impl Drawing {
    fn new() -> Self {
        Drawing { hands: [vec![1, 2, 3], vec![4, 5, 6]], points: [0; 2], turns: 0 }
    }
}

impl GameState for Drawing {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.turns == 12 { Turn::Over } else { Turn::Player(self.turns % 2) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        self.hands[usize::from(self.turns % 2)].clone()
    }
    fn apply(&mut self, card: u8) {
        let player = usize::from(self.turns % 2);
        self.hands[player].retain(|&held| held != card);
        self.points[player] += u32::from(card);
        while self.hands[player].len() < 3 {
            let drawn = roll(20);
            if !self.hands[player].contains(&drawn) {
                self.hands[player].push(drawn);
            }
        }
        self.turns += 1;
    }
    fn reward(&self, player: Player) -> f64 {
        let [own, other] = [player, 1 - player].map(|player| self.points[usize::from(player)]);
        if own > other { 1.0 } else { 0.0 }
    }
}

/// Players move a piece by one or two fields to the end of a track, and `apply` may add one more.
#[derive(Clone, Debug)]
struct Track {
    at: u8,
    player: Player,
}

impl GameState for Track {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.at >= 8 { Turn::Over } else { Turn::Player(self.player) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        1..if self.at >= 8 { 1 } else { 3 }
    }
    fn apply(&mut self, fields: u8) {
        self.at += fields + roll(2);
        self.player = 1 - self.player;
    }
    fn reward(&self, player: Player) -> f64 {
        f64::from(u8::from(player != self.player))
    }
}

impl Keyed for Track {
    fn key(&self) -> u128 {
        u128::from(self.at) * 2 + u128::from(self.player)
    }
}

fn is_found<S: Search>(mut search: S) {
    let error = search.run(Budget::iterations(5_000)).unwrap_err();
    assert!(matches!(error, SearchError::Game { fault: GameFault::Replay, .. }), "{error}");
    assert!(error.to_string().contains("is there randomness in `apply`?"), "{error}");
}

#[test]
fn hidden_chance_is_found_by_playing_lines_again() {
    for seed in 0..20 {
        is_found(Mcts::new(Drawing::new()).seed(seed));
        is_found(Mcts::new(Kept::<_, true>::new(Drawing::new())).seed(seed));
    }
}

#[test]
fn a_line_that_ends_sooner_than_before_is_no_lack_of_actions() {
    for seed in 0..20 {
        is_found(Mcts::new(Track { at: 0, player: 0 }).backprop(Average).seed(seed));
    }
}

/// The states of a graph are recognised by their keys, so hidden chance only chooses the edge.
#[test]
fn hidden_chance_in_a_graph_is_found_where_the_turns_differ() {
    for seed in 0..20 {
        is_found(Mcts::new(Transpositions::new(Track { at: 0, player: 0 })).backprop(Average).seed(seed));
    }
}
