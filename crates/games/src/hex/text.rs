//! The text format of Hex.

use super::{Cell, Hex, MAX_SIZE, Stones, Swap, seen_by};
use crate::ParseError;
use crate::text::{Lines, mark, status};
use core::fmt;
use core::str::FromStr;
use ramure::{GameState, Player};

const MARKS: [char; 2] = ['X', 'O'];

const HEADER: &str = "the letters of the columns, `a b c ...`";

/// Enough for any set-up, and few enough that a game after it still counts its moves.
const MOST_PASSES: u16 = 60_000;

const PASSES: &str = "`passes:` and a number from 0 to 60000";

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = if self.size < 10 { 1 } else { 2 };
        write!(f, "{:width$}", "")?;
        for column in 0..self.size {
            write!(f, " {}", char::from(b'a' + column))?;
        }
        for row in 0..self.size {
            write!(f, "\n{:indent$}{:width$}", "", row + 1, indent = usize::from(row))?;
            for column in 0..self.size {
                write!(f, " {}", mark(MARKS, self.cell(row, column)))?;
            }
        }
        let swap = match self.swap {
            Swap::Off => "off",
            Swap::On => "on",
            Swap::Taken => "taken",
        };
        write!(f, "\nswap: {swap}")?;
        if self.passes() > 0 {
            write!(f, "\npasses: {}", self.passes())?;
        }
        write!(f, "\nmoves: {}\nstatus: {}", self.played, status(MARKS, self.winner(), self.turn()))
    }
}

impl FromStr for Hex {
    type Err = ParseError;

    /// Parses what `Display` prints. The lines `swap:` (`off` if missing), `passes:` (`0`), `moves:` and
    /// `status:` are optional, and so is the indentation. This accepts exactly the positions that can be
    /// reached, with so many [passes](Hex::with_turn).
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut lines = Lines::of(text);
        let header = lines.next(HEADER)?;
        let size = header.characters().count();
        for ((column, found), letter) in header.characters().zip('a'..) {
            if size <= usize::from(MAX_SIZE) && found != letter {
                return Err(header.wrong_at(column, found, HEADER));
            }
        }
        super::check_size(size)?;
        let mut state = Hex::new(size as u8)?;
        let mut cells: [Vec<Cell>; 2] = [Vec::new(), Vec::new()];
        for row in 0..state.size {
            let line = lines.next("a row of cells")?.after_number(row + 1)?;
            line.read_exactly(size, "`.`, `X` or `O`", |column, _, found| {
                let player = MARKS.iter().position(|&mark| mark == found);
                if let Some(player) = player {
                    cells[player].extend(Cell::new(row, column as u8));
                }
                player.is_some() || found == '.'
            })?;
        }
        if lines.starts_with("swap:") {
            let line = lines.next("`swap:`")?;
            state.swap = match line.value("swap:") {
                Some("off") => Swap::Off,
                Some("on") => Swap::On,
                Some("taken") => Swap::Taken,
                _ => return Err(line.wrong("`swap: off`, `swap: on` or `swap: taken`")),
            };
        }
        let mut passes = 0;
        if lines.starts_with("passes:") {
            let line = lines.next("`passes:`")?;
            let number = line.value("passes:").and_then(|number| number.parse().ok());
            passes = number.filter(|&passes| passes <= MOST_PASSES).ok_or_else(|| line.wrong(PASSES))?;
        }
        state.fill(cells, passes)?;
        lines.end(state.played.into(), &status(MARKS, state.winner(), state.turn()))?;
        Ok(state)
    }
}

impl Hex {
    /// Puts the stones of a text on the empty board.
    fn fill(&mut self, cells: [Vec<Cell>; 2], passes: u16) -> Result<(), ParseError> {
        let [first, second] = [cells[0].len() as u16, cells[1].len() as u16];
        let swapped = self.swap == Swap::Taken;
        self.played = first + second + passes + u16::from(swapped);
        let turns = [self.played.div_ceil(2), self.played / 2];
        // After a swap, the player who swapped has a stone for each turn, and the other lost the first one. Each
        // has as many turns as stones and passes.
        let fits = |lost: [u16; 2]| first + lost[0] <= turns[0] && second + lost[1] <= turns[1];
        let is_possible = match self.swap {
            Swap::Taken => second > 0 && fits([1, 0]) || first > 0 && passes > 0 && fits([1, 1]),
            // A pass after the first stone would have declined the swap.
            Swap::On if first + second == 1 => second == u16::from(self.player() == 0),
            Swap::On if first.min(second) == 0 => first + second == 0,
            _ => fits([0, 0]),
        };
        if !is_possible {
            return Err(ParseError::Counts { first: first.into(), second: second.into() });
        }
        for (player, cells) in (0..).zip(&cells) {
            for &cell in cells {
                self.place(player, cell);
            }
        }
        // At most one player has joined their sides: two such chains would cross.
        let last: Player = self.player() ^ 1;
        self.won = self.stones[usize::from(last)].join(self.size);
        let lost = self.stones[usize::from(last ^ 1)].join(self.size);
        if lost || self.won && !self.some_stone_decides(last, &cells[usize::from(last)]) {
            return Err(ParseError::PlayedOn);
        }
        Ok(())
    }

    /// Returns whether there is a stone without which `player` would not have won. The last stone must have
    /// been such a stone.
    fn some_stone_decides(&self, player: Player, cells: &[Cell]) -> bool {
        cells.iter().any(|&left_out| {
            let mut stones = Stones::none();
            for &cell in cells.iter().filter(|&&cell| cell != left_out) {
                let (row, column) = seen_by(player, cell);
                stones.place(row, column);
            }
            !stones.join(self.size)
        })
    }
}
