//! Counts of lines of play, split by their first action.

use super::walk::unless_failed;
use super::{Column, PerftRow, perft};
use core::fmt::{self, Debug};
use ramure::{GameState, Turn, take_failure};

/// Counts the lines of play of exactly `depth` actions from `state`, separately for each first action.
///
/// Use it to find the position in which a game is wrong. If a count of [`perft`] differs from that of another
/// program for the same game, divide in both programs. Play the first action whose counts differ, and divide
/// there, one action less deep. Continue down to a position in which one of the programs lists an action that
/// the other does not.
///
/// # Cost
///
/// The same as for [`perft`]. With `depth` 0 there are no parts.
///
/// # Example
///
/// ```
/// use ramure::GameState;
/// use ramure_games::Hex;
///
/// let mut game = Hex::new(2)?;
/// game.apply("a1".parse()?);
/// let divide = ramure_rules::divide(&game, 3);
/// assert_eq!(divide.total(), 4);
/// // Unless a2 is taken, player 0 ends the game there.
/// assert_eq!(divide.to_string(), "b1: 1\na2: 2\nb2: 1\ntotal: 4 lines of 3 actions\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn divide<G: GameState>(state: &G, depth: usize) -> Divide<G::Action> {
    divide_by(state, depth, Column::Lines)
}

/// The same for any column.
pub(super) fn divide_by<G: GameState>(state: &G, depth: usize, column: Column) -> Divide<G::Action> {
    take_failure(); // of a call outside of counts
    let part = |action: G::Action| {
        let mut next = state.clone();
        next.apply(action.clone());
        unless_failed();
        let count = if depth == 1 {
            let mut row = PerftRow::zero(depth, state.players());
            row.add(&next);
            unless_failed();
            row.count(column)
        } else {
            perft(&next, depth - 1).count(depth - 1, column)
        };
        (action, count)
    };
    let playable = depth > 0 && state.turn() != Turn::Over;
    let parts = if playable { state.actions().into_iter().map(part).collect() } else { Vec::new() };
    unless_failed();
    Divide { depth, column, parts }
}

/// The lines of play of one length, split by their first action; created by [`divide`].
///
/// It prints as a line `action: count` for each first action, in the order of [`GameState::actions`], and the
/// total.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Divide<A> {
    /// The length of the lines, in actions, including the first one.
    pub depth: usize,
    /// The counted quantity: the lines, or the column that differs from a table.
    pub(super) column: Column,
    /// Each first action with its count.
    pub parts: Vec<(A, u64)>,
}

impl<A> Divide<A> {
    /// Returns the sum of all parts, which is the count of [`perft`].
    pub fn total(&self) -> u64 {
        self.parts.iter().fold(0, |sum, (_, count)| sum.saturating_add(*count))
    }
}

impl<A: Debug> fmt::Display for Divide<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (action, count) in &self.parts {
            writeln!(f, "{action:?}: {count}")?;
        }
        let actions = if self.depth == 1 { "action" } else { "actions" };
        match self.column {
            Column::Lines => writeln!(f, "total: {} lines of {} {actions}", self.total(), self.depth),
            column => writeln!(f, "total: {} {column} at depth {}", self.total(), self.depth),
        }
    }
}
