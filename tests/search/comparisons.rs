//! Actions whose `==` panics, or is not an equivalence relation.

use ramure::prelude::*;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// The number of comparisons after which the next one panics.
    static COMPARISONS: Cell<u32> = const { Cell::new(u32::MAX) };
}

/// An action whose comparison can panic.
#[derive(Clone, Debug)]
struct Fragile(u8);

impl PartialEq for Fragile {
    fn eq(&self, other: &Self) -> bool {
        match COMPARISONS.get() {
            u32::MAX => {}
            0 => panic!("compared too often"),
            left => COMPARISONS.set(left - 1),
        }
        self.0 == other.0
    }
}

impl Eq for Fragile {}

/// Adds up to 8.
#[derive(Clone)]
struct Adding(u8);

impl GameState for Adding {
    type Action = Fragile;
    fn turn(&self) -> Turn {
        if self.0 >= 8 { Turn::Over } else { Turn::Player(self.0 % 2) }
    }
    fn actions(&self) -> impl IntoIterator<Item = Fragile> {
        [Fragile(1), Fragile(2), Fragile(3)]
    }
    fn apply(&mut self, number: Fragile) {
        self.0 += number.0;
    }
    fn reward(&self, player: Player) -> f64 {
        f64::from(player)
    }
}

#[test]
fn a_comparison_that_panics_in_advance_leaves_the_search_as_it_was() {
    macro_rules! advance {
        ($($name:literal, $least:literal, $search:expr;)+) => { $(
            let (mut panics, mut advances) = (0, 0);
            for comparisons in 0..40 {
                let what = format!("{}, {comparisons} comparisons", $name);
                let mut search = $search;
                let before = search.run(Budget::iterations(300)).unwrap();
                COMPARISONS.set(comparisons);
                let advanced = catch_unwind(AssertUnwindSafe(|| search.advance(Fragile(3))));
                COMPARISONS.set(u32::MAX);
                if advanced.is_err() {
                    panics += 1;
                    assert_eq!(search.state().0, 0, "{what}");
                    assert_eq!(search.report().unwrap().actions, before.actions, "{what}");
                    search.advance(Fragile(3)).unwrap();
                } else {
                    advances += 1;
                }
                assert_eq!(search.state().0, 3, "{what}");
                let now = search.run(Budget::iterations(100)).unwrap();
                if advanced.is_err() {
                    // As if nothing had happened.
                    let mut other = $search;
                    other.run(Budget::iterations(300)).unwrap();
                    other.advance(Fragile(3)).unwrap();
                    let other = other.run(Budget::iterations(100)).unwrap();
                    assert_eq!(now.actions, other.actions, "{what}");
                }
                assert!(now.root_visits > 110, "{what}: the tree was lost");
            }
            assert!(panics >= $least && advances > 3, "{}: {panics} panics, {advances} advances", $name);
        )+ };
    }
    advance! {
        "player trees", 6, Mcts::player_trees(Adding(0)).seed(1);
    }
}

#[test]
fn actions_that_equal_none_or_all_others_end_no_search_and_keep_no_memory() {
    /// An action that is equal to all others, or to none, not even to itself.
    #[derive(Clone, Debug)]
    struct Odd<const ALL: bool>(u8);
    impl<const ALL: bool> PartialEq for Odd<ALL> {
        fn eq(&self, _: &Self) -> bool {
            ALL
        }
    }
    impl<const ALL: bool> Eq for Odd<ALL> {}
    #[derive(Clone)]
    struct Sum<const ALL: bool>(u8);
    impl<const ALL: bool> GameState for Sum<ALL> {
        type Action = Odd<ALL>;
        fn turn(&self) -> Turn {
            if self.0 >= 60 { Turn::Over } else { Turn::Player(self.0 % 2) }
        }
        fn actions(&self) -> impl IntoIterator<Item = Odd<ALL>> {
            [1, 2, 3].map(Odd)
        }
        fn apply(&mut self, Odd(number): Odd<ALL>) {
            self.0 += number;
        }
        fn reward(&self, _: Player) -> f64 {
            0.5
        }
    }
    fn plays<const ALL: bool>() -> (usize, usize) {
        let mut search = Mcts::new(Sum::<ALL>(0)).backprop(Average);
        let (mut bytes, mut moves) = (Vec::new(), 0);
        for _ in 0..15 {
            // An error says that the game has gone another way, or that no action is legal.
            let _ = search.run(Budget::iterations(200));
            bytes.push(search.report().unwrap().bytes);
            moves += usize::from(search.advance(Odd(1)).is_ok());
        }
        // As much as 3000 iterations take of a sound game, and half as much again.
        assert!(bytes.iter().all(|&bytes| bytes < 225_000), "{bytes:?}");
        (moves, bytes.len())
    }
    assert_eq!(plays::<true>(), (15, 15));
    assert_eq!(plays::<false>(), (0, 15));
}
