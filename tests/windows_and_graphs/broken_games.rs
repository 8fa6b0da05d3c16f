//! Searches of games that lie, fail and panic, in windows and graphs.

use crate::common::hostile::{Hostile, lie};
use crate::common::sized;
use ramure::Keyed;
use ramure::prelude::*;
use ramure::search::{Space, Transpositions};
use std::cell::Cell;
use std::error::Error;
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
struct Sticks<const FAILS: bool = false> {
    left: u8,
    mover: u8,
    fault: Fault,
}

impl<const FAILS: bool> Sticks<FAILS> {
    fn new(left: u8, fault: Fault) -> Self {
        CALLS.set(0);
        Sticks { left, mover: 0, fault }
    }
}

impl<const FAILS: bool> GameState for Sticks<FAILS> {
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
    const CAN_FAIL: bool = FAILS;
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
        let game = Sticks::<true>::new(12, Fault::FailsAndPanics { at });
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
            let mut search = Mcts::new(Sticks::<false>::new(12, Fault::Wanders { every })).seed(every);
            let report = search.run(Budget::iterations(300)).map(|report| (report.actions, report.nodes));
            (report, CALLS.get())
        };
        assert_eq!(run(), run());
    }
}

/// A number of sticks whose drop may panic.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Number(Box<u8>);

impl Drop for Number {
    fn drop(&mut self) {
        if let Some(left) = DROPS.get() {
            DROPS.set(Some(left.saturating_sub(1)));
            if left == 0 && !std::thread::panicking() {
                panic!("as planned");
            }
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Owning(u8);

impl GameState for Owning {
    type Action = Number;

    fn turn(&self) -> Turn {
        if self.0 == 0 { Turn::Over } else { Turn::Player(self.0 % 2) }
    }
    fn actions(&self) -> impl IntoIterator<Item = Number> {
        (1..=self.0.min(3)).map(|number| Number(Box::new(number)))
    }
    fn apply(&mut self, action: Number) {
        self.0 -= *action.0;
    }
    fn reward(&self, player: u8) -> f64 {
        f64::from(player)
    }
}

impl Keyed for Owning {
    fn key(&self) -> u128 {
        self.0.into()
    }
}

#[test]
fn a_panic_of_a_drop_in_a_run_loses_nothing() {
    for drops in (0..400).step_by(3) {
        let mut search = Mcts::uct(Transpositions::new(Owning(9))).window(4);
        DROPS.set(Some(drops));
        unless_planned(|| _ = search.run(Budget::iterations(12)));
        DROPS.set(None);
        assert_eq!(search.state(), &Owning(9));
        let _ = search.run(Budget::iterations(40)); // may tell the panic again
        search.run(Budget::iterations(40)).expect("nothing panics any more");
    }
}

/// Searches `start`, which lies from now on. A lie is an error of the game, and never a panic of the search.
/// Returns the number of errors.
fn lies_are_errors<S: Space>(start: S, mut search: impl Search<Space = S>, seed: u64) -> u32 {
    let mut errors = 0;
    lie(seed, 200);
    for _ in 0..3 {
        if let Err(error) = search.run(Budget::iterations(300)) {
            errors += 1;
            assert!(error.source().is_none(), "seed {seed}: {error:?}");
        }
    }
    lie(0, 0);
    search.reset(start);
    let report = search.run(Budget::iterations(300));
    assert!(report.is_ok(), "{report:?}");
    errors
}

#[test]
fn a_game_that_lies_neither_panics_nor_hangs() {
    let (tree, graph) = (Hostile::default(), Transpositions::new(Hostile::default()));
    let mut errors = [0; 4];
    for seed in 0..sized(60, 1_000) {
        errors[0] += lies_are_errors(tree, Mcts::new(tree).seed(seed), seed);
        errors[1] += lies_are_errors(tree, Mcts::new(tree).seed(seed).window(5), seed);
        errors[2] += lies_are_errors(graph, Mcts::new(graph).seed(seed), seed);
        errors[3] += lies_are_errors(graph, Mcts::new(graph).seed(seed).window(5), seed);
    }
    assert!(errors.iter().all(|&errors| errors > 20), "{errors:?}");
}
