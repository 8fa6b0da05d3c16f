//! [`LeafError`]: what an iteration came to in place of rewards.

use super::line_of_play::LineOfPlay;
use super::{Leaf, Trace};
use crate::game::{Cause, GameState};

/// Why an iteration has no rewards, and where it was then.
pub(crate) struct LeafError {
    pub cause: Cause,
    /// The number of actions from the root of the search.
    pub ply: u32,
    pub line: LineOfPlay,
}

impl LeafError {
    /// Returns the error of an iteration that is at `leaf`, to which these `actions` led. `iteration` is its
    /// number, for the guess that it made, if it made one.
    #[cold]
    pub fn new<G: GameState, T: Trace<G>>(
        leaf: &Leaf<G, T>,
        cause: Cause,
        actions: Vec<String>,
        iteration: u32,
    ) -> Box<Self> {
        let guess = leaf.seed_of_guess();
        let line = LineOfPlay { actions, guess, iteration: guess.map_or(0, |_| iteration) };
        Box::new(LeafError { cause, ply: leaf.ply(), line })
    }
}
