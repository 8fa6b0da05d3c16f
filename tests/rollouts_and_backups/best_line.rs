//! The best game of a search.

use crate::common::simple::Climb;
use ramure::Rewards;
use ramure::backpropagation::Average;
use ramure::prelude::*;
use ramure::selection::Puct;
use ramure::simulation::{BestLine, Cutoff, Evaluate};
use std::cell::RefCell;
use std::rc::Rc;

const START: fn() -> Climb = || Climb::new(12, 0b1011_0010_1101);

/// Returns the value of a line, by playing it.
fn played(mut state: Climb, line: &[u8]) -> f64 {
    for &side in line {
        assert!(state.is_legal(side));
        state.apply(side);
    }
    assert_eq!(state.turn(), Turn::Over);
    state.reward(0)
}

/// Random rollouts that record the value of each.
struct RecordsValues(Rc<RefCell<Vec<f32>>>);

impl<G: GameState> RolloutPolicy<G> for RecordsValues {
    type Trace = ();

    fn learn(&mut self, _: &(), rewards: &ramure::Rewards) {
        self.0.borrow_mut().push(rewards[0]);
    }
}

#[test]
fn the_best_line_is_the_best_of_all_iterations_and_replays_to_its_reward() {
    let values = Rc::new(RefCell::new(Vec::new()));
    let mut search = Mcts::new(START()).rollout_policy(BestLine::new(RecordsValues(values.clone())));
    assert!(search.rollout_policy_ref().best().is_none());
    let mut rewards_seen = Vec::new();
    for iterations in [1, 10, 100, 1_000] {
        search.run(Budget::iterations(iterations)).expect("a sound game");
        let (line, reward) = search.rollout_policy_ref().best().expect("rollouts go to the end");
        let most = values.borrow().iter().copied().fold(0.0, f32::max);
        assert_eq!((reward, played(START(), line) as f32), (most, most), "after {iterations}");
        rewards_seen.push(reward);
    }
    assert!(rewards_seen.is_sorted() && rewards_seen[0] < rewards_seen[3], "{rewards_seen:?}");
}

#[test]
fn the_best_line_is_kept_when_the_game_follows_it_and_dropped_otherwise() {
    let mut search = Mcts::new(START()).backprop(Average).rollout_policy(BestLine::new(Uniform));
    search.run(Budget::iterations(300)).expect("a sound game");
    let best = |search: &Mcts<Climb, _, BestLine<Uniform, u8>, _>| {
        search.rollout_policy_ref().best().map(|(line, reward)| (line.to_vec(), reward)).expect("a game")
    };
    let (line, reward) = best(&search);
    for &side in &line[..2] {
        search.advance(side).expect("legal");
    }
    search.run(Budget::iterations(1)).expect("a sound game");
    let (rest, same) = best(&search);
    assert!(same >= reward && (same > reward || rest == line[2..]), "{line:?} {rest:?}");
    assert_eq!(played(*search.state(), &rest) as f32, same);

    // A state in which that game cannot continue.
    search.advance(1 - rest[0]).expect("legal");
    search.run(Budget::iterations(1)).expect("a sound game");
    let (other, less) = best(&search);
    assert_eq!(other.len(), 9);
    assert_eq!(played(*search.state(), &other) as f32, less);
}

#[test]
fn evaluations_and_proofs_do_not_count_as_finished_games() {
    let mut search = Mcts::new(START()).rollout_policy(BestLine::new(Cutoff::new(0)));
    search.run(Budget::iterations(20)).expect("a sound game");
    assert!(search.rollout_policy_ref().best().is_none());

    let mut search =
        Mcts::new(Climb::new(3, 0b101)).backprop(Solver::new(Average)).rollout_policy(BestLine::new(Uniform));
    let report = search.run(Budget::iterations(100_000)).expect("a sound game");
    assert_eq!(report.proof, Some(1.0));
    assert_eq!(search.rollout_policy_ref().best(), Some((&[1, 0, 1][..], 1.0)));
}

/// Corridors that end with a reward, and actions that must not be played elsewhere.
#[derive(Clone)]
struct Strict {
    played: Vec<u8>,
}

impl GameState for Strict {
    type Action = u8;
    fn turn(&self) -> Turn {
        if self.played.len() == 3 { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        // After action a, only 10 a and 10 a + 1 are legal.
        let first = self.played.last().map_or(0, |last| 10 * (last % 10));
        if self.played.len() == 3 { 0..0 } else { first..first + 2 }
    }
    fn apply(&mut self, action: u8) {
        assert!(self.is_legal(action), "{action} after {:?}", self.played);
        self.played.push(action);
    }
    fn reward(&self, _: Player) -> f64 {
        f64::from(u8::from(self.played == [0, 1, 10]))
    }
    fn players(&self) -> u8 {
        1
    }
}

#[test]
fn the_best_line_is_kept_at_the_same_root_and_dropped_where_it_is_illegal() {
    let mut search = Mcts::new(Strict { played: vec![] }).rollout_policy(BestLine::new(Uniform));
    search.run(Budget::iterations(100)).expect("a sound game");
    let best = (&[0, 1, 10][..], 1.0);
    assert_eq!(search.rollout_policy_ref().best(), Some(best));
    // Whatever the single iteration of the next run returns.
    for _ in 0..8 {
        search.run(Budget::iterations(1)).expect("a sound game");
        assert_eq!(search.rollout_policy_ref().best(), Some(best));
    }
    search.advance(1).expect("legal");
    search.run(Budget::iterations(1)).expect("a sound game");
    assert_eq!(search.rollout_policy_ref().best().expect("a game").1, 0.0);
}

/// A policy that reads priors evaluates the root first, without an action.
#[test]
fn a_line_of_another_root_is_discarded_if_the_root_is_evaluated_first() {
    #[derive(Clone)]
    struct Two {
        gain: f64,
        path: Vec<u8>,
    }
    impl GameState for Two {
        type Action = u8;
        fn players(&self) -> u8 {
            1
        }
        fn turn(&self) -> Turn {
            if self.path.len() == 2 { Turn::Over } else { Turn::Player(0) }
        }
        fn actions(&self) -> impl IntoIterator<Item = u8> {
            0..2
        }
        fn apply(&mut self, action: u8) {
            self.path.push(action);
        }
        fn reward(&self, _: u8) -> f64 {
            self.gain * f64::from(self.path.iter().sum::<u8>()) / 2.0
        }
    }
    let start = |gain| Two { gain, path: vec![] };
    let evaluation = Evaluate::by(|_: &Two, _: &[u8], _: &mut [f32]| Rewards::new(1, |_| 0.5));
    let search = Mcts::new(start(1.0)).tree_policy(Puct::default()).backprop(Average);
    let mut search = search.rollout_policy(BestLine::new(evaluation));
    for gain in [1.0, 0.5] {
        search.reset(start(gain));
        search.run(Budget::iterations(200)).expect("a sound game");
        assert_eq!(search.rollout_policy_ref().best(), Some((&[1, 1][..], gain as f32)));
    }
    // A window keeps the memory of its leaves, but not their lines.
    let search = Mcts::new(start(1.0)).backprop(Average).rollout_policy(BestLine::new(Uniform));
    let mut search = search.window(4);
    for gain in [1.0, 0.5] {
        search.reset(start(gain));
        search.run(Budget::iterations(200)).expect("a sound game");
        assert_eq!(search.rollout_policy_ref().best(), Some((&[1, 1][..], gain as f32)));
    }
}
