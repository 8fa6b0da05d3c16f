//! Roots with thousands of actions: what a run and a report do with them grows in proportion to their number.

use ramure::prelude::*;
use ramure::{GameFault, Player, RootActions};
use std::cell::Cell;

thread_local! {
    static CLONES: Cell<usize> = const { Cell::new(0) };
    static COMPARISONS: Cell<usize> = const { Cell::new(0) };
}

/// An action that counts its clones and comparisons.
#[derive(Debug)]
struct Counted(u32);

impl Clone for Counted {
    fn clone(&self) -> Self {
        CLONES.set(CLONES.get() + 1);
        Counted(self.0)
    }
}

impl PartialEq for Counted {
    fn eq(&self, other: &Self) -> bool {
        COMPARISONS.set(COMPARISONS.get() + 1);
        self.0 == other.0
    }
}

impl Eq for Counted {}

/// One player chooses one of so many actions, and then again, until two are chosen.
#[derive(Clone, Debug)]
struct Two {
    width: u32,
    chosen: Vec<u32>,
}

impl GameState for Two {
    type Action = Counted;

    fn players(&self) -> u8 {
        1
    }
    fn turn(&self) -> Turn {
        if self.chosen.len() == 2 { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = Counted> {
        (0..if self.chosen.is_empty() { self.width } else { 1 }).map(Counted)
    }
    fn apply(&mut self, action: Counted) {
        self.chosen.push(action.0);
    }
    fn reward(&self, _: Player) -> f64 {
        f64::from(self.chosen[0] % 97) / 97.0
    }
}

/// Returns the clones and the comparisons that `work` makes.
fn count<T>(work: impl FnOnce() -> T) -> (usize, usize) {
    CLONES.set(0);
    COMPARISONS.set(0);
    work();
    (CLONES.get(), COMPARISONS.get())
}

#[test]
fn a_report_of_a_restricted_root_clones_each_action_a_few_times() {
    const WIDTH: u32 = 2_000;
    let mut search = Mcts::new(Two { width: WIDTH, chosen: vec![] });
    search.run(Budget::iterations(2 * u64::from(WIDTH))).unwrap();
    let (plain, _) = count(|| search.report().unwrap());
    search.set_root_actions(RootActions::except([Counted(0)]));
    let (restricted, _) = count(|| search.report().unwrap());
    assert!(restricted < plain + 8 * WIDTH as usize, "{restricted} clones, {plain} without the restriction");
}

#[test]
fn the_children_of_a_restricted_root_are_found_without_comparing_each_with_each() {
    const WIDTH: u32 = 1_000;
    let mut search = Mcts::new(Two { width: WIDTH, chosen: vec![] });
    search.set_root_actions(RootActions::except([Counted(0)]));
    let each_with_each = (WIDTH * WIDTH) as usize;
    // The children of the root are sorted in each iteration, so each is compared with the one that is listed.
    let iterations = 2 * WIDTH;
    let (clones, comparisons) = count(|| search.run(Budget::iterations(iterations.into())).unwrap());
    assert!(clones < 40 * WIDTH as usize, "{clones} clones");
    assert!(comparisons < 12 * each_with_each, "{comparisons} comparisons");
}

/// A restriction sorts the root; families below it stay in the order in which they were created.
#[test]
fn nodes_below_a_restricted_root_grow_without_comparing_each_with_each() {
    const WIDTH: u32 = 2_000;
    #[derive(Clone, Debug)]
    struct Below(Two, bool);
    impl GameState for Below {
        type Action = Counted;
        fn players(&self) -> u8 {
            1
        }
        fn turn(&self) -> Turn {
            self.0.turn()
        }
        fn actions(&self) -> impl IntoIterator<Item = Counted> {
            let count = if self.1 { self.0.width } else { 3 };
            (0..count).map(Counted)
        }
        fn apply(&mut self, action: Counted) {
            if self.1 { self.0.apply(Counted(action.0)) } else { self.1 = true }
        }
        fn reward(&self, _: Player) -> f64 {
            self.0.reward(0)
        }
    }
    let mut search = Mcts::new(Below(Two { width: WIDTH, chosen: vec![] }, false));
    search.set_root_actions(RootActions::only([Counted(2)]));
    let (clones, comparisons) = count(|| search.run(Budget::iterations(WIDTH.into())).unwrap());
    // A family of 2 000 grows by eight children at a time, lists the actions each time, and searches for the
    // first four.
    let listings = (WIDTH / 8 * WIDTH) as usize;
    assert!(comparisons < 4 * listings, "{comparisons} comparisons");
    assert!(clones < listings / 4, "{clones} clones");
}

#[test]
fn an_action_that_the_root_lists_twice_is_an_error() {
    #[derive(Clone, Debug)]
    struct Doubled(bool);
    impl GameState for Doubled {
        type Action = char;
        fn players(&self) -> u8 {
            1
        }
        fn turn(&self) -> Turn {
            if self.0 { Turn::Over } else { Turn::Player(0) }
        }
        fn actions(&self) -> impl IntoIterator<Item = char> {
            ['a', 'b', 'c', 'b', 'b']
        }
        fn apply(&mut self, _: char) {
            self.0 = true;
        }
        fn reward(&self, _: Player) -> f64 {
            0.5
        }
    }
    let expected = GameFault::ListedTwice { first: 1, again: 3 };
    let mut plain = Mcts::new(Doubled(false));
    let found = plain.run(Budget::iterations(300));
    for result in [found, plain.window(4).run(Budget::iterations(300))] {
        let Err(SearchError::Game { fault, ply: 0, .. }) = result else { panic!("{result:?}") };
        assert_eq!(fault, expected);
    }
    assert!(expected.to_string().contains("number 1 and as number 3"), "{expected}");
}
