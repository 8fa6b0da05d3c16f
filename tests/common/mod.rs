//! Shared parts of the integration tests: small games that test the limits of the trait, an oracle that
//! solves them by brute force, and what searches find, to the bit.

#![allow(dead_code, reason = "no test file uses all of it")]

pub mod any;
pub mod bad;
pub mod broken;
pub mod fingerprint;
pub mod four;
pub mod hashed;
pub mod kuhn;
pub mod layered;
pub mod lines;
pub mod nim;
pub mod oracle;
pub mod pig;
pub mod plans;
pub mod rows;
pub mod scripted;
pub mod simple;
pub mod tricks;
pub mod watched_games;

use ramure::simulation::{Uniform, WithPriors};
use ramure::{GameState, Report, Turn};

/// Returns `full` if the environment variable `RAMURE_DEEP` is set, as in `.ci/deep`, and `quick` otherwise.
pub fn sized<T>(quick: T, full: T) -> T {
    if std::env::var_os("RAMURE_DEEP").is_some() { full } else { quick }
}

/// Draws a random action or an outcome of chance; `None` if the game is over.
pub fn draw<G: GameState>(state: &G, rng: &mut ramure::Rng) -> Option<G::Action> {
    match state.turn() {
        Turn::Over => None,
        Turn::Chance => state.random_outcome(rng),
        _ => state.random_action(rng),
    }
}

/// Plays `length` random actions from `state`, or stops when the game is over.
pub fn wander<G: GameState>(mut state: G, length: usize, rng: &mut ramure::Rng) -> G {
    for _ in 0..length {
        match draw(&state, rng) {
            Some(action) => state.apply(action),
            None => break,
        }
    }
    state
}

/// Returns `state` after `actions`.
pub fn after<G: GameState>(state: &G, actions: impl IntoIterator<Item = G::Action>) -> G {
    let mut state = state.clone();
    for action in actions {
        assert!(state.is_legal(action.clone()), "{action:?} is not legal");
        state.apply(action);
    }
    state
}

/// Returns the player to move.
pub fn mover<G: GameState>(state: &G) -> u8 {
    match state.turn() {
        Turn::Player(player) => player,
        other => panic!("there is no player to move: {other:?}"),
    }
}

/// Returns the visits of the root's children, in the game's order.
pub fn visits<A>(report: &Report<A>) -> Vec<u32> {
    report.actions.iter().map(|action| action.visits).collect()
}

/// Pearson's statistic of `counts` against the probabilities `expected`, which sum to one.
pub fn chi_squared(counts: &[u32], expected: &[f64]) -> f64 {
    let total: f64 = counts.iter().map(|&count| f64::from(count)).sum();
    let excess = |(&count, &p): (&u32, &f64)| {
        let difference = f64::from(count) - total * p;
        difference * difference / (total * p)
    };
    counts.iter().zip(expected).map(excess).sum()
}

/// Uniform rollouts with priors that are read from a function.
pub type Informed<G> = WithPriors<Uniform, fn(&G, <G as GameState>::Action) -> f32>;

/// Returns uniform rollouts with priors. All of them for one game have one type, so searches with them are
/// compiled once.
pub fn with_priors<G: GameState>(prior: fn(&G, G::Action) -> f32) -> Informed<G> {
    WithPriors::new(Uniform, prior)
}
