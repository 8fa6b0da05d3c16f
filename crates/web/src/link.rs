//! Positions as texts, which stand in links.

use crate::games::{GAMES, Game};
use crate::searches::OnPage;
use crate::settings::Settings;
use crate::table::{AnyTable, Table, TableError};
use core::fmt;
use ramure::games::hex::Hex;
use ramure::games::sudo_tic_tac_toe::Mode;
use ramure::games::{Connect4, SudoTicTacToe, TicTacToe};
use strsim::levenshtein;

/// Why a text does not name a position.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum LinkError {
    /// No game has this name.
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
                write!(f, "no game has the name `{found}`; the games are ")?;
                for (index, game) in GAMES.iter().enumerate() {
                    write!(f, "{}{}", if index > 0 { ", " } else { "" }, game.word)?;
                }
                // Two letters may be wrong.
                match GAMES.iter().map(|game| (levenshtein(found, game.word), game.word)).min() {
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

ramure::debug_as_sentence!(LinkError);

impl core::error::Error for LinkError {}

/// Sets up a position. `link` is the word of a game, and after a slash the actions that led to the position,
/// separated by commas, as in `connect4/3,3,2`.
///
/// # Errors
///
/// Returns an error if no game has this name, if an action is not legal, or if the settings are wrong.
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
