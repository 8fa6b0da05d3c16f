//! A game with every kind of fault.

use ramure::{GameState, Player, Turn};
use std::time::Duration;

/// Ten steps to the left or right. From step `at` on, a step to the right triggers the fault.
#[derive(PartialEq)]
pub struct Bad {
    /// The fault.
    pub fault: Fault,
    /// The step from which on the fault can be triggered.
    pub at: u8,
    /// The number of steps made.
    pub steps: u8,
    /// Whether the fault has been triggered.
    pub wrong: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// `apply` panics.
    Panic,
    /// `turn` panics.
    Turn,
    /// The list of actions does not end.
    EndlessList,
    /// The game does not end, and no state repeats.
    Endless,
    /// The game runs in a circle.
    Circle,
    /// `reward` returns 2.
    Reward,
    /// `clone` panics.
    Clone,
    /// `Debug` panics, and a reward is 2.
    Debug,
    /// `apply` does not return.
    Hang,
}

impl Clone for Bad {
    fn clone(&self) -> Self {
        assert!(!self.is(Fault::Clone), "no copies, please");
        Bad { ..*self }
    }
}

impl std::fmt::Debug for Bad {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        assert!(!self.is(Fault::Debug), "nothing to be seen here");
        f.debug_struct("Bad")
            .field("at", &self.at)
            .field("steps", &self.steps)
            .field("wrong", &self.wrong)
            .finish()
    }
}

impl Bad {
    /// Returns a game whose fault is not triggered yet.
    pub fn new(fault: Fault, at: u8) -> Self {
        Bad { fault, at, steps: 0, wrong: false }
    }

    fn is(&self, fault: Fault) -> bool {
        self.wrong && self.fault == fault
    }
}

impl GameState for Bad {
    type Action = bool;

    fn turn(&self) -> Turn {
        assert!(!self.is(Fault::Turn), "whose turn is it?");
        if self.steps == 10 { Turn::Over } else { Turn::Player(self.steps % 2) }
    }
    fn actions(&self) -> impl IntoIterator<Item = bool> {
        let endless = self.is(Fault::EndlessList);
        let count = if endless {
            usize::MAX
        } else if self.steps == 10 {
            0
        } else {
            2
        };
        (0..count).map(|number| number % 2 == 1)
    }
    fn apply(&mut self, right: bool) {
        if right && self.steps >= self.at {
            assert!(self.fault != Fault::Panic, "{} steps are too many", self.steps);
            let hangs = self.fault == Fault::Hang;
            #[expect(clippy::while_immutable_condition, reason = "this is the fault")]
            while hangs {
                std::thread::sleep(Duration::from_millis(1));
            }
            self.wrong = true;
        }
        if self.is(Fault::Circle) {
            self.steps = self.at + (self.steps + 1 - self.at) % 3;
        } else if self.is(Fault::Endless) {
            self.at = self.at.wrapping_add(1);
            self.steps = self.steps % 5 + 1;
        } else {
            self.steps += 1;
        }
    }
    fn reward(&self, _: Player) -> f64 {
        if self.is(Fault::Reward) || self.is(Fault::Debug) { 2.0 } else { 0.5 }
    }
}
