//! The settings of a check, apart from the laws.

use super::violation::Shown;
use core::time::Duration;

pub(super) struct Settings<G> {
    pub initial: G,
    /// `None` for the default.
    pub games: Option<u32>,
    /// The limit of the breadth-first part; `None` for the default.
    pub states: Option<usize>,
    pub longest: usize,
    pub seed: u64,
    pub patience: Duration,
    /// The time limit of the whole check.
    pub time: Duration,
    /// How a violation prints states.
    pub shown: Shown<G>,
    /// Whether a state was not seen before, if states have hashes.
    pub is_new: Option<IsNew<G>>,
}

/// Returns whether a state was not seen before.
pub(super) type IsNew<G> = Box<dyn FnMut(&G) -> bool>;
