//! What can be wrong with a text, an action, a size or a problem: typed, and said in words that name what to do.

use super::bandit::MAX_ARMS;
use core::fmt;

/// A text that is no action or no state of the game.
///
/// Lines and columns are counted from 1, in characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseError {
    /// The text is no action of the game.
    Action {
        /// What an action looks like.
        expected: &'static str,
    },
    /// The text ends too early.
    Missing {
        /// What should follow.
        expected: &'static str,
    },
    /// A whole line is not what must stand there.
    Line {
        /// Which line.
        line: usize,
        /// What must stand there.
        expected: &'static str,
    },
    /// A character is not what must stand there.
    Character {
        /// Which line.
        line: usize,
        /// Which character of the line.
        column: usize,
        /// What stands there.
        found: char,
        /// What must stand there.
        expected: &'static str,
    },
    /// The board has a size that is not played.
    Size(SizeError),
    /// A stone hangs above a free cell.
    Floating {
        /// Which line.
        line: usize,
        /// Which character of the line.
        column: usize,
    },
    /// The players cannot have so many stones each.
    Counts {
        /// Stones of player 0.
        first: u32,
        /// Stones of player 1.
        second: u32,
    },
    /// Both players have won.
    BothWon,
    /// The game was over before the last stones were placed.
    PlayedOn,
    /// No last action can have led here.
    NoLastAction,
    /// The `next:` line names a board in which nothing can be played.
    BoardClosed {
        /// Which line.
        line: usize,
    },
    /// The `moves:` line does not fit the board.
    Moves {
        /// Which line.
        line: usize,
        /// How many actions led to this board.
        counted: u32,
    },
    /// The `status:` line does not fit the board.
    Status {
        /// Which line.
        line: usize,
    },
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ParseError::Action { expected } => write!(f, "this is no action of the game; write {expected}"),
            ParseError::Missing { expected } => write!(f, "the text ends too early; {expected} should follow"),
            ParseError::Line { line, expected } => write!(f, "line {line} is wrong; write {expected} there"),
            ParseError::Character { line, column, found, expected } => {
                write!(f, "line {line} has {found:?} as character {column}; write {expected} there")
            }
            ParseError::Size(error) => error.fmt(f),
            ParseError::Floating { line, column } => {
                write!(f, "the stone in line {line}, character {column}, hangs above a free cell; let it fall")
            }
            ParseError::Counts { first, second } => write!(
                f,
                "player 0 has {first} stones and player 1 has {second}, which no order of play allows; compare the board with its source"
            ),
            ParseError::BothWon => f.write_str("both players have won; remove what was played after the first win"),
            ParseError::PlayedOn => {
                f.write_str("the game was over before the last stone; remove what was played after the win")
            }
            ParseError::NoLastAction => f.write_str(
                "no stone of the player who moved last names the `next:` board; compare that line with its source",
            ),
            ParseError::BoardClosed { line } => {
                write!(f, "line {line} sends the player to a board in which nothing can be played; write `next: any` there")
            }
            ParseError::Moves { line, counted } => {
                write!(f, "line {line} does not fit the board; write `moves: {counted}` there, or leave the line out")
            }
            ParseError::Status { line } => {
                write!(f, "line {line} does not fit the board; correct the board, or leave the line out")
            }
        }
    }
}

impl core::error::Error for ParseError {}

impl From<SizeError> for ParseError {
    fn from(error: SizeError) -> Self {
        ParseError::Size(error)
    }
}

/// Why an action may not be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IllegalAction {
    /// The game is over.
    GameOver,
    /// The column has no free cell.
    ColumnFull,
    /// There is a stone on the cell.
    CellTaken,
    /// The board has no such cell.
    OffTheBoard {
        /// The number of rows and of columns of the board.
        size: u8,
    },
    /// The player must play in another local board.
    OtherBoard {
        /// In which, counted from 0.
        board: u8,
    },
    /// The local board is won, so nothing more is played in it.
    BoardClosed,
    /// Only the second action of a game may be a swap, and only with the swap rule.
    NoSwap,
}

impl fmt::Display for IllegalAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            IllegalAction::GameOver => f.write_str("the game is over; start a new one"),
            IllegalAction::ColumnFull => f.write_str("this column is full; choose another one"),
            IllegalAction::CellTaken => f.write_str("there is a stone on this cell; choose a free one"),
            IllegalAction::OffTheBoard { size } => {
                write!(f, "this cell is off the board, which is {size} by {size}; choose another one")
            }
            IllegalAction::OtherBoard { board } => {
                write!(f, "the last action sends you to board {0}; choose a cell {0}.1 to {0}.9", board + 1)
            }
            IllegalAction::BoardClosed => f.write_str("this board is won already; choose a cell of another one"),
            IllegalAction::NoSwap => f.write_str(
                "a swap may only be the second action of a game that is played with the swap rule; place a stone",
            ),
        }
    }
}

impl core::error::Error for IllegalAction {}

/// A board size that is not played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SizeError {
    /// The size asked for.
    pub size: usize,
    /// The smallest size.
    pub min: usize,
    /// The largest size.
    pub max: usize,
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a board of size {} is not played; choose a size from {} to {}",
            self.size, self.min, self.max
        )
    }
}

impl core::error::Error for SizeError {}

/// Arms of which no [`Bandit`](super::Bandit) can be made.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum BanditError {
    /// There is no arm, or there are too many.
    Arms {
        /// How many there are.
        arms: usize,
    },
    /// The probability of an arm is not in [0, 1].
    Probability {
        /// Which arm, counted from 0.
        arm: usize,
        /// Its probability.
        probability: f64,
    },
}

impl fmt::Display for BanditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            BanditError::Arms { arms } => {
                write!(f, "a bandit of {arms} arms is not played; give it 1 to {MAX_ARMS}")
            }
            BanditError::Probability { arm, probability } => {
                write!(
                    f,
                    "arm {arm}, counted from 0, wins with a probability of {probability}; it must be in [0, 1]"
                )
            }
        }
    }
}

impl core::error::Error for BanditError {}

/// A tree of which no [`PGame`](super::PGame) can be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PGameError {
    /// There would be no action.
    NoBranches,
    /// The game would be over at the start.
    NoDepth,
}

impl fmt::Display for PGameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PGameError::NoBranches => {
                "a P-game of 0 actions per state is not played; choose a branching of 1 to 255"
            }
            PGameError::NoDepth => "a P-game of 0 actions in all is not played; choose a depth of 1 to 255",
        })
    }
}

impl core::error::Error for PGameError {}
