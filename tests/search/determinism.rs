//! A seed fixes the result to the bit.

use crate::common::fingerprint::{EXPECTED, fingerprints, hash_of};
use crate::common::four::Connect4;
use crate::common::visits;
use ramure::{Budget, Mcts, RootDecision, Search};
use ramure_games::TicTacToe;
use std::collections::BTreeSet;

#[test]
fn the_seed_of_a_search_without_seed_is_zero() {
    let plain = Mcts::new(Connect4::default()).run(Budget::iterations(500)).expect("a sound game");
    let zero = Mcts::new(Connect4::default()).seed(0).run(Budget::iterations(500)).expect("a sound game");
    assert_eq!(visits(&plain), visits(&zero));
}

#[test]
fn every_search_finds_the_same_as_before_to_the_bit() {
    let found = fingerprints();
    if found != EXPECTED {
        let changed: Vec<&str> =
            found.iter().filter(|row| !EXPECTED.contains(row)).map(|(name, _)| *name).collect();
        let rows = found.iter().map(|(name, hash)| format!("    ({name:?}, {hash:#018x}),\n"));
        panic!(
            "changed: {changed:?}. If this is intended, set EXPECTED in tests/common/fingerprint.rs to\n{}",
            rows.collect::<String>()
        );
    }
}

/// The fingerprint is older than the default search of today: it was that of `Mcts::new`.
#[test]
fn the_search_of_the_textbooks_is_the_default_search_of_version_0_1() {
    assert_eq!(("plain", hash_of(Mcts::uct(Connect4::default()).seed(1))), EXPECTED[0]);
}

#[test]
fn a_reset_and_a_seed_repeat_a_random_decision() {
    let budget = Budget::iterations(60);
    let new = |seed| Mcts::new(TicTacToe::new()).root_decision(RootDecision::Temperature(2.0)).seed(seed);
    let mut boxed: Box<dyn Search<Space = TicTacToe>> = Box::new(new(0));
    let mut chosen = BTreeSet::new();
    for seed in 0..40 {
        let expected = new(seed).run(budget).expect("a sound game");
        boxed.reset(TicTacToe::new());
        boxed.set_seed(seed);
        let found = boxed.run(budget).expect("a sound game");
        assert_eq!(found.chosen, expected.chosen, "seed {seed}");
        chosen.insert(found.chosen);
    }
    // Each of nine actions has a probability of a tenth or so.
    assert!(chosen.len() >= 5, "{chosen:?}");
    boxed.set_root_decision(None);
    let report = boxed.run(budget).expect("a sound game");
    let most = report.actions.iter().map(|action| action.visits).max();
    assert_eq!(report.chosen.map(|chosen| report.actions[chosen].visits), most);
}
