//! Reading and writing text, shared by the four games.

use super::ParseError;
use crate::game::Player;
use core::fmt;
use core::iter::Peekable;

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
    pub(super) fn end(&mut self, played: u32, status: Status) -> Result<(), ParseError> {
        if self.starts_with("moves:") {
            let line = self.next("`moves:`")?;
            if line.value("moves:") != Some(played.to_string().as_str()) {
                return Err(ParseError::Moves { line: line.number, counted: played });
            }
        }
        if self.starts_with("status:") {
            let line = self.next("`status:`")?;
            if line.value("status:") != Some(status.to_string().as_str()) {
                return Err(ParseError::Status { line: line.number });
            }
        }
        match self.next_or_end() {
            None => Ok(()),
            Some(line) => Err(ParseError::Line { line: line.number, expected: "the end of the text" }),
        }
    }
}

impl<'a> Line<'a> {
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
            return Err(ParseError::Line {
                line: self.number,
                expected: "the number of the row and its cells",
            });
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
                return Err(ParseError::Character {
                    line: self.number,
                    column,
                    found,
                    expected: "the end of the line",
                });
            }
            if !read(index, column, found) {
                return Err(ParseError::Character { line: self.number, column, found, expected });
            }
            seen += 1;
        }
        if seen == count {
            Ok(())
        } else {
            Err(ParseError::Line { line: self.number, expected: "a longer line" })
        }
    }
}

/// The status of a game. The characters are the marks of the players.
#[derive(Clone, Copy)]
pub(super) enum Status {
    ToPlay(char),
    Won(char),
    Draw,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::ToPlay(mark) => write!(f, "{mark} to play"),
            Status::Won(mark) => write!(f, "{mark} has won"),
            Status::Draw => f.write_str("draw"),
        }
    }
}

/// Returns the mark of the player who owns a cell, or `.` if the cell is free.
pub(super) fn mark(marks: [char; 2], cell: Option<Player>) -> char {
    cell.and_then(|player| marks.get(usize::from(player)).copied()).unwrap_or('.')
}

/// Implements `Debug` by `Display`, so that reports and failed assertions show readable boards and actions.
macro_rules! debug_as_display {
    ($($type:ty),+) => {
        $(impl core::fmt::Debug for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        })+
    };
}
pub(super) use debug_as_display;
