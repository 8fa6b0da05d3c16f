//! Positions to search, reached by random play.

use ramure::{GameState, Rng, Turn};

/// Returns the random numbers for task `index` of many independent tasks.
pub fn stream(seed: u64, index: usize) -> Rng {
    Rng::seeded(Rng::seeded(seed).bits().wrapping_add(index as u64))
}

/// Returns an unfinished game after `actions` random actions. Games that end earlier are thrown away, so some
/// games must be longer.
pub fn random_position<G: GameState>(start: &G, actions: u32, rng: &mut Rng) -> G {
    loop {
        let mut state = start.clone();
        for _ in 0..actions {
            let drawn = match state.turn() {
                Turn::Over => None,
                Turn::Chance => state.random_outcome(rng),
                _ => state.random_action(rng),
            };
            match drawn {
                Some(action) => state.apply(action),
                None => break,
            }
        }
        if state.turn() != Turn::Over {
            return state;
        }
    }
}

/// Returns a [`random_position`] in which no action ends the game, so that a search has some work to do.
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
