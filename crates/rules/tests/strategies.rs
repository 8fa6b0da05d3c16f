//! The strategies of the rules kit: the values that they draw, and the values to which they shrink.

use crate::common::bad::{Bad, Fault};
use crate::common::simple::Corridor;
use ramure::{GameState, Turn};
use ramure_games::{Connect4, Hex, TicTacToe};
use ramure_rules::proptest::prelude::*;
use ramure_rules::proptest::strategy::ValueTree;
use ramure_rules::proptest::test_runner::{
    Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner,
};

fn runner() -> TestRunner {
    let config = Config { cases: 200, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]))
}

/// Returns the value to which the strategy shrinks a failure.
fn minimal<S: Strategy>(strategy: S, fails: impl Fn(&S::Value) -> bool) -> S::Value {
    let result =
        runner().run(&strategy, |value| if fails(&value) { Err(TestCaseError::fail("")) } else { Ok(()) });
    match result {
        Err(TestError::Fail(_, value)) => value,
        other => panic!("something should have failed: {}", other.is_ok()),
    }
}

#[test]
fn states_shrink_to_those_reached_soonest() {
    let won = minimal(ramure_rules::reachable(Connect4::new()), |state| state.winner() == Some(0));
    assert_eq!(won.to_string().lines().nth(7), Some("moves: 7"), "{won}");
    // Player 0 has three stones and player 1 two, placed as far to the left as possible.
    let won = minimal(ramure_rules::reachable(TicTacToe::new()), |state| state.winner() == Some(0));
    assert_eq!(won.to_string().lines().nth(3), Some("moves: 5"), "{won}");
    let hex = Hex::new(11).expect("a size");
    let any = minimal(ramure_rules::reachable(hex.clone()), |_| true);
    assert_eq!(any, hex);
}

#[test]
fn games_are_complete_and_shrink_to_complete_games() {
    let line = minimal(ramure_rules::games(TicTacToe::new()), |line| {
        assert_eq!(line.last().turn(), Turn::Over);
        assert_eq!(line.states.len(), line.actions.len() + 1);
        line.last().winner() == Some(1)
    });
    // The second player cannot win with fewer than six actions.
    assert_eq!(line.actions.len(), 6, "{line:?}");
    let mut again = line.states[0];
    for (action, after) in line.actions.iter().zip(&line.states[1..]) {
        again.apply(*action);
        assert_eq!(again, *after);
    }
}

#[test]
fn positions_and_actions_are_legal_and_shrink() {
    let (state, action) = minimal(ramure_rules::positions_and_actions(Connect4::new()), |(state, action)| {
        assert!(state.is_legal(*action));
        action.number() == 6
    });
    assert_eq!((state, action.number()), (Connect4::new(), 6));
    let none = ramure_rules::positions_and_actions(Corridor { left: 0 }).new_tree(&mut runner());
    assert!(none.is_err_and(|reason| reason.message().contains("over")));
}

#[test]
fn the_strategies_reach_states_of_all_depths() {
    let mut runner = runner();
    let mut seen = [0; 10];
    for _ in 0..1_000 {
        let tree = ramure_rules::reachable(TicTacToe::new()).new_tree(&mut runner).expect("a state");
        let state = tree.current();
        seen[(0..3)
            .map(|row| (0..3).filter(|&column| state.cell(row, column).is_some()).count())
            .sum::<usize>()] += 1;
    }
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}

#[test]
#[should_panic(expected = "`apply` panicked: 3 steps are too many")]
fn a_panic_in_a_strategy_reports_the_line() {
    let mut runner = runner();
    for _ in 0..50 {
        let _ = ramure_rules::games(Bad::new(Fault::Panic, 3)).new_tree(&mut runner);
    }
}

/// Random games rarely fill the board of Connect 4: 26 of 10 000 do.
#[test]
fn peaceful_games_fill_the_board() {
    let mut runner = runner();
    let drawn = (0..400).filter(|_| {
        let line = ramure_rules::games(Connect4::new()).new_tree(&mut runner).expect("a game").current();
        line.actions.len() == 42
    });
    assert!(drawn.count() >= 10);
}
