//! Chance that is hidden in `apply` is found, with a message that says so.

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
