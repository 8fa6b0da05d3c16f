//! What a look ahead found.

use core::fmt;

/// What [`Minimax`](super::Minimax) or [`AlphaBeta`](super::AlphaBeta) found.
#[derive(Clone, PartialEq, Debug)]
pub struct LookAhead<A> {
    /// The best action, the first in the game's order among equals.
    pub action: A,
    /// What it brings the player to move if all play as supposed, in [0, 1].
    pub value: f64,
    /// How many actions deep, at most.
    pub depth: u32,
    /// States looked at, this one not counted.
    pub nodes: u64,
    /// The line that all are supposed to play, up to the horizon or to chance's turn.
    pub line: Vec<A>,
}

impl<A: fmt::Debug> fmt::Display for LookAhead<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "value {:.4}, {} actions deep, {} states; line:", self.value, self.depth, self.nodes)?;
        self.line.iter().try_for_each(|action| write!(f, " {action:?}"))
    }
}
