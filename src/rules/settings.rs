//! What a check is told by its caller, apart from the laws.

use super::violation::Shown;
use core::hash::Hash;
use core::time::Duration;
use std::collections::HashSet;

pub(super) struct Settings<G> {
    pub initial: G,
    /// Nothing for the default.
    pub games: Option<u32>,
    /// For the breadth-first part.
    pub states: usize,
    pub longest: usize,
    pub seed: u64,
    pub patience: Duration,
    /// How a violation shows states.
    pub shown: Shown<G>,
    /// If states have hashes.
    pub new_states: Option<Box<dyn NewStates<G>>>,
}

/// Which states have been seen.
pub(super) trait NewStates<G> {
    /// Whether this one is new; from now on it is not.
    fn is_new(&mut self, state: &G) -> bool;
    fn count(&self) -> usize;
}

impl<G: Eq + Hash + Clone> NewStates<G> for HashSet<G> {
    fn is_new(&mut self, state: &G) -> bool {
        !self.contains(state) && self.insert(state.clone())
    }

    fn count(&self) -> usize {
        self.len()
    }
}
