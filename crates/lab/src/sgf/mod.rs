//! Records of Hex in the Smart Game Format: [`read`] reads what HexGui, Little Golem and other programs write,
//! and [`HexRecord`] writes itself by `Display`.
//!
//! The format is [FF\[4\]](https://www.red-bean.com/sgf/), in which Hex is `GM[11]`. Of a game with variations,
//! the main line is read. Black is player 0 of [`Hex`], joins top and bottom, and usually begins; if White
//! begins, black passes.

mod reader;
#[cfg(test)]
mod tests;

pub use reader::{SgfError, SgfProblem, read};

use core::fmt;
use ramure::Player;
use ramure_games::hex::{Cell, HexAction};
use ramure_games::{Hex, IllegalAction, ParseError};
#[cfg(not(test))]
use std::path::Path;
use std::str::FromStr;

/// Reads the first game of a file. Characters that are not UTF-8 become `\u{fffd}`: many files are older.
#[cfg(not(test))]
pub(crate) fn read_file(path: &Path) -> Result<HexRecord, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let records = read(&String::from_utf8_lossy(&bytes)).map_err(|error| error.to_string())?;
    records.into_iter().next().ok_or_else(|| "there is no game".into())
}

/// A move in a record, or in the Hex Text Protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HexMove {
    /// Places a stone.
    Place(Cell),
    /// Takes over the first stone, mirrored: [`HexAction::Swap`]. The other player has the next turn.
    SwapPieces,
    /// Takes over the colour of the first stone, which stays where it is: the players exchange their colours.
    /// So the colour that swaps has the next turn, too.
    SwapSides,
    /// Leaves the turn to the other player.
    Pass,
    /// Gives the game up.
    Resign,
}

impl HexMove {
    /// Plays the move as `player`, also out of turn; then the other player has passed. A resignation changes
    /// nothing, nor does a pass after the end.
    ///
    /// # Errors
    ///
    /// Returns [`IllegalAction`] if the cell is taken or off the board, if a stone follows the end of the game,
    /// or if a swap is not possible.
    pub fn play(self, player: Player, position: &Hex) -> Result<Hex, IllegalAction<HexAction>> {
        let mut next = position.clone().with_turn(player);
        match self {
            HexMove::Place(cell) => next.play(HexAction::Place(cell))?,
            HexMove::SwapPieces => next.play(HexAction::Swap)?,
            HexMove::SwapSides => {
                next.clone().play(HexAction::Swap)?;
                next = next.with_turn(player ^ 1).with_turn(player);
            }
            HexMove::Pass => next = next.with_turn(player ^ 1),
            HexMove::Resign => {}
        }
        Ok(next)
    }
}

impl fmt::Display for HexMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HexMove::Place(cell) => cell.fmt(f),
            HexMove::SwapPieces => f.write_str("swap-pieces"),
            HexMove::SwapSides => f.write_str("swap-sides"),
            HexMove::Pass => f.write_str("pass"),
            HexMove::Resign => f.write_str("resign"),
        }
    }
}

impl FromStr for HexMove {
    type Err = ParseError;

    /// Reads a move in any case: a cell as in `b3`, or as two letters, `bc`, the column first; `swap-pieces` or
    /// `swap`; `swap-sides`; `pass` or nothing; `resign`.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let text = text.trim().to_ascii_lowercase();
        Ok(match text.replace(['-', '_', ' '], "").as_str() {
            "swap" | "swappieces" => HexMove::SwapPieces,
            "swapsides" => HexMove::SwapSides,
            "pass" => HexMove::Pass,
            "" if text.is_empty() => HexMove::Pass,
            "resign" | "resigns" => HexMove::Resign,
            _ => HexMove::Place(cell(&text)?),
        })
    }
}

/// Reads a cell, as in `b3` or `bc`.
fn cell(text: &str) -> Result<Cell, ParseError> {
    let letters = match *text.as_bytes() {
        [column @ b'a'..=b's', row @ b'a'..=b's'] => Cell::new(row - b'a', column - b'a'),
        _ => None,
    };
    letters.map_or_else(|| text.parse(), Ok)
}

/// A record of a game of Hex.
///
/// ```
/// use ramure_games::Hex;
/// use ramure_lab::sgf;
///
/// let text = "(;FF[4]GM[11]SZ[5];B[a3];W[swap-pieces];B[c3](;W[d2])(;W[b4]))";
/// let record = &sgf::read(text)?[0];
/// let positions = record.positions(Hex::new(record.size)?.with_swap())?;
/// assert_eq!((record.moves.len(), positions.len()), (4, 5));
/// assert!(record.to_string().ends_with("\n;B[a3];W[swap-pieces];B[c3];W[d2])\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HexRecord {
    /// The number of rows and of columns: 2 to 19.
    pub size: u8,
    /// The names of Black and White; empty if the record has none.
    pub players: [String; 2],
    /// The result as it is written, as in `B+` or `W+R`; empty if the record has none.
    pub result: String,
    /// The stones that are on the board at first, in turn as far as possible.
    pub stones: Vec<(Player, Cell)>,
    /// The player to move at first, if the record names one.
    pub turn: Option<Player>,
    /// The moves, each with its colour.
    pub moves: Vec<(Player, HexMove)>,
}

impl HexRecord {
    /// Returns the positions of the game: the first one, and the one after each move. `empty` is the empty board
    /// of the size of the record. With [`Hex::with_swap`], it allows what [`read`] allows.
    ///
    /// # Errors
    ///
    /// Returns [`IllegalAction`] if a move or a stone is not legal.
    pub fn positions(&self, empty: Hex) -> Result<Vec<Hex>, IllegalAction<HexAction>> {
        let place = |position: Hex, &(player, cell): &_| HexMove::Place(cell).play(player, &position);
        let first = self.stones.iter().try_fold(empty, place)?;
        let first = self.turn.map_or(first.clone(), |player| first.with_turn(player));
        let mut positions = vec![first];
        for &(player, action) in &self.moves {
            positions.push(action.play(player, &positions[positions.len() - 1])?);
        }
        Ok(positions)
    }
}

const COLOURS: [char; 2] = ['B', 'W'];

impl fmt::Display for HexRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let version = env!("CARGO_PKG_VERSION");
        write!(f, "(;FF[4]GM[11]CA[UTF-8]AP[ramure:{version}]SZ[{}]", self.size)?;
        let [black, white] = &self.players;
        for (name, text) in [("PB", black), ("PW", white), ("RE", &self.result)] {
            if !text.is_empty() {
                write!(f, "{name}[{}]", text.replace('\\', "\\\\").replace(']', "\\]"))?;
            }
        }
        for (player, colour) in (0..).zip(COLOURS) {
            for (index, (_, cell)) in self.stones.iter().filter(|(owner, _)| *owner == player).enumerate() {
                let name = if index == 0 { format!("\nA{colour}") } else { String::new() };
                write!(f, "{name}[{cell}]")?;
            }
        }
        if let Some(player) = self.turn {
            write!(f, "PL[{}]", COLOURS[usize::from(player & 1)])?;
        }
        for (index, (player, action)) in self.moves.iter().enumerate() {
            let start = if index % 10 == 0 { "\n" } else { "" };
            write!(f, "{start};{}[{action}]", COLOURS[usize::from(player & 1)])?;
        }
        f.write_str(")\n")
    }
}
