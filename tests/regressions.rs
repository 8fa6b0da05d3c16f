//! Faults that were found by looking and trying, each kept away by a test.

#![cfg(feature = "games")]

use ramure::games::{Connect4, TicTacToe};
use ramure::prelude::*;
use ramure::selection::Ucb1Tuned;
use ramure::statistics::RunningMean;
use ramure::{Bytes, GameFault, Rewards, RootDecision, StopReason};

#[test]
fn the_variance_that_ucb1_tuned_sees_does_not_drift() {
    // Rewards 1, 1, 1, 1, 1, 1, 1, 1, 1, 0 and so on: a variance of .09.
    let policy = Ucb1Tuned::default();
    let mut stats = (0.0, RunningMean::default());
    for visits in 1..=20_000_000u32 {
        let reward = if visits % 10 == 0 { 0.0 } else { 1.0 };
        stats = TreePolicy::<TicTacToe>::update(&policy, stats, visits as f32, reward);
    }
    assert!((stats.1.value() - 0.9).abs() < 1e-5, "{stats:?}");
}

/// Ten actions, equally good, then the end.
#[derive(Clone)]
struct Ten {
    over: bool,
}

impl GameState for Ten {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.over { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.over { 0 } else { 10 }
    }
    fn apply(&mut self, _: u8) {
        self.over = true;
    }
    fn reward(&self, _: Player) -> f64 {
        0.5
    }
}

#[test]
fn a_temperature_draws_anew_in_every_game_of_self_play() {
    // Twenty draws of ten alike show fewer than five different ones with a probability below 1e-5.
    for seed in 0..3 {
        let mut search =
            Mcts::new(Ten { over: false }).root_decision(RootDecision::Temperature(1.0)).seed(seed);
        let mut drawn = std::collections::HashSet::new();
        for _ in 0..20 {
            search.reset(Ten { over: false });
            drawn.insert(search.run(Budget::iterations(800)).unwrap().best_action());
        }
        assert!(drawn.len() >= 5, "{drawn:?}");
    }
}

#[test]
fn a_budget_of_bytes_does_not_count_what_an_advance_gave_back() {
    let mut search = Mcts::new(Connect4::new());
    let budget = Budget::iterations(1_000_000).and_bytes(Bytes::mib(2));
    for _ in 0..5 {
        let report = search.run(budget).unwrap();
        assert_eq!(report.stop_reason, StopReason::Bytes);
        assert!(report.iterations > 1_000, "{report}");
        search.advance(report.best_action()).unwrap();
    }
}

/// Records what lies in [-1, 1], as programs of two players do.
struct Signed;

impl<G: GameState> Backprop<G> for Signed {
    type Stats = ();

    fn update(&self, step: impl Step<G, ()>, rewards: &mut Rewards) {
        step.record(2.0 * rewards[step.chooser()] - 1.0);
    }
}

#[test]
fn a_backpropagation_that_records_what_is_no_reward_is_told() {
    let error = Mcts::new(Connect4::new()).backprop(Signed).run(Budget::iterations(100)).unwrap_err();
    assert!(
        matches!(error, SearchError::Game { fault: GameFault::Recorded { reward: -1.0, .. }, .. }),
        "{error}"
    );
}

#[test]
fn the_best_line_of_a_proven_root_ends_as_was_proven() {
    let mut rng = Rng::seeded(3);
    let mut ended = 0;
    for seed in 0..60 {
        let mut state = TicTacToe::new();
        for _ in 0..1 + seed % 4 {
            state.apply(state.random_action(&mut rng).unwrap());
        }
        let Turn::Player(player) = state.turn() else { continue };
        let mut search = Mcts::new(state).backprop(Solver::new(Average)).seed(seed);
        let report = search.run(Budget::iterations(200_000)).unwrap();
        let proof = report.proof.expect("it is small enough");
        for &action in &report.principal_variation {
            assert!(state.is_legal(action));
            state.apply(action);
        }
        if state.turn() == Turn::Over {
            ended += 1;
            assert_eq!(state.reward(player), f64::from(proof), "{report}");
        }
    }
    assert!(ended > 20, "{ended} lines were played to the end");
}

#[test]
fn an_observer_sees_the_last_report_too() {
    let mut seen = Vec::new();
    let mut search = Mcts::new(TicTacToe::new());
    search.run_with(Budget::iterations(1_000), 250, |report| seen.push(report.iterations)).unwrap();
    assert_eq!(seen, [250, 500, 750, 1_000]);
}
