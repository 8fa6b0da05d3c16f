//! States that nodes keep: they save calls of `apply`, and go with their nodes. (The random
//! programs compare searches that keep them with the twin, which does not.)

use ramure::backpropagation::Average;
use ramure::prelude::*;
use ramure::simulation::Evaluate;
use ramure::{Bytes, Rewards};
use ramure_games::Connect4;
use std::cell::Cell;

thread_local! {
    /// How many states are alive.
    static ALIVE: Cell<usize> = const { Cell::new(0) };
    /// How often an action was played.
    static APPLIED: Cell<u64> = const { Cell::new(0) };
}

/// Counts the states that are alive.
#[derive(Debug)]
struct Token;

impl Default for Token {
    fn default() -> Self {
        ALIVE.set(ALIVE.get() + 1);
        Token
    }
}

impl Clone for Token {
    fn clone(&self) -> Self {
        Default::default()
    }
}

impl Drop for Token {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - 1);
    }
}

/// A game whose states are counted, and kept or not.
#[derive(Clone, Debug)]
pub(crate) struct Kept<G, const KEEPS: bool> {
    game: G,
    _token: Token,
}

impl<G, const KEEPS: bool> Kept<G, KEEPS> {
    pub(crate) fn new(game: G) -> Self {
        Kept { game, _token: Default::default() }
    }
}

impl<G: GameState, const KEEPS: bool> GameState for Kept<G, KEEPS> {
    type Action = G::Action;
    const KEEPS_STATES: bool = KEEPS;

    fn turn(&self) -> Turn {
        self.game.turn()
    }
    fn actions(&self) -> impl IntoIterator<Item = G::Action> {
        self.game.actions()
    }
    fn apply(&mut self, action: G::Action) {
        APPLIED.set(APPLIED.get() + 1);
        self.game.apply(action);
    }
    fn reward(&self, player: Player) -> f64 {
        self.game.reward(player)
    }
    fn players(&self) -> u8 {
        self.game.players()
    }
    fn probability(&self, outcome: G::Action) -> f64 {
        self.game.probability(outcome)
    }
}

/// Searches Connect 4 without rollouts. Returns the calls of `apply` and the greatest number of states alive.
fn calls_of_apply<const KEEPS: bool>(iterations: u64) -> (f64, f64) {
    let evaluation = Evaluate::by(|state: &Kept<Connect4, KEEPS>, _, _| {
        Rewards::new(2, |player| {
            if usize::from(player) == state.game.actions().into_iter().count() % 2 { 0.4 } else { 0.6 }
        })
    });
    let mut search = Mcts::new(Kept::new(Connect4::new())).rollout_policy(evaluation).seed(1);
    APPLIED.set(0);
    let report = search.run(Budget::iterations(iterations)).expect("a sound game");
    (APPLIED.get() as f64 / iterations as f64, report.mean_depth)
}

#[test]
fn an_iteration_plays_one_or_two_actions_in_the_tree_at_any_depth() {
    let ((without, depth), (with, same)) = (calls_of_apply::<false>(4_000), calls_of_apply::<true>(4_000));
    assert_eq!(depth, same);
    // One line in 128 is played again, as a check.
    assert!(depth > 3.5 && without >= depth && without < depth * 1.02, "{without} at depth {depth}");
    assert!(with > 1.0 && with < 1.6, "{with}");
}

#[test]
fn states_take_at_most_half_of_the_memory_and_go_with_their_nodes() {
    let new = |limit| Mcts::new(Kept::<_, true>::new(Connect4::new())).seed(1).memory_limit(Bytes(limit));
    for (limit, iterations) in [(100_000, 5_000), (500_000, 10_000)] {
        let mut search = new(limit);
        let report = search.run(Budget::iterations(iterations)).expect("a sound game");
        assert!(report.recycled_nodes > 0 && report.bytes <= limit, "{} of {limit}", report.bytes);
        assert_eq!(search.memory_usage(), Bytes(report.bytes));
        let most = limit / 2 / size_of::<Kept<Connect4, true>>();
        assert!((10..most).contains(&ALIVE.get()), "{} states in {limit} bytes", ALIVE.get());
    }
    let mut search = new(usize::MAX);
    search.run(Budget::iterations(4_000)).expect("a sound game");
    let before = ALIVE.get();
    assert!(before > 1_000, "{before} states");
    for _ in 0..2 {
        let action = search.report().expect("a sound game").best_action();
        search.advance(action).expect("it is legal");
    }
    assert!(ALIVE.get() < before / 2, "{} of {before} states are left", ALIVE.get());
    search.reset(Kept::new(Connect4::new()));
    assert!(ALIVE.get() < 10, "{} states are left", ALIVE.get());
}

/// Players name numbers, and player 0 wins if the sum is even, or if it is odd.
#[derive(Clone, Debug)]
struct Parity {
    numbers: Vec<u8>,
    even: bool,
}

impl GameState for Parity {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.numbers.len() == 6 { Turn::Over } else { Turn::Player(self.numbers.len() as u8 % 2) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..3
    }
    fn apply(&mut self, number: u8) {
        self.numbers.push(number);
    }
    fn reward(&self, player: Player) -> f64 {
        let is_even = self.numbers.iter().sum::<u8>() % 2 == 0;
        if (is_even == self.even) == (player == 0) { 1.0 } else { 0.0 }
    }
}

#[test]
fn a_state_that_does_not_follow_takes_the_place_of_those_kept() {
    fn means<const KEEPS: bool>() -> Vec<f32> {
        let start = Parity { numbers: Vec::new(), even: true };
        let mut search = Mcts::new(Kept::<_, KEEPS>::new(start)).backprop(Average).seed(1);
        search.run(Budget::iterations(2_000)).expect("a sound game");
        search.advance_to(1, Kept::new(Parity { numbers: vec![1], even: false })).expect("it is legal");
        let report = search.run(Budget::iterations(2_000)).expect("a sound game");
        report.actions.iter().map(|action| action.mean).collect()
    }
    assert_eq!(means::<true>(), means::<false>());
}
