//! A seed fixes the result to the bit.

use crate::common::fingerprint::{EXPECTED, fingerprints, hash_of};
use crate::common::four::Connect4;
use crate::common::pig::Pig;
use crate::common::visits;
use ramure::selection::Thompson;
use ramure::{Budget, Every, Mcts, Report, RootDecision, Search};
use ramure_games::TicTacToe;
use std::collections::BTreeSet;

/// The part of a report that does not depend on the clock.
fn timeless<A: Clone>(report: &Report<A>) -> (Vec<(u32, u32)>, Option<usize>, usize, u32) {
    let actions = report.actions.iter().map(|action| (action.visits, action.mean.to_bits())).collect();
    (actions, report.chosen, report.nodes, report.root_visits)
}

#[test]
fn several_short_runs_equal_one_long_run() {
    let mut whole = Mcts::new(Connect4::default()).seed(9);
    let whole = whole.run(Budget::iterations(1_000)).expect("a sound game");
    let mut pieces = Mcts::new(Connect4::default()).seed(9);
    for length in [1, 99, 400] {
        pieces.run(Budget::iterations(length)).expect("a sound game");
        pieces.report().expect("it draws nothing at random");
    }
    let pieces = pieces.run(Budget::iterations(500)).expect("a sound game");
    assert_eq!(timeless(&whole), timeless(&pieces));

    let mut whole = Mcts::new(Pig::new(5)).tree_policy(Thompson).seed(9);
    let whole = whole.run(Budget::iterations(1_000)).expect("a sound game");
    let mut pieces = Mcts::new(Pig::new(5)).tree_policy(Thompson).seed(9);
    pieces.run(Budget::iterations(300)).expect("a sound game");
    let pieces = pieces.run(Budget::iterations(700)).expect("a sound game");
    assert_eq!(timeless(&whole), timeless(&pieces));
}

#[test]
fn observers_do_not_change_the_result() {
    let mut alone = Mcts::new(Connect4::default()).seed(3);
    let alone = alone.run(Budget::iterations(2_000)).expect("a sound game");
    let mut watched = Mcts::new(Connect4::default()).seed(3);
    let watched =
        watched.run_with(Budget::iterations(2_000), Every::Iterations(7), &mut |_| {}).expect("a sound game");
    assert_eq!(timeless(&alone), timeless(&watched));
    let mut limited = Mcts::new(Connect4::default()).seed(3).memory_limit(ramure::Bytes::mib(64));
    let limited = limited.run(Budget::iterations(2_000)).expect("a sound game");
    assert_eq!(timeless(&alone), timeless(&limited));
}

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
