//! What is wrong with a table of counts, or with the game.

use super::{Divide, PerftColumn};
use core::fmt::{self, Debug};

/// Why a game does not pass a table, see [`perft_table`](super::perft_table). Lines are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TableError<A> {
    /// A count of the game is not that of the table.
    Difference {
        /// The line of the table.
        line: usize,
        /// The actions that lead to the position; none if it is the initial one.
        after: Vec<A>,
        /// The length of the lines of play that were counted.
        depth: usize,
        /// What was counted.
        column: PerftColumn,
        /// The count in the table.
        expected: u64,
        /// The count of the game.
        found: u64,
        /// The count of the game, split by the first action; `None` if there are more than 40 of them.
        divide: Option<Divide<A>>,
    },
    /// The text has no row: it would prove nothing.
    NoRows,
    /// There is no row below the line that names a position.
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
    /// The depths of a position do not ascend: a row is misplaced, or there twice.
    DepthOrder {
        /// The line.
        line: usize,
        /// Its depth.
        depth: usize,
        /// The depth of the row before.
        before: usize,
    },
    /// What should be a count is neither a number of 64 bits nor `-`.
    NotACount {
        /// The line.
        line: usize,
        /// The count that belongs there.
        column: PerftColumn,
        /// What stands there.
        found: String,
    },
    /// A row knows nothing: it has a depth alone, or all its counts are `-`.
    NothingKnown {
        /// The line.
        line: usize,
    },
    /// A row has more counts than there are columns in a game of so many players.
    TooManyCounts {
        /// The line.
        line: usize,
        /// How many counts it has.
        found: usize,
        /// The players of the game.
        players: u8,
    },
    /// `after` is not followed by an action where there must be one.
    MissingAction {
        /// The line.
        line: usize,
    },
    /// An action of a line `after ..` is not legal where it should be played.
    UnknownAction {
        /// The line.
        line: usize,
        /// What stands there.
        found: String,
        /// The actions before it.
        after: Vec<A>,
        /// What is legal there; nothing if the game is over.
        legal: Vec<A>,
    },
    /// Two legal actions have the same `Debug` text, so that it does not say which of them is meant.
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
                    "to find the position that is wrong, compare `rules::divide` with that of a program that is right",
                )
            }
            TableError::NoRows => f.write_str("the table has no row: it would prove nothing"),
            TableError::NoRowsBelow { line } => {
                write!(f, "line {line}: there is no row below, so nothing is counted from this position")
            }
            TableError::UnknownLine { line, found } => write!(
                f,
                "line {line}: expected a depth (a whole number from 1 on) or `after`, found {found:?}"
            ),
            TableError::DepthOrder { line, depth, before } => {
                write!(f, "line {line}: depth {depth} stands below depth {before}; depths must ascend")
            }
            TableError::NotACount { line, column, found } => write!(
                f,
                "line {line}: {column}: expected a whole number, or `-` where it is not known, found {found:?}"
            ),
            TableError::NothingKnown { line } => {
                write!(f, "line {line}: the row has no count; write the number of lines behind the depth")
            }
            TableError::TooManyCounts { line, found, players } => write!(
                f,
                "line {line}: expected at most {} counts (lines, finished, wins of each player, and the game has {players}), found {found}",
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
                    return f.write_str("there is none: the game is over");
                }
                f.write_str("legal are: ")?;
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

/// Prints where something is.
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
