//! Saved searches of games with many actions.

use ramure::prelude::*;
use serde::{Deserialize, Serialize, Serializer};
use std::cell::Cell;

thread_local! {
    /// How many actions were listed, written and compared.
    static LISTED: Cell<u64> = const { Cell::new(0) };
    static COMPARED: Cell<u64> = const { Cell::new(0) };
    static WRITTEN: Cell<u64> = const { Cell::new(0) };
}

const WIDTH: u32 = 2_000;

#[derive(Clone, Copy, Eq, Debug, Deserialize)]
struct Number(u32);

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        COMPARED.set(COMPARED.get() + 1);
        self.0 == other.0
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        WRITTEN.set(WRITTEN.get() + 1);
        self.0.serialize(serializer)
    }
}

/// Four actions, each one of as many.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
struct Wide {
    plies: u8,
    sum: u64,
}

impl GameState for Wide {
    type Action = Number;

    fn turn(&self) -> Turn {
        if self.plies == 4 { Turn::Over } else { Turn::Player(self.plies % 2) }
    }
    fn actions(&self) -> impl IntoIterator<Item = Number> {
        (0..if self.plies == 4 { 0 } else { WIDTH }).map(|number| {
            LISTED.set(LISTED.get() + 1);
            Number(number)
        })
    }
    fn apply(&mut self, action: Number) {
        self.plies += 1;
        self.sum += u64::from(action.0);
    }
    fn reward(&self, player: u8) -> f64 {
        let first = (self.sum % 101) as f64 / 100.0;
        if player == 0 { first } else { 1.0 - first }
    }
}

/// The check of a node with few children compares these with its actions, and writes none of them.
#[test]
fn loading_a_wide_tree_writes_few_actions_and_lists_as_many_as_the_run() {
    let mut search = Mcts::uct(Wide::default());
    search.run(Budget::iterations(3_000)).expect("a sound game");
    let listed = LISTED.get();
    let mut file = Vec::new();
    search.save_to(&mut file).expect("a vector");
    LISTED.set(0);
    WRITTEN.set(0);
    let mut other = Mcts::uct(Wide::default());
    other.load_from(&file[..]).expect("it was saved by the same search");
    assert!(LISTED.get() <= listed, "{} listed, {listed} in the run", LISTED.get());
    assert!(WRITTEN.get() <= u64::from(5 * WIDTH), "{} written", WRITTEN.get());
    assert_eq!(other.report().expect("it ran").actions, search.report().expect("it ran").actions);
}

/// Each child compared with all others would be millions of comparisons.
#[test]
fn many_children_of_a_node_are_loaded_at_once() {
    let new = || Mcts::uct(Wide { plies: 3, sum: 0 });
    let (mut search, mut file) = (new(), Vec::new());
    let report = search.run(Budget::iterations(2 * u64::from(WIDTH))).expect("a sound game");
    assert!(report.actions.iter().all(|action| action.visits > 0));
    search.save_to(&mut file).expect("a vector");
    COMPARED.set(0);
    new().load_from(&file[..]).expect("it was saved by the same search");
    assert!(COMPARED.get() <= u64::from(20 * WIDTH), "{} compared", COMPARED.get());
}
