//! Searches of games that wander, fail and panic.

use ramure::prelude::*;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// How often the games below were asked.
    static CALLS: Cell<u64> = const { Cell::new(0) };
    /// How many more actions may be dropped before each drop panics; `None` for any number.
    static DROPS: Cell<Option<u64>> = const { Cell::new(None) };
}

fn next_call() -> u64 {
    CALLS.set(CALLS.get() + 1);
    CALLS.get()
}

/// What a broken game does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    /// An action fails at this call, and panics at the next one.
    FailsAndPanics { at: u64 },
    /// An action leads elsewhere at every so many calls.
    Wanders { every: u64 },
}

/// Players take one to three sticks in turn. Whoever takes the last one wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Sticks {
    left: u8,
    mover: u8,
    fault: Fault,
}

impl Sticks {
    fn new(left: u8, fault: Fault) -> Self {
        CALLS.set(0);
        Sticks { left, mover: 0, fault }
    }
}

impl GameState for Sticks {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { Turn::Player(self.mover) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        1..=self.left.min(3)
    }
    fn apply(&mut self, action: u8) {
        self.left = self.left.saturating_sub(action);
        self.mover = 1 - self.mover;
        match self.fault {
            Fault::FailsAndPanics { at } => match next_call() {
                call if call == at => ramure::fail::<(), _>("as planned"),
                call if call == at + 1 => panic!("as planned"),
                _ => {}
            },
            Fault::Wanders { every } if next_call().is_multiple_of(every) => self.left /= 2,
            _ => {}
        }
    }
    fn reward(&self, player: u8) -> f64 {
        f64::from(u8::from(player != self.mover))
    }
}

/// Calls `work`, which may panic as planned.
fn unless_planned(work: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
        assert_eq!(panic.downcast_ref(), Some(&"as planned"));
    }
}

/// The search tells the line of a fault after it has taken the iteration back.
#[test]
fn an_iteration_is_taken_back_once_if_the_line_of_its_fault_panics() {
    for at in 1..120 {
        let game = Sticks::new(12, Fault::FailsAndPanics { at });
        let mut search = Mcts::uct(game).window(8).seed(at);
        for _ in 0..3 {
            unless_planned(|| _ = search.run(Budget::iterations(50)));
        }
        search.run(Budget::iterations(50)).expect("it fails only once");
        let root = search.tree().root().expect("it ran");
        let below: u32 = root.children().map(|child| child.visits()).sum();
        assert_eq!(root.visits(), below, "failed at {at}");
    }
}

/// Which lines are played a second time must not depend on the searches before.
#[test]
fn a_game_with_hidden_randomness_gives_the_same_result_again() {
    for every in 2..200 {
        let run = || {
            let mut search = Mcts::new(Sticks::new(12, Fault::Wanders { every })).seed(every);
            let report = search.run(Budget::iterations(300)).map(|report| (report.actions, report.nodes));
            (report, CALLS.get())
        };
        assert_eq!(run(), run());
    }
}
