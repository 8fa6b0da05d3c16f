//! Chomp: a bar of chocolate of 3 x 4 squares. The players take turns to bite off a square with all squares
//! below and to the right of it. The player who takes the first square is poisoned and loses.
//!
//! An index and a text depend on an action alone, so here the mistake belongs to the type.

use super::Unreadable;
use ramure::{ActionIndex, GameState, Player, Turn};
use std::fmt;
use std::str::FromStr;

mistakes! {
    /// I number the squares by `row * 3 + column`, but a row has four.
    IndicesOfNarrowRows,
    /// I number the squares from 1, as they are printed.
    IndicesFromOne,
    /// I print rows and columns from 1, but read them from 0.
    ReadsFromZero,
    /// I print the column first, but read the row first.
    ReadsRowFirst,
}

const ROWS: u8 = 3;
const COLUMNS: u8 = 4;

/// A square to bite off, with the mistake of this number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Square<const MISTAKE: usize> {
    row: u8,
    column: u8,
}

/// A position.
#[derive(Clone, Debug)]
pub struct Chomp<const MISTAKE: usize> {
    /// The number of squares left in each row.
    left: [u8; ROWS as usize],
    player: Player,
}

impl<const MISTAKE: usize> Chomp<MISTAKE> {
    /// Returns the whole bar.
    pub fn new() -> Self {
        Chomp { left: [COLUMNS; ROWS as usize], player: 0 }
    }
}

impl<const MISTAKE: usize> GameState for Chomp<MISTAKE> {
    type Action = Square<MISTAKE>;

    fn turn(&self) -> Turn {
        if self.left == [0; ROWS as usize] { Turn::Over } else { Turn::Player(self.player) }
    }
    fn actions(&self) -> impl IntoIterator<Item = Square<MISTAKE>> {
        let rows = (0..ROWS).zip(self.left);
        rows.flat_map(|(row, left)| (0..left).map(move |column| Square { row, column }))
    }
    fn apply(&mut self, square: Square<MISTAKE>) {
        for left in &mut self.left[usize::from(square.row)..] {
            *left = square.column.min(*left);
        }
        self.player = 1 - self.player;
    }
    fn reward(&self, player: Player) -> f64 {
        f64::from(u8::from(player == self.player))
    }
}

impl<const MISTAKE: usize> ActionIndex for Chomp<MISTAKE> {
    const ACTION_COUNT: usize = ROWS as usize * COLUMNS as usize;

    fn action_index(square: Square<MISTAKE>) -> usize {
        let (row, column) = (usize::from(square.row), usize::from(square.column));
        match Mistake::numbered(MISTAKE) {
            Mistake::IndicesOfNarrowRows => row * usize::from(ROWS) + column,
            Mistake::IndicesFromOne => row * usize::from(COLUMNS) + column + 1,
            _ => row * usize::from(COLUMNS) + column,
        }
    }
}

impl<const MISTAKE: usize> fmt::Display for Square<MISTAKE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.column + 1, self.row + 1)
    }
}

impl<const MISTAKE: usize> FromStr for Square<MISTAKE> {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let (column, row) = text.split_once(',').ok_or(Unreadable)?;
        let number = |text: &str| text.parse::<u8>().map_err(|_| Unreadable);
        let (column, row) = (number(column)?, number(row)?);
        match Mistake::numbered(MISTAKE) {
            Mistake::ReadsFromZero => Ok(Square { row, column }),
            Mistake::ReadsRowFirst => Ok(Square { row: column - 1, column: row - 1 }),
            _ => Ok(Square { row: row - 1, column: column - 1 }),
        }
    }
}
