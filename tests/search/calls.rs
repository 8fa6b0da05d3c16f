//! How often a search calls the methods of a game.

use crate::common::chi_squared;
use ramure::prelude::*;
use ramure::simulation::{History, Leaf, Trace};
use ramure::{GameFault, Rewards};
use std::cell::Cell;

#[derive(Clone, Copy, Default, PartialEq, Debug)]
struct Calls {
    turn: u64,
    actions: u64,
    apply: u64,
    reward: u64,
    players: u64,
    probability: u64,
    clone: u64,
}

thread_local! {
    static CALLS: Cell<Calls> = Cell::default();
}

fn count(one_more: impl FnOnce(&mut Calls)) {
    let mut calls = CALLS.get();
    one_more(&mut calls);
    CALLS.set(calls);
}

/// Players take one or two sticks in turn. If there is chance, it takes one or two after each of them. The
/// player who finds none left wins.
#[derive(Debug)]
struct Sticks {
    left: u8,
    player: Player,
    has_chance: bool,
    is_chance: bool,
}

impl Sticks {
    fn new(has_chance: bool) -> Self {
        Sticks { left: 40, player: 0, has_chance, is_chance: false }
    }
}

impl Clone for Sticks {
    fn clone(&self) -> Self {
        count(|calls| calls.clone += 1);
        Sticks { ..*self }
    }
}

impl GameState for Sticks {
    type Action = u8;

    fn turn(&self) -> Turn {
        count(|calls| calls.turn += 1);
        match self.left {
            0 => Turn::Over,
            _ if self.is_chance => Turn::Chance,
            _ => Turn::Player(self.player),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        count(|calls| calls.actions += 1);
        (1..=self.left.min(2)).collect::<Vec<_>>()
    }
    fn apply(&mut self, taken: u8) {
        count(|calls| calls.apply += 1);
        self.left -= taken;
        if !self.is_chance {
            self.player = 1 - self.player;
        }
        self.is_chance = self.has_chance && !self.is_chance;
    }
    fn reward(&self, player: Player) -> f64 {
        count(|calls| calls.reward += 1);
        if player == self.player { 1.0 } else { 0.0 }
    }
    fn players(&self) -> u8 {
        count(|calls| calls.players += 1);
        2
    }
    fn probability(&self, _: u8) -> f64 {
        count(|calls| calls.probability += 1);
        1.0 / f64::from(self.left.min(2))
    }
}

/// Random rollouts that record all actions.
struct Recorded;

impl<G: GameState> RolloutPolicy<G> for Recorded {
    type Trace = History<G::Action>;

    fn simulate(&self, leaf: &mut Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Rewards, GameFault> {
        leaf.play_out_at_random(rng)
    }
}

/// Returns the calls of so many iterations, and the number of actions played in the tree.
fn calls_of<R: RolloutPolicy<Sticks>>(has_chance: bool, rollouts: R, iterations: u64) -> (Calls, u64) {
    let mut search = Mcts::new(Sticks::new(has_chance)).rollout_policy(rollouts).seed(1);
    search.run(Budget::iterations(100)).expect("a sound game");
    // The calls of the start and the end of a run are those of a run of one iteration.
    let mut run = |iterations| {
        CALLS.take();
        let report = search.run(Budget::iterations(iterations)).expect("a sound game");
        (CALLS.take(), (report.mean_depth * iterations as f64).round() as u64)
    };
    let (one, _) = run(1);
    let (many, depth) = run(iterations + 1);
    let less = |many: u64, one: u64| many - one;
    let calls = Calls {
        turn: less(many.turn, one.turn),
        actions: less(many.actions, one.actions),
        apply: less(many.apply, one.apply),
        reward: less(many.reward, one.reward),
        players: less(many.players, one.players),
        probability: less(many.probability, one.probability),
        clone: less(many.clone, one.clone),
    };
    (calls, depth)
}

#[test]
fn a_search_asks_for_the_turn_once_per_action_and_for_the_actions_once_per_ply_of_a_rollout() {
    let n = 1_000;
    // For the lines that are played again: once more at the end of each.
    let slack = n / 100;
    let (plain, depth) = calls_of(false, Uniform, n);
    println!("{plain:?}, {depth} actions in the tree");
    // An iteration has a copy of the root. Now and then, the search plays the line in the tree again, from
    // another copy.
    assert!(plain.clone <= n + n / 100, "{plain:?}");
    assert!(plain.apply > 15 * n);
    // Once more for a rollout, which `random_rollout` may have shortened.
    assert!(plain.turn <= plain.apply + n + slack, "{plain:?}");
    // Once per action of a rollout, and once to give a leaf children or a node one more.
    assert!(plain.actions <= plain.apply - depth + n + slack, "{plain:?}");
    assert!(plain.reward <= 2 * n && plain.players <= 2 * n, "{plain:?}");
    assert_eq!(plain.probability, 0);

    let (recorded, depth) = calls_of(false, Recorded, n);
    println!("{recorded:?}, {depth} actions in the tree");
    // A record asks how many players there are, and not whose turn it is.
    assert!(recorded.turn <= recorded.apply + n + slack, "{recorded:?}");
    assert!(recorded.actions <= recorded.apply - depth + n + slack, "{recorded:?}");

    let (chance, _) = calls_of(true, Uniform, n);
    println!("{chance:?}");
    assert!(chance.turn <= chance.apply + n + slack, "{chance:?}");
    // Chance draws in the tree, too, and lists the outcomes there.
    assert!(chance.actions <= chance.apply + n + slack, "{chance:?}");
    assert!(chance.probability <= 2 * chance.apply, "{chance:?}");
}

/// One choice between four actions, by an iterator that promises `promised` of them.
#[derive(Clone, Debug)]
struct Promising {
    promised: usize,
    is_over: bool,
}

struct Promised(usize, std::ops::Range<u8>);

impl Iterator for Promised {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        self.1.next()
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0, Some(self.0))
    }
}

impl GameState for Promising {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.is_over { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        Promised(self.promised, 0..if self.is_over { 0 } else { 4 })
    }
    fn apply(&mut self, _: u8) {
        *self = Promising { promised: 0, is_over: true };
    }
    fn reward(&self, player: Player) -> f64 {
        f64::from(player)
    }
}

/// Chi-squared with three degrees of freedom is above 30 with a probability below 2e-6, for each of three
/// games.
#[test]
fn an_iterator_that_yields_fewer_actions_than_it_promises_is_drawn_from_evenly() {
    let mut rng = Rng::seeded(1);
    for promised in [4, 5, 20] {
        let game = Promising { promised, is_over: false };
        let mut counts = [0; 4];
        for _ in 0..40_000 {
            counts[usize::from(game.random_action(&mut rng).expect("four actions"))] += 1;
        }
        assert!(chi_squared(&counts, &[0.25; 4]) < 30.0, "{promised}: {counts:?}");
    }
}

#[test]
fn a_law_finds_iterators_that_do_not_keep_their_promise() {
    use ramure_rules::{Law, check};
    assert!(check(Promising { promised: 4, is_over: false }).run().is_ok());
    for promised in [3, 5] {
        let violation = check(Promising { promised, is_over: false }).run().expect_err("a wrong number");
        assert_eq!((violation.law, violation.actions.len()), (Law::Sizes, 0), "{violation}");
        assert!(violation.what.contains(&format!("promises {promised}")), "{violation}");
    }
}
