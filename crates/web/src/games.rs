//! The games of the page, and their positions as text.

use crate::searches::OnPage;
use crate::settings::{Effort, Settings};
use crate::table::{AnyTable, Table, TableError};
use core::fmt;
use ramure::games::hex::Hex;
use ramure::games::sudo_tic_tac_toe::Mode;
use ramure::games::{Connect4, SudoTicTacToe, TicTacToe};
use serde::Serialize;

/// A game that the page offers.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Game {
    /// The name in links.
    pub word: &'static str,
    /// The name on the page.
    pub title: &'static str,
    /// The names of the first and the second player.
    pub players: [&'static str; 2],
    /// The rules in short.
    pub rules: &'static str,
    /// The effort of the levels easy, medium and hard.
    pub levels: [Effort; 3],
    /// The iterations with which the analyst judges each position of a game.
    pub review: u64,
}

/// Returns the levels of a game. Hard is the same everywhere: two seconds a move.
const fn levels(easy: u64, medium: u64) -> [Effort; 3] {
    [Effort::Iterations(easy), Effort::Iterations(medium), Effort::Millis(2_000)]
}

/// The games.
pub const GAMES: [Game; 7] = [
    Game {
        word: "connect4",
        title: "Connect 4",
        players: ["Red", "Yellow"],
        rules: "Four in a row win: across, up or diagonally. A stone falls to the lowest free cell of its column.",
        levels: levels(40, 800),
        review: 60_000,
    },
    Game {
        word: "hex-5",
        title: "Hex 5 × 5",
        players: ["Orange", "Blue"],
        rules: HEX,
        levels: levels(150, 3_000),
        review: 30_000,
    },
    Game {
        word: "hex-7",
        title: "Hex 7 × 7",
        players: ["Orange", "Blue"],
        rules: HEX,
        levels: levels(300, 6_000),
        review: 20_000,
    },
    Game {
        word: "hex-11",
        title: "Hex 11 × 11",
        players: ["Orange", "Blue"],
        rules: HEX,
        levels: levels(700, 15_000),
        review: 8_000,
    },
    Game {
        word: "tic-tac-toe",
        title: "Tic-Tac-Toe",
        players: ["Cross", "Circle"],
        rules: "Three in a row win: across, down or diagonally.",
        levels: levels(15, 60),
        review: 10_000,
    },
    Game {
        word: "sudo-tic-tac-toe",
        title: "Sudo Tic-Tac-Toe",
        players: ["Cross", "Circle"],
        rules: "Nine boards. Your cell sends the other player to the board at the same place. The player who first wins a board wins the game.",
        levels: levels(100, 2_000),
        review: 20_000,
    },
    Game {
        word: "ultimate-tic-tac-toe",
        title: "Ultimate Tic-Tac-Toe",
        players: ["Cross", "Circle"],
        rules: "Nine boards. Your cell sends the other player to the board at the same place. Three won boards in a row win the game.",
        levels: levels(100, 2_000),
        review: 20_000,
    },
];

const HEX: &str = "Orange joins top and bottom, Blue joins left and right. The second player may swap: take over the first stone.";

/// A text that is no position of a game.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum LinkError {
    /// There is no game of this name.
    Game(String),
    /// An action is not legal where it stands.
    Action {
        /// The number of actions before it.
        index: usize,
        /// The action.
        action: String,
    },
    /// The settings of a player are wrong.
    Settings(String),
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinkError::Game(found) => {
                write!(f, "there is no game `{found}`; the games are ")?;
                for (index, game) in GAMES.iter().enumerate() {
                    write!(f, "{}{}", if index > 0 { ", " } else { "" }, game.word)?;
                }
                // Two letters may be wrong. (The words are of ASCII, and the text may be long.)
                let near =
                    GAMES.iter().map(|game| (distance(found.as_bytes(), game.word.as_bytes()), game.word));
                match near.min() {
                    Some((0..=2, word)) => write!(f, "; did you mean `{word}`?"),
                    _ => Ok(()),
                }
            }
            LinkError::Action { index, action } => {
                write!(f, "`{action}`, action {} of the link, is not legal there", index + 1)
            }
            LinkError::Settings(error) => f.write_str(error),
        }
    }
}

/// Returns how many letters are to be inserted, deleted or changed to get from one text to the other. Counts to
/// the end only if their lengths are alike.
fn distance(from: &[u8], to: &[u8]) -> usize {
    if from.len().abs_diff(to.len()) > 2 {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.iter().enumerate() {
        let mut corner = core::mem::replace(&mut row[0], i + 1);
        for (j, b) in to.iter().enumerate() {
            let least = (corner + usize::from(a != b)).min(row[j] + 1).min(row[j + 1] + 1);
            corner = core::mem::replace(&mut row[j + 1], least);
        }
    }
    row[to.len()]
}

ramure::debug_as_sentence!(LinkError);

impl core::error::Error for LinkError {}

/// Sets up a position. `link` is the word of a game, and after a slash the actions that led to the position,
/// separated by commas, as in `connect4/3,3,2`.
///
/// # Errors
///
/// Returns an error if there is no such game, an action is not legal, or the settings are wrong.
pub fn open(link: &str, settings: [Settings; 2]) -> Result<Box<dyn AnyTable>, LinkError> {
    let (word, actions) = link.split_once('/').unwrap_or((link, ""));
    // A text of any length can come in a link, and an error shows it.
    let unknown = || LinkError::Game(word.chars().take(40).collect());
    let game = GAMES.iter().find(|game| game.word == word).ok_or_else(unknown)?;
    let hex = |size| Hex::new(size).map(Hex::with_swap).map_err(|_| unknown());
    match word {
        "hex-5" => start(game, hex(5)?, actions, settings),
        "hex-7" => start(game, hex(7)?, actions, settings),
        "hex-11" => start(game, hex(11)?, actions, settings),
        "tic-tac-toe" => start(game, TicTacToe::new(), actions, settings),
        "sudo-tic-tac-toe" => start(game, SudoTicTacToe::new(Mode::LocalWin), actions, settings),
        "ultimate-tic-tac-toe" => start(game, SudoTicTacToe::new(Mode::Ultimate), actions, settings),
        _ => start(game, Connect4::new(), actions, settings),
    }
}

fn start<G: OnPage>(
    game: &'static Game,
    state: G,
    actions: &str,
    settings: [Settings; 2],
) -> Result<Box<dyn AnyTable>, LinkError> {
    let mut table =
        Table::new(game, state, settings).map_err(|error| LinkError::Settings(error.to_string()))?;
    for (index, action) in actions.split(',').filter(|action| !action.is_empty()).enumerate() {
        match table.play(action) {
            Ok(()) => {}
            Err(TableError::Illegal(action)) => return Err(LinkError::Action { index, action }),
            Err(error) => return Err(LinkError::Settings(error.to_string())),
        }
    }
    Ok(Box::new(table))
}
