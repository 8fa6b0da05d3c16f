//! The settings of a check, apart from the laws.

use super::violation::Shown;
use core::hash::Hash;
use core::time::Duration;
use std::collections::HashSet;

pub(super) struct Settings<G> {
    pub initial: G,
    /// `None` for the default.
    pub games: Option<u32>,
    /// The limit of the breadth-first part.
    pub states: usize,
    pub longest: usize,
    pub seed: u64,
    pub patience: Duration,
    /// How a violation prints states.
    pub shown: Shown<G>,
    /// The states seen so far, if states have hashes.
    pub new_states: Option<Box<dyn NewStates<G>>>,
}

/// The set of states that have been seen.
pub(super) trait NewStates<G> {
    /// Adds a state; returns whether it was new.
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
