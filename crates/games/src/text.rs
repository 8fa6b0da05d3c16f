//! Reading and writing text, shared by the four games.

use super::ParseError;
use core::iter::Peekable;
use ramure::{Player, Turn};

/// The lines of a text that are not blank, each with its number.
pub(super) struct Lines<'a> {
    rest: Peekable<core::iter::Enumerate<core::str::Lines<'a>>>,
}

/// A line with its number.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub(super) number: usize,
    pub(super) text: &'a str,
    /// The number of characters read before `text`.
    skipped: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Lines { rest: text.lines().enumerate().peekable() }
    }

    /// Returns the next line, or the error that `expected` is missing.
    pub(super) fn next(&mut self, expected: &'static str) -> Result<Line<'a>, ParseError> {
        self.next_or_end().ok_or(ParseError::Missing { expected })
    }

    /// Returns the next line, or `None` at the end of the text.
    pub(super) fn next_or_end(&mut self) -> Option<Line<'a>> {
        self.rest
            .by_ref()
            .map(|(index, text)| Line { number: index + 1, text, skipped: 0 })
            .find(|line| !line.text.trim().is_empty())
    }

    /// Returns whether the next line starts with `key`.
    pub(super) fn starts_with(&mut self, key: &str) -> bool {
        while self.rest.next_if(|(_, text)| text.trim().is_empty()).is_some() {}
        self.rest.peek().is_some_and(|(_, text)| text.trim_start().starts_with(key))
    }

    /// Reads the optional lines `moves:` and `status:`, up to the end of the text.
    pub(super) fn end(&mut self, played: u32, status: &str) -> Result<(), ParseError> {
        if self.starts_with("moves:") {
            let line = self.next("`moves:`")?;
            if line.value("moves:") != Some(played.to_string().as_str()) {
                return Err(ParseError::Moves { line: line.number, counted: played });
            }
        }
        if self.starts_with("status:") {
            let line = self.next("`status:`")?;
            if line.value("status:") != Some(status) {
                return Err(ParseError::Status { line: line.number });
            }
        }
        self.finish()
    }

    /// Checks that there are no more lines.
    pub(super) fn finish(&mut self) -> Result<(), ParseError> {
        self.next_or_end().map_or(Ok(()), |line| Err(line.wrong("the end of the text")))
    }
}

impl<'a> Line<'a> {
    /// Returns the error that something else was expected.
    pub(super) fn wrong(&self, expected: &'static str) -> ParseError {
        ParseError::Line { line: self.number, expected }
    }

    /// Returns the error that another character was expected in this column.
    pub(super) fn wrong_at(&self, column: usize, found: char, expected: &'static str) -> ParseError {
        ParseError::Character { line: self.number, column, found, expected }
    }

    /// Returns the text after `key`.
    pub(super) fn value(&self, key: &str) -> Option<&'a str> {
        self.text.trim().strip_prefix(key).map(str::trim)
    }

    /// Returns the line without its leading number, which must be `number`.
    pub(super) fn after_number(&self, number: u8) -> Result<Line<'a>, ParseError> {
        let rest = self.text.trim_start();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (found, rest) = rest.split_at(digits);
        if found.parse() != Ok(number) {
            return Err(self.wrong("the number of the row and its cells"));
        }
        Ok(Line { text: rest, skipped: self.text.chars().count() - rest.chars().count(), ..*self })
    }

    /// Returns the characters that are not white space, each with its column.
    pub(super) fn characters(&self) -> impl Iterator<Item = (usize, char)> + use<'a> {
        (self.skipped + 1..).zip(self.text.chars()).filter(|(_, found)| !found.is_whitespace())
    }

    /// Calls `read` with the index, the column and the character of each of exactly `count` characters.
    /// `read` returns whether it accepts the character.
    pub(super) fn read_exactly(
        &self,
        count: usize,
        expected: &'static str,
        mut read: impl FnMut(usize, usize, char) -> bool,
    ) -> Result<(), ParseError> {
        let mut seen = 0;
        for (index, (column, found)) in self.characters().enumerate() {
            if index >= count {
                return Err(self.wrong_at(column, found, "the end of the line"));
            }
            if !read(index, column, found) {
                return Err(self.wrong_at(column, found, expected));
            }
            seen += 1;
        }
        if seen == count { Ok(()) } else { Err(self.wrong("a longer line")) }
    }
}

/// Returns the status of a game, with the marks of the players.
pub(super) fn status(marks: [char; 2], winner: Option<Player>, turn: Turn) -> String {
    match (winner, turn) {
        (Some(player), _) => format!("{} has won", marks[usize::from(player)]),
        (None, Turn::Player(player)) => format!("{} to play", marks[usize::from(player)]),
        (None, _) => "draw".to_owned(),
    }
}

/// Returns the mark of the player who owns a cell, or `.` if the cell is free.
pub(super) fn mark(marks: [char; 2], cell: Option<Player>) -> char {
    cell.and_then(|player| marks.get(usize::from(player)).copied()).unwrap_or('.')
}

/// Implements `Debug` by `Display`, so that reports and failed assertions show readable boards and actions.
/// Generic parameters stand before the type, as in `#[T] List<T>`.
macro_rules! debug_as_display {
    ($($(#[$($generics:tt)+])? $type:ty),+) => {
        $(impl$(<$($generics)+>)? core::fmt::Debug for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        })+
    };
}
pub(super) use debug_as_display;
