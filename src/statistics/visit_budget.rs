//! The visits that a node assigned to a child.

use super::Statistics;
use crate::game::GameState;

/// The visits that a node assigned to a child, for policies that distribute visits
/// ([`Shot`](crate::selection::Shot)). 12 bytes.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct VisitBudget {
    /// The total number of visits that the child is to have.
    pub goal: u32,
    /// The visits that the node was to have in the end when it made the assignment. The rounds are counted
    /// for that number.
    pub of: u32,
    /// The rounds that the child has passed.
    pub round: u32,
}

impl VisitBudget {
    /// Returns whether a search can have assigned this: a part of the visits of the node, in one of its
    /// rounds, each of which halves the number of children.
    pub(super) fn is_possible(self) -> bool {
        self.goal <= self.of && self.round <= u32::BITS && (self.of > 0 || self.round == 0)
    }
}

impl<G: GameState, R> Statistics<G, R> for VisitBudget {
    type Trace = ();
}
