//! The rules kit on slow games: it says how far it is, and keeps its limit of time.

use crate::bad_games::in_its_own_process;
use ramure::HiddenInformation;
use ramure::prelude::*;
use ramure_rules::Law;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Chance draws one of a hundred numbers ten times, after the player has said "more". Each action takes two
/// milliseconds.
#[derive(Clone, PartialEq, Debug)]
struct Slow {
    drawn: Vec<u8>,
    is_drawing: bool,
    /// The number of draws after which the reward is wrong.
    wrong_from: usize,
}

const RIGHT: Slow = Slow { drawn: Vec::new(), is_drawing: false, wrong_from: usize::MAX };

impl GameState for Slow {
    type Action = u8;

    fn turn(&self) -> Turn {
        match self.drawn.len() {
            10 => Turn::Over,
            _ if self.is_drawing => Turn::Chance,
            _ => Turn::Player(0),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.is_drawing { 100 } else { 2 }
    }
    fn apply(&mut self, action: u8) {
        sleep(Duration::from_millis(2));
        if self.is_drawing {
            self.drawn.push(action);
        }
        self.is_drawing = !self.is_drawing;
    }
    fn reward(&self, _: Player) -> f64 {
        let sum: f64 = self.drawn.iter().copied().map(f64::from).sum();
        if self.drawn.len() >= self.wrong_from { 2.0 } else { sum / 1_000.0 }
    }
    fn players(&self) -> u8 {
        1
    }
}

impl HiddenInformation for Slow {
    fn determinize(&mut self, _: Player, _: &mut Rng) {}
}

#[test]
fn a_check_of_a_slow_game_ends_in_time_and_says_what_it_checked() {
    let start = Instant::now();
    let summary = ramure_rules::check(RIGHT).time(Duration::from_millis(700)).run().expect("a right game");
    assert!(start.elapsed() < Duration::from_secs(6), "{:?}", start.elapsed());
    assert!(summary.stopped && !summary.complete && summary.states > 0, "{summary:?}");
    assert!(summary.to_string().contains("the time was up"), "{summary}");
    // Without a limit that is reached, nothing is stopped.
    let check = ramure_rules::check(RIGHT).only([Law::Calls]).states(3).games(1);
    assert!(!check.run().expect("a right game").stopped);
}

/// The law on fair guesses judges all lines together, so it has not begun when the time is up.
#[test]
fn laws_that_were_not_judged_in_time_are_left_out() {
    let check =
        ramure_rules::check(RIGHT).fair_guesses(|state, _| state.clone()).time(Duration::from_millis(300));
    let summary = check.only([Law::Calls, Law::GuessesFair]).run().expect("a right game");
    assert!(summary.stopped, "{summary:?}");
    assert_eq!(summary.laws, [Law::Calls]);
}

#[test]
fn a_broken_law_of_a_slow_game_is_reported_in_time_with_its_states() {
    let start = Instant::now();
    let check = ramure_rules::check(Slow { wrong_from: 10, ..RIGHT }).only([Law::Rewards]).states(1);
    let violation = check.time(Duration::from_secs(1)).run().expect_err("the reward is 2");
    assert!(start.elapsed() < Duration::from_secs(6), "{:?}", start.elapsed());
    assert_eq!((violation.law, violation.actions.len()), (Law::Rewards, 20), "{violation}");
    assert!(violation.before.is_some() && violation.after.is_some(), "{violation}");
}

#[test]
fn a_long_check_says_how_far_it_is() {
    let test = "slow_games::a_long_check_says_how_far_it_is";
    let said = in_its_own_process(test, 0, || {
        let _ = ramure_rules::check(RIGHT).only([Law::Replay]).time(Duration::from_millis(5_300)).run();
    });
    let so_far =
        "ramure-rules: checking the law \"equal lines give equal states\" for 5s, at most 5.3s (`time`): ";
    assert!(said.contains(so_far) && said.contains(" states and 0 games so far"), "{said}");
    assert!(said.contains("for 5.3s, and stopped (`time`): "), "{said}");
}
