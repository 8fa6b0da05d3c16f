//! The result of a look-ahead.

use core::fmt;

/// The result of [`Minimax`](crate::Minimax) or [`AlphaBeta`](crate::AlphaBeta).
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct LookAhead<A> {
    /// The best action; among equals, the one that was tried first. That is the first in the order of the
    /// game, unless the search orders them by evaluation or by the line of an earlier step.
    pub action: A,
    /// The reward that the player to move gets if all players play as assumed, in [0, 1].
    pub value: f64,
    /// The maximum depth of the search, in actions.
    pub depth: u32,
    /// The number of states visited, without the initial one.
    pub nodes: u64,
    /// The actions that all players are assumed to play, up to the horizon or to a chance node.
    pub line: Vec<A>,
}

impl<A: fmt::Debug> fmt::Display for LookAhead<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "value {:.4}, {} actions deep, {} states; line:", self.value, self.depth, self.nodes)?;
        self.line.iter().try_for_each(|action| write!(f, " {action:?}"))
    }
}
