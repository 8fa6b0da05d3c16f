//! The actions of Hex and their text format.

use super::MAX_SIZE;
use crate::ParseError;
use core::fmt;
use core::num::NonZeroU8;
use core::str::FromStr;

/// A cell of the board. As text, `b3` is the second column of the third row; `a1` is the top left cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    // Counted from 1, so that an action fits into two bytes.
    row: NonZeroU8,
    column: NonZeroU8,
}

impl Cell {
    /// Returns the cell in this row and column, both counted from 0 at the top left; `None` if it is off the
    /// largest board.
    #[inline]
    pub fn new(row: u8, column: u8) -> Option<Self> {
        (row < MAX_SIZE && column < MAX_SIZE).then(|| Cell::one_based(row + 1, column + 1))
    }

    /// Returns the row, 0 at the top.
    #[inline]
    pub fn row(self) -> u8 {
        self.row.get() - 1
    }

    /// Returns the column, 0 at the left.
    #[inline]
    pub fn column(self) -> u8 {
        self.column.get() - 1
    }

    #[inline(always)]
    pub(super) fn one_based(row: u8, column: u8) -> Self {
        let one_or_more = |number| NonZeroU8::new(number).unwrap_or(NonZeroU8::MIN);
        Cell { row: one_or_more(row), column: one_or_more(column) }
    }

    #[inline(always)]
    pub(super) fn one_based_row(self) -> u8 {
        self.row.get()
    }

    #[inline(always)]
    pub(super) fn one_based_column(self) -> u8 {
        self.column.get()
    }
}

/// An action in Hex.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HexAction {
    /// Places a stone on this cell.
    Place(Cell),
    /// Takes over the opponent's first stone, mirrored; `swap` as text. Only with the swap rule, see
    /// [`Hex::with_swap`](super::Hex::with_swap).
    Swap,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column()), self.row)
    }
}

impl fmt::Display for HexAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HexAction::Place(cell) => cell.fmt(f),
            HexAction::Swap => f.write_str("swap"),
        }
    }
}

const EXPECTED: &str =
    "the letter of a column and the number of a row, `a1` to `s19` on the largest board, or `swap`";

impl FromStr for Cell {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (column, row) = match *text.trim().as_bytes() {
            [letter @ b'a'..=b's', row @ b'1'..=b'9'] => (letter - b'a', row - b'1'),
            [letter @ b'a'..=b's', b'1', row @ b'0'..=b'9'] => (letter - b'a', row - b'0' + 9),
            _ => return Err(ParseError::action(text, EXPECTED)),
        };
        Cell::new(row, column).ok_or_else(|| ParseError::action(text, EXPECTED))
    }
}

impl FromStr for HexAction {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        if text.trim() == "swap" { Ok(HexAction::Swap) } else { text.parse().map(HexAction::Place) }
    }
}
