//! The text format of Sudo Tic-Tac-Toe.

use super::{ANY, Cell, Mode, SudoTicTacToe};
use crate::ParseError;
use crate::text::{Line, Lines, mark, status};
use crate::three;
use core::fmt;
use core::str::FromStr;
use ramure::{GameState, Turn};

const MARKS: [char; 2] = ['X', 'O'];

const SEPARATOR: &str = "---+---+---";

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.board() + 1, self.cell() + 1)
    }
}

impl FromStr for Cell {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match *text.trim().as_bytes() {
            [board @ b'1'..=b'9', b'.', cell @ b'1'..=b'9'] => {
                Ok(Cell { board: board - b'1', cell: cell - b'1' })
            }
            _ => Err(ParseError::action(
                text,
                "the numbers of a board and of a cell, `1.1` to `9.9`, both in reading order",
            )),
        }
    }
}

impl fmt::Display for Mode {
    /// Writes `local win` or `ultimate`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mode::LocalWin => "local win",
            Mode::Ultimate => "ultimate",
        })
    }
}

impl fmt::Display for SudoTicTacToe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..9 {
            if row == 3 || row == 6 {
                writeln!(f, "{SEPARATOR}")?;
            }
            for column in 0..9 {
                if column == 3 || column == 6 {
                    f.write_str("|")?;
                }
                write!(f, "{}", mark(MARKS, self.cell(row, column)))?;
            }
            writeln!(f)?;
        }
        write!(f, "mode: {}\nnext: ", self.mode)?;
        match self.next_board() {
            Some(board) => write!(f, "{}", board + 1)?,
            None if self.turn() == Turn::Over => f.write_str("none")?,
            None => f.write_str("any")?,
        }
        write!(f, "\nmoves: {}\nstatus: {}", self.played, status(MARKS, self.winner(), self.turn()))
    }
}

impl FromStr for SudoTicTacToe {
    type Err = ParseError;

    /// Parses what `Display` prints. The lines `moves:` and `status:` are optional. This rejects positions
    /// that obviously cannot be reached: wrong numbers of marks, two winners, marks after the win, a `next:`
    /// board to which no mark of the player who acted last leads.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut lines = Lines::of(text);
        let marked = read_board(&mut lines)?;
        let line = lines.next("`mode:`")?;
        let mode = match line.value("mode:") {
            Some("local win") => Mode::LocalWin,
            Some("ultimate") => Mode::Ultimate,
            _ => return Err(line.wrong("`mode: local win` or `mode: ultimate`")),
        };
        let [first, second] = marked.map(|boards| boards.map(u16::count_ones).iter().sum());
        if first != second && first != second + 1 {
            return Err(ParseError::Counts { first, second });
        }
        let played = first + second;
        let mut state = SudoTicTacToe { marked, played: played as u8, ..Self::new(mode) };
        state.settle_all()?;
        let line = lines.next("`next:`")?;
        state.read_next(line)?;
        lines.end(played, &status(MARKS, state.winner(), state.turn()))?;
        Ok(state)
    }
}

/// Reads the nine rows with the separators between the boards.
fn read_board(lines: &mut Lines<'_>) -> Result<[[u16; 9]; 2], ParseError> {
    let mut marked = [[0; 9]; 2];
    for row in 0..9 {
        if row == 3 || row == 6 {
            let expected = "a line between the boards, `---+---+---`";
            let line = lines.next(expected)?;
            if line.text.trim() != SEPARATOR {
                return Err(line.wrong(expected));
            }
        }
        let line = lines.next("a row of nine cells")?;
        line.read_exactly(11, "`.`, `X` or `O`, and `|` after three of them", |place, _, found| {
            if place % 4 == 3 {
                return found == '|';
            }
            let (column, player) = (place - place / 4, MARKS.iter().position(|&mark| mark == found));
            if let Some(player) = player {
                marked[player][row / 3 * 3 + column / 3] |= 1 << (row % 3 * 3 + column % 3);
            }
            player.is_some() || found == '.'
        })?;
    }
    Ok(marked)
}

impl SudoTicTacToe {
    fn last_player(&self) -> usize {
        usize::from(self.played & 1 ^ 1)
    }

    /// Computes from the marks which boards are won and closed, and whether the game is won.
    fn settle_all(&mut self) -> Result<(), ParseError> {
        let mut winners = [false; 2];
        for (player, has_won) in winners.iter_mut().enumerate() {
            for board in 0..9 {
                self.won = false;
                self.update_after_mark(player, board);
                *has_won |= self.won;
            }
        }
        let last = self.last_player();
        self.won = winners[last];
        let twice = self.boards_won[0] & self.boards_won[1] != 0;
        match winners {
            [true, true] => Err(ParseError::BothWon),
            _ if winners[1 - last] || twice => Err(ParseError::PlayedOn),
            _ if self.won && !self.some_board_decides(last) => Err(ParseError::PlayedOn),
            _ => Ok(()),
        }
    }

    /// Returns whether there is a board without which `player` would not have won. The last mark must have
    /// been in such a board.
    fn some_board_decides(&self, player: usize) -> bool {
        let boards = self.boards_won[player];
        three::members(boards).any(|board| match self.mode {
            Mode::LocalWin => boards == 1 << board,
            Mode::Ultimate => !three::has_line(boards & !(1 << board)),
        })
    }

    fn read_next(&mut self, line: Line<'_>) -> Result<(), ParseError> {
        let over = self.turn() == Turn::Over;
        match line.value("next:").map(str::as_bytes) {
            Some(b"none") if over => return Ok(()),
            Some(b"any") if !over => {}
            Some(&[digit @ b'1'..=b'9']) if !over => {
                self.send_to(digit - b'1');
                if self.next == ANY {
                    return Err(ParseError::BoardClosed { line: line.number });
                }
            }
            _ if over => return Err(line.wrong("`next: none`")),
            _ => return Err(line.wrong("`next: any`, or `next:` and the number of a board, 1 to 9")),
        }
        // Some mark of the player who acted last must lead to this board, or to a closed board.
        let targets = if self.next == ANY { self.closed } else { 1 << self.next };
        let sends = self.marked[self.last_player()].iter().any(|cells| cells & targets != 0);
        let start = self.played == 0 && self.next == ANY;
        if sends || start { Ok(()) } else { Err(ParseError::NoLastAction) }
    }
}
