//! Counts of lines of play, called *perft* in chess: a game with wrong rules has other counts than the
//! published ones. This file counts; the others in the folder compare counts with a table and split them by
//! the first action. Uses `game` only.

mod divide;
mod error;
mod table;
mod walk;

pub use divide::{Divide, divide};
pub use error::TableError;
pub use table::perft_table;

use super::outcome::winners;
use core::fmt;
use ramure::{GameState, Player, Turn};
use walk::walk;

/// Counts the lines of play from `state` of 1, 2, ..., `depth` actions.
///
/// A line is a sequence of actions of any players; outcomes of chance count as actions, whatever their
/// probability. A line ends when the game is over. The counts of most well-known games are published. If all
/// counts agree, the generation of actions, their application and the detection of the end are correct up to
/// that depth. [`perft_table`] does the comparison.
///
/// **Who needs it:** authors of the rules of a game.
///
/// # Cost
///
/// The time grows with the number of lines; a fast game has tens of millions of lines per second. The memory
/// grows with the depth, not with the number of lines: a state and its actions for each action of a line,
/// reused by the next line. The function does not recurse, so lines may have any length.
///
/// # Example
///
/// ```
/// use ramure_games::TicTacToe;
///
/// let perft = ramure_rules::perft(&TicTacToe::new(), 6);
/// assert_eq!(perft.rows[4].lines, 9 * 8 * 7 * 6 * 5);
/// assert_eq!((perft.rows[5].finished, perft.rows[5].wins[1]), (5328, 5328));
/// assert_eq!(
///     perft.to_string(),
///     "# depth  lines  finished  wins of 0  wins of 1
///       1      9         0          0          0
///       2     72         0          0          0
///       3    504         0          0          0
///       4   3024         0          0          0
///       5  15120      1440       1440          0
///       6  54720      5328          0       5328
/// ",
/// );
/// ```
///
/// # Panics
///
/// Panics if the game panics or [fails](ramure::fail).
pub fn perft<G: GameState>(state: &G, depth: usize) -> Perft {
    let players = state.players();
    let mut rows: Vec<PerftRow> = Vec::new();
    walk(state, depth, |ply, state| {
        if rows.len() < ply {
            rows.push(PerftRow::zero(ply, players));
        }
        rows[ply - 1].add(state)
    });
    if rows.len() < depth {
        rows.push(PerftRow::zero(rows.len() + 1, players));
    }
    Perft { rows }
}

/// The lines of play from a state, counted by [`perft`].
///
/// It prints as a table that [`perft_table`] reads.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Perft {
    /// The rows, one for each depth from 1 on. If no line is as long as asked for, the last row is the first
    /// one without lines: it is all zeros, as those of greater depths would be.
    pub rows: Vec<PerftRow>,
}

/// The counts of the lines of one length.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct PerftRow {
    /// The length of the lines, in actions.
    pub depth: usize,
    /// The number of sequences of exactly this many actions.
    pub lines: u64,
    /// The number of them whose last action ends the game.
    pub finished: u64,
    /// The number of those that each player wins, alone or with others: nobody's reward is greater, and not
    /// all are the same; in a game of one player, it is above 1/2. It has one entry per player.
    pub wins: Vec<u64>,
    /// The number of those that no player wins.
    pub draws: u64,
}

/// A column of [`PerftRow`], and its name in a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Column {
    Lines,
    Finished,
    Wins(Player),
}

impl Perft {
    /// Returns a count; 0 if there is no such row or no such player.
    fn count(&self, depth: usize, column: Column) -> u64 {
        let row = depth.checked_sub(1).and_then(|index| self.rows.get(index));
        row.map_or(0, |row| row.count(column))
    }
}

impl PerftRow {
    fn zero(depth: usize, players: u8) -> Self {
        PerftRow { depth, lines: 0, finished: 0, wins: vec![0; players.into()], draws: 0 }
    }

    /// Returns a count; 0 if there is no such player.
    fn count(&self, column: Column) -> u64 {
        match column {
            Column::Lines => self.lines,
            Column::Finished => self.finished,
            Column::Wins(player) => self.wins.get(usize::from(player)).copied().unwrap_or(0),
        }
    }

    /// Counts a line that leads to `state`; returns whether it goes on.
    #[inline(always)]
    fn add<G: GameState>(&mut self, state: &G) -> bool {
        self.lines += 1;
        let over = state.turn() == Turn::Over;
        if over {
            self.finished += 1;
            let winners = winners(self.wins.len() as Player, |player| state.reward(player));
            self.draws += u64::from(winners.is_empty());
            winners.iter().for_each(|winner| self.wins[usize::from(winner)] += 1);
        }
        !over
    }
}

impl fmt::Display for Perft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let players = self.rows.iter().map(|row| row.wins.len()).max().unwrap_or(0);
        let columns = columns().take(2 + players).map(|column| (column.to_string(), column));
        let columns = Vec::from_iter(columns);
        write!(f, "# depth")?;
        let widths = columns.iter().map(|(name, column)| {
            let greatest = self.rows.iter().map(|row| row.count(*column)).max().unwrap_or(0);
            greatest.to_string().len().max(name.len())
        });
        let widths: Vec<usize> = widths.collect();
        for ((name, _), &width) in columns.iter().zip(&widths) {
            write!(f, "  {name:>width$}")?;
        }
        writeln!(f)?;
        for row in &self.rows {
            write!(f, "{:>7}", row.depth)?;
            for ((_, column), &width) in columns.iter().zip(&widths) {
                write!(f, "  {:>width$}", row.count(*column))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// The columns in the order of a row.
fn columns() -> impl Iterator<Item = Column> {
    [Column::Lines, Column::Finished].into_iter().chain((0..=Player::MAX).map(Column::Wins))
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Column::Lines => f.write_str("lines"),
            Column::Finished => f.write_str("finished"),
            Column::Wins(player) => write!(f, "wins of {player}"),
        }
    }
}
