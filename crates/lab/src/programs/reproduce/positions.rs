//! Positions to search from: what random play leads to.

use ramure::{GameState, Rng, Turn};

/// The random numbers of one of many independent pieces of work.
pub fn stream(seed: u64, index: usize) -> Rng {
    Rng::seeded(Rng::seeded(seed).bits().wrapping_add(index as u64))
}

/// A running game after so many random actions. Games that end earlier are thrown away: there must be longer ones.
pub fn random_position<G: GameState>(start: &G, actions: u32, rng: &mut Rng) -> G {
    loop {
        let mut state = start.clone();
        for _ in 0..actions {
            match state.random_action(rng) {
                Some(action) => state.apply(action),
                None => break,
            }
        }
        if state.turn() != Turn::Over {
            return state;
        }
    }
}

/// The same, and such that no action ends the game: to search from there is some work.
pub fn quiet_position<G: GameState>(start: &G, actions: u32, rng: &mut Rng) -> G {
    loop {
        let state = random_position(start, actions, rng);
        let ends = |action| {
            let mut next = state.clone();
            next.apply(action);
            next.turn() == Turn::Over
        };
        if !state.actions().into_iter().any(ends) {
            return state;
        }
    }
}
