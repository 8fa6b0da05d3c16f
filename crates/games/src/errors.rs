//! The errors of the games: for a text and for an action. Each message says what is expected.

use core::fmt;
use ramure::ParameterError;

/// The error for a text that is not an action or not a state of the game.
///
/// Lines and columns are counted from 1, in characters.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum ParseError {
    /// The text is not an action of the game.
    Action {
        /// The text, or its first 40 characters.
        found: Box<str>,
        /// The format of an action.
        expected: &'static str,
    },
    /// The text ends too early.
    Missing {
        /// The expected next part.
        expected: &'static str,
    },
    /// A line as a whole is wrong.
    Line {
        /// The number of the line.
        line: usize,
        /// The expected line.
        expected: &'static str,
    },
    /// A character is wrong.
    Character {
        /// The number of the line.
        line: usize,
        /// The number of the character in the line.
        column: usize,
        /// The character found.
        found: char,
        /// The expected characters.
        expected: &'static str,
    },
    /// The board size is out of range.
    Size(ParameterError),
    /// A stone is above a free cell.
    Floating {
        /// The number of the line.
        line: usize,
        /// The number of the character in the line.
        column: usize,
    },
    /// No order of play gives these numbers of stones.
    Counts {
        /// The number of stones of player 0.
        first: u32,
        /// The number of stones of player 1.
        second: u32,
    },
    /// Both players have won.
    BothWon,
    /// The game was over before the last stones were placed.
    PlayedOn,
    /// No last action can have led to this position.
    NoLastAction,
    /// The `next:` line names a closed board.
    BoardClosed {
        /// The number of the line.
        line: usize,
    },
    /// The `moves:` line does not match the board.
    Moves {
        /// The number of the line.
        line: usize,
        /// The number of actions that led to this board.
        counted: u32,
    },
    /// The `status:` line does not match the board.
    Status {
        /// The number of the line.
        line: usize,
    },
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseError::Action { found, expected } => {
                write!(f, "{found:?} is not an action of the game; expected {expected}")
            }
            ParseError::Missing { expected } => write!(f, "the text ends too early; expected {expected}"),
            ParseError::Line { line, expected } => write!(f, "line {line} is wrong; expected {expected}"),
            ParseError::Character { line, column, found, expected } => {
                write!(f, "line {line}, character {column} is {found:?}; expected {expected}")
            }
            ParseError::Size(error) => error.fmt(f),
            ParseError::Floating { line, column } => {
                write!(f, "the stone at line {line}, character {column} is above a free cell; move it down")
            }
            ParseError::Counts { first, second } => write!(
                f,
                "player 0 has {first} stones and player 1 has {second}, which is impossible; check the stones on the board"
            ),
            ParseError::BothWon => {
                f.write_str("both players have won; remove the stones placed after the first win")
            }
            ParseError::PlayedOn => {
                f.write_str("the game was over before the last stone; remove the stones placed after the win")
            }
            ParseError::NoLastAction => f.write_str(
                "no stone of the player who acted last leads to the `next:` board; check that line",
            ),
            ParseError::BoardClosed { line } => {
                write!(f, "line {line} names a closed board; write `next: any` instead")
            }
            ParseError::Moves { line, counted } => {
                write!(
                    f,
                    "line {line} does not match the board; write `moves: {counted}`, or remove the line"
                )
            }
            ParseError::Status { line } => {
                write!(f, "line {line} does not match the board; correct the board, or remove the line")
            }
        }
    }
}

ramure::debug_as_sentence!(ParseError);

impl core::error::Error for ParseError {}

impl ParseError {
    /// Returns the error for a text that is not an action.
    pub(super) fn action(text: &str, expected: &'static str) -> Self {
        ParseError::Action { found: text.chars().take(40).collect::<String>().into(), expected }
    }
}

impl From<ParameterError> for ParseError {
    fn from(error: ParameterError) -> Self {
        ParseError::Size(error)
    }
}

/// The error for an action that is not legal.
///
/// ```
/// use ramure_games::TicTacToe;
///
/// let mut game = TicTacToe::new();
/// game.play("5".parse()?)?;
/// let error = game.play("5".parse()?).expect_err("it is taken");
/// assert_eq!(error.to_string(), "5 is not legal: this cell is taken; choose a free one");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct IllegalAction<A> {
    /// The action.
    pub action: A,
    /// The reason why it is not legal.
    pub reason: IllegalReason,
}

impl<A: fmt::Display> fmt::Display for IllegalAction<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not legal: {}", self.action, self.reason)
    }
}

impl<A: fmt::Display> core::error::Error for IllegalAction<A> {}

impl<A: fmt::Display> fmt::Debug for IllegalAction<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ramure::__sentence(self, f)
    }
}

/// Why an action is not legal, see [`IllegalAction`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IllegalReason {
    /// The game is over.
    GameOver,
    /// The column has no free cell.
    ColumnFull,
    /// The cell is taken.
    CellTaken,
    /// The board has no such cell.
    OffTheBoard {
        /// The number of rows and of columns of the board.
        size: u8,
    },
    /// The player must play in another local board.
    OtherBoard {
        /// The board to play in, counted from 0.
        board: u8,
    },
    /// The local board is already won, so it is closed.
    BoardClosed,
    /// The action is a swap, but it is not the second action of a game with the swap rule.
    NoSwap,
    /// There are not two connected blocks of one colour.
    NoGroup,
    /// No line can be drawn there.
    NoLine,
    /// The board has no such column.
    NoColumn {
        /// The number of columns of the board.
        columns: u8,
    },
}

impl fmt::Display for IllegalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            IllegalReason::GameOver => f.write_str("the game is over; start a new one"),
            IllegalReason::ColumnFull => f.write_str("this column is full; choose another one"),
            IllegalReason::CellTaken => f.write_str("this cell is taken; choose a free one"),
            IllegalReason::OffTheBoard { size } => {
                write!(f, "this cell is off the board, which is {size} by {size}; choose another one")
            }
            IllegalReason::OtherBoard { board } => {
                write!(f, "the last action sends you to board {0}; choose a cell {0}.1 to {0}.9", board + 1)
            }
            IllegalReason::BoardClosed => {
                f.write_str("this board is already won; choose a cell in another board")
            }
            IllegalReason::NoGroup => {
                f.write_str("this is not a group of two or more connected blocks of one colour; choose another one")
            }
            IllegalReason::NoLine => f.write_str(
                "this line cannot be drawn: it needs one new point, four that are there, and room beside the other lines",
            ),
            IllegalReason::NoColumn { columns } => {
                write!(f, "this column is off the board, which has {columns} columns; choose another one")
            }
            IllegalReason::NoSwap => f.write_str(
                "a swap may only be the second action of a game with the swap rule; place a stone instead",
            ),
        }
    }
}

impl IllegalReason {
    /// Returns the error for `action`.
    pub(super) fn of<A>(self, action: A) -> IllegalAction<A> {
        IllegalAction { action, reason: self }
    }
}
