//! Errors in a table of counts, or in the game.

use super::Divide;
use core::fmt::{self, Debug};

/// Why a game does not match a table, see [`perft_table`](super::perft_table). Lines are counted from 1.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableError<A> {
    /// A count of the game differs from the table.
    Difference {
        /// The line of the table.
        line: usize,
        /// The actions that lead to the position; empty for the initial position.
        after: Vec<A>,
        /// The length of the lines of play that were counted.
        depth: usize,
        /// The column that was counted, such as `wins of 0`.
        column: String,
        /// The count in the table.
        expected: u64,
        /// The count of the game.
        found: u64,
        /// The count of the game, split by the first action; `None` if there are more than 40 first actions.
        divide: Option<Divide<A>>,
    },
    /// The table has no rows, so it would test nothing.
    NoRows,
    /// A position has no rows.
    NoRowsBelow {
        /// The line `after ..`.
        line: usize,
    },
    /// A line starts neither with a depth nor with `after`.
    UnknownLine {
        /// The line.
        line: usize,
        /// Its first word.
        found: String,
    },
    /// The depths of a position do not ascend: a row is misplaced or repeated.
    DepthOrder {
        /// The line.
        line: usize,
        /// Its depth.
        depth: usize,
        /// The depth of the row before.
        before: usize,
    },
    /// A count is neither a whole number of 64 bits nor `-`.
    NotACount {
        /// The line.
        line: usize,
        /// The column of the count.
        column: String,
        /// The word in its place.
        found: String,
    },
    /// A row has no known count: it has only a depth, or all its counts are `-`.
    NothingKnown {
        /// The line.
        line: usize,
    },
    /// A row has more counts than there are columns for the players of the game.
    TooManyCounts {
        /// The line.
        line: usize,
        /// The number of counts in the row.
        found: usize,
        /// The number of players of the game.
        players: u8,
    },
    /// An action is missing after `after` or after a semicolon.
    MissingAction {
        /// The line.
        line: usize,
    },
    /// An action of a line `after ..` is not legal in its position.
    UnknownAction {
        /// The line.
        line: usize,
        /// The text in place of an action.
        found: String,
        /// The actions before it.
        after: Vec<A>,
        /// The legal actions; empty if the game is over.
        legal: Vec<A>,
    },
    /// Two legal actions have the same `Debug` text, so the text is ambiguous.
    AmbiguousAction {
        /// The line.
        line: usize,
        /// The text.
        found: String,
    },
}

impl<A: Debug> fmt::Display for TableError<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::Difference { line, after, depth, column, expected, found, divide } => {
                write!(
                    f,
                    "line {line}: {column} at depth {depth} {}: the table has {expected}, the game has {found}",
                    Place(after)
                )?;
                match divide {
                    Some(divide) => write!(f, "; by the first action:\n{divide}")?,
                    None => f.write_str("\n")?,
                }
                f.write_str(
                    "to find the wrong position, compare `rules::divide` with that of a correct program",
                )
            }
            TableError::NoRows => f.write_str("the table has no rows; add at least one"),
            TableError::NoRowsBelow { line } => {
                write!(f, "line {line}: this position has no rows; add at least one below it")
            }
            TableError::UnknownLine { line, found } => write!(
                f,
                "line {line}: expected a depth (a whole number from 1 on) or `after`, found {found:?}"
            ),
            TableError::DepthOrder { line, depth, before } => {
                write!(f, "line {line}: depth {depth} follows depth {before}; depths must ascend")
            }
            TableError::NotACount { line, column, found } => write!(
                f,
                "line {line}: {column}: expected a whole number, or `-` if it is unknown, found {found:?}"
            ),
            TableError::NothingKnown { line } => {
                write!(f, "line {line}: the row has no count; write the number of lines after the depth")
            }
            TableError::TooManyCounts { line, found, players } => write!(
                f,
                "line {line}: expected at most {} counts (lines, finished, wins of each of the {players} players), found {found}",
                usize::from(*players) + 2
            ),
            TableError::MissingAction { line } => {
                write!(f, "line {line}: expected an action, as in `after 3; 3; 2`, found nothing")
            }
            TableError::UnknownAction { line, found, after, legal } => {
                write!(
                    f,
                    "line {line}: expected an action that is legal {}, found {found:?}; ",
                    Place(after)
                )?;
                if legal.is_empty() {
                    return f.write_str("none is, because the game is over");
                }
                f.write_str("the legal actions are ")?;
                list(f, legal)
            }
            TableError::AmbiguousAction { line, found } => write!(
                f,
                "line {line}: {found:?} is the `Debug` text of two legal actions; each must have its own"
            ),
        }
    }
}

impl<A: Debug> core::error::Error for TableError<A> {}

impl<A: Debug> Debug for TableError<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ramure::__sentence(self, f)
    }
}

/// Prints a position as the actions that lead to it.
struct Place<'a, A>(&'a [A]);

impl<A: Debug> fmt::Display for Place<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("from the initial position");
        }
        f.write_str("after ")?;
        list(f, self.0)
    }
}

fn list<A: Debug>(f: &mut fmt::Formatter<'_>, actions: &[A]) -> fmt::Result {
    for (index, action) in actions.iter().enumerate() {
        write!(f, "{}{action:?}", if index == 0 { "" } else { "; " })?;
    }
    Ok(())
}
