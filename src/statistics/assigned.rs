//! How many visits a node assigned to a child.

use super::Statistics;
use crate::game::GameState;

/// What a node that shares out its visits ([`Shot`](crate::selection::Shot)) assigned to a child. 12 bytes.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Assigned {
    /// Up to how many visits the child was assigned.
    pub goal: u32,
    /// How many visits the node was to have in the end when it assigned them: the rounds are of that time.
    pub of: u32,
    /// The rounds that the child came through.
    pub round: u32,
}

impl<G: GameState, R> Statistics<G, R> for Assigned {
    type Trace = ();
}
