//! Strategies of proptest over the states of a game, to test its rules with. Uses `game` only; behind the feature
//! `proptest`.
//!
//! A line of play is a sequence of sample indices, each resolved against the legal actions where it is played. So a failure
//! shrinks to a shorter line and to actions that are listed earlier.
//!
//! ```
//! use proptest::prelude::*;
//! use ramure::games::Connect4;
//! use ramure::{GameState, Turn, rules};
//!
//! proptest! {
//!     # #![proptest_config(ProptestConfig { cases: 20, failure_persistence: None, ..ProptestConfig::default() })]
//!     # /*
//!     #[test]
//!     # */
//!     fn text_reads_back(state in rules::reachable(Connect4::new())) {
//!         prop_assert_eq!(state.to_string().parse::<Connect4>(), Ok(state));
//!     }
//!     # /*
//!     #[test]
//!     # */
//!     fn what_is_listed_is_legal((state, action) in rules::positions_and_actions(Connect4::new())) {
//!         prop_assert!(state.is_legal(action));
//!     }
//! }
//! # text_reads_back();
//! # what_is_listed_is_legal();
//! ```

use crate::game::GameState;
use core::fmt::Debug;
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::sample::Index;
use proptest::strategy::Strategy;

/// The longest line of play that the strategies take.
pub const LONGEST_LINE: usize = 400;

/// States that can be reached from `initial`, itself and finished games among them.
pub fn reachable<G: GameState + Debug>(initial: G) -> impl Strategy<Value = G> {
    vec(any::<Index>(), 0..=LONGEST_LINE).prop_map(move |line| {
        // The line is taken modulo the length of the whole game, or most states would be finished games.
        let length = full_length(&initial, &line);
        play(&initial, &line[..line.len() % (length + 1)])
    })
}

/// Running states that can be reached from `initial`, each with one of its legal actions. `initial` must be running.
pub fn positions_and_actions<G: GameState + Debug>(initial: G) -> impl Strategy<Value = (G, G::Action)> {
    (reachable(initial), any::<Index>()).prop_filter_map("the game is over", |(state, index)| {
        pick(&state, index).map(|action| (state, action))
    })
}

fn play<G: GameState>(initial: &G, line: &[Index]) -> G {
    let mut state = initial.clone();
    for &index in line {
        match pick(&state, index) {
            Some(action) => state.apply(action),
            None => break,
        }
    }
    state
}

/// How many actions of the line can be played before the game is over.
fn full_length<G: GameState>(initial: &G, line: &[Index]) -> usize {
    let mut state = initial.clone();
    let mut length = 0;
    while let Some(action) = line.get(length).and_then(|&index| pick(&state, index)) {
        state.apply(action);
        length += 1;
    }
    length
}

fn pick<G: GameState>(state: &G, index: Index) -> Option<G::Action> {
    let actions = Vec::from_iter(state.actions());
    (!actions.is_empty()).then(|| *index.get(&actions))
}
