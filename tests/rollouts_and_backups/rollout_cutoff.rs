//! Rollouts are cut off after the right number of actions, and get the right values.

#![allow(clippy::disallowed_methods, reason = "tests may use the platform's own powers")]

use crate::common::broken::{Broken, Fault};
use crate::common::simple::Climb;
use crate::common::watched_games::{Ends, Line, Watch, Watched, shallow};
use crate::common::{chi_squared, sized};
use ramure::prelude::*;
use ramure::simulation::Cutoff;
use ramure::{GameFault, Player, Rewards, StaticEvaluation, Turn};
use std::cell::RefCell;
use std::rc::Rc;

/// Returns the number of actions of the rollouts, and their rewards.
fn ends<G: StaticEvaluation>(root: G, cutoff: Cutoff, iterations: u64) -> Vec<(usize, Rewards)> {
    let seen = Rc::new(RefCell::new(Ends::default()));
    shallow(root, cutoff.rollouts(Watched::new(Uniform, &seen)), iterations).expect("it is sound");
    let ends = seen.borrow();
    ends.0.iter().map(|&(played, rewards)| (played - 1, rewards)).collect()
}

#[test]
fn rollouts_are_cut_off_with_the_set_probability() {
    let climb = Climb::new(31, 0);
    let lengths =
        |cutoff, iterations| Vec::from_iter(ends(climb, cutoff, iterations).into_iter().map(|end| end.0));
    for p in [0.1, 0.3, 0.8] {
        let mut counts = [0; 10];
        for length in lengths(Cutoff::with_probability(p), 20_000) {
            counts[length.min(9)] += 1;
        }
        let share = |length: i32| if length == 9 { (1.0 - p).powi(9) } else { p * (1.0 - p).powi(length) };
        let expected = Vec::from_iter((0..10).map(share));
        // With 9 degrees of freedom, it is above 60 with a probability of 1e-9; small shares increase it
        // slightly.
        assert!(chi_squared(&counts, &expected) < 70.0, "{counts:?} for {expected:?}");
    }
    assert!(lengths(Cutoff::with_probability(0.0), 50).iter().all(|&length| length == 30));
    assert!(lengths(Cutoff::with_probability(1.0), 50).iter().all(|&length| length == 0));
    assert!(lengths(Cutoff::new(7), 50).iter().all(|&length| length == 7));
    let both = lengths(Cutoff::with_probability(0.2).at_most(3), 1_000);
    assert!((0..=3).all(|length| both.contains(&length)) && both.iter().all(|&length| length <= 3));
    assert!(ends(climb, Cutoff::new(7), 50).iter().all(|(_, rewards)| rewards.as_slice() == [0.5]));
}

/// Steps up and down, up to `left` of them. The first player prefers to be high up.
#[derive(Clone, Copy, Debug)]
struct Slope {
    players: u8,
    height: i8,
    left: u8,
}

impl GameState for Slope {
    type Action = i8;

    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { Turn::Player(self.left % self.players) }
    }
    fn actions(&self) -> impl IntoIterator<Item = i8> {
        [-1, 1].into_iter().take(if self.left == 0 { 0 } else { 2 })
    }
    fn apply(&mut self, step: i8) {
        (self.height, self.left) = (self.height + step, self.left - 1);
    }
    fn reward(&self, _: Player) -> f64 {
        0.25
    }
    fn players(&self) -> u8 {
        self.players
    }
}

impl StaticEvaluation for Slope {
    fn evaluate(&self, player: Player) -> f64 {
        let first = (1.0 / f64::from(self.players.max(2)) + 0.0625 * f64::from(self.height)).clamp(0.0, 1.0);
        if player == 0 { first } else { (1.0 - first) / f64::from(self.players - 1) }
    }
}

/// Checks that rollouts end when they are decided, and with which rewards.
struct Decided {
    players: u8,
    margin: f64,
    every: usize,
    early: u32,
    late: u32,
}

impl<R> Watch<Slope, R> for Decided {
    fn learned(&mut self, _: &R, played: &Line<i8>, rewards: &Rewards) {
        let mut state = Slope { players: self.players, height: 0, left: 20 };
        for (count, &(_, step)) in played.iter().enumerate() {
            if let Some(expected) = self.decided(&state, count) {
                panic!("{expected:?} after {count} of {played:?}");
            }
            state.apply(step);
        }
        match self.decided(&state, played.len()) {
            Some(expected) => assert_eq!(rewards.as_slice(), expected),
            None => assert!(state.left == 0 && rewards.as_slice().iter().all(|&reward| reward == 0.25)),
        }
        *(if state.left == 0 { &mut self.late } else { &mut self.early }) += 1;
    }
}

impl Decided {
    /// Returns the rewards if the game is decided after `played` actions from the root, of which the rollout
    /// has one less.
    fn decided(&self, state: &Slope, count: usize) -> Option<Vec<f32>> {
        if count == 0 || !count.is_multiple_of(self.every) || state.left == 0 {
            return None;
        }
        let values = Vec::from_iter((0..self.players).map(|player| state.evaluate(player)));
        let won = Vec::from_iter(values.iter().map(|&value| f32::from(u8::from(value >= 0.5 + self.margin))));
        (won.contains(&1.0) || self.players == 1 && values[0] <= 0.5 - self.margin).then_some(won)
    }
}

#[test]
fn rollouts_with_a_decided_evaluation_end_as_won_or_lost() {
    fn see(players: u8, margin: f64, every: u32) {
        let seen = Decided { players, margin, every: every as usize, early: 0, late: 0 };
        let seen = Rc::new(RefCell::new(seen));
        let cutoff = Cutoff::when_decided(margin).every(every).rollouts(Watched::new(Uniform, &seen));
        shallow(Slope { players, height: 0, left: 20 }, cutoff, 500).expect("it is sound");
        let seen = seen.borrow();
        assert!(
            seen.early > 20 && seen.late > 20,
            "{players} {margin} {every}: {} {}",
            seen.early,
            seen.late
        );
    }
    for every in 1..4 {
        see(1, 0.25, every);
        see(2, 0.25, every);
        see(2, 0.1875, every);
        see(3, 0.1, every);
    }
}

#[test]
fn rollouts_without_a_cutoff_fail_in_an_endless_game() {
    for cutoff in sized(vec![Cutoff::when_decided(0.5)], vec![Cutoff::new(u32::MAX), Cutoff::new(1_000_001)])
    {
        let game = Broken::new(Fault::Endless, Broken::LENGTH);
        game.trigger().arm(0);
        let error =
            Mcts::new(game).rollout_policy(cutoff).run(Budget::iterations(1_000)).expect_err("endless");
        let SearchError::Game { fault, .. } = error else { panic!("{error}") };
        assert_eq!(fault, GameFault::Endless { limit: 1_000_000 });
    }
}

/// In single precision, 0.5 - 0.4 is less than 0.1.
#[test]
fn an_evaluation_at_the_margin_decides() {
    #[derive(Clone)]
    struct Evaluated {
        value: f64,
        players: u8,
        played: u8,
    }
    impl GameState for Evaluated {
        type Action = bool;
        fn players(&self) -> u8 {
            self.players
        }
        fn turn(&self) -> Turn {
            if self.played == 9 { Turn::Over } else { Turn::Player(0) }
        }
        fn actions(&self) -> impl IntoIterator<Item = bool> {
            [false, true]
        }
        fn apply(&mut self, _: bool) {
            self.played += 1;
        }
        fn reward(&self, _: Player) -> f64 {
            0.5
        }
    }
    impl StaticEvaluation for Evaluated {
        fn evaluate(&self, player: Player) -> f64 {
            if player == 0 { self.value } else { 1.0 - self.value }
        }
    }
    for percent in 1..=50 {
        let margin = f64::from(percent) / 100.0;
        for (players, value, reward) in
            [(1, 0.5 - margin, 0.0), (1, 0.5 + margin, 1.0), (2, 0.5 - margin, 0.0), (2, 0.5 + margin, 1.0)]
        {
            let start = Evaluated { value, players, played: 0 };
            let found = ends(start, Cutoff::when_decided(margin), 1);
            assert_eq!(found[0].1[0], reward, "{players} players, margin {margin}");
        }
    }
}
