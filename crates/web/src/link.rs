//! Positions as texts, which stand in links.

use crate::error::PageError;
use crate::games::{GAMES, Game};
use crate::searches::OnPage;
use crate::settings::Settings;
use crate::table::{AnyTable, Table};
use ramure_games::hex::Hex;
use ramure_games::sudo_tic_tac_toe::Mode;
use ramure_games::{Connect4, SudoTicTacToe, TicTacToe};

/// Sets up a position. `link` is the word of a game, and after a slash the actions that led to the position,
/// separated by commas, as in `connect4/3,3,2`.
///
/// # Errors
///
/// Returns an error if no game has this name, if an action is not legal, or if the settings are wrong.
pub fn open(link: &str, settings: [Settings; 2]) -> Result<Box<dyn AnyTable>, PageError> {
    let (word, actions) = link.split_once('/').unwrap_or((link, ""));
    // A text of any length can come in a link, and an error shows it.
    let unknown = || PageError::Game {
        found: word.chars().take(40).collect(),
        known: GAMES.iter().map(|game| game.word).collect(),
    };
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
) -> Result<Box<dyn AnyTable>, PageError> {
    let mut table = Table::new(game, state, settings)?;
    for (index, action) in actions.split(',').filter(|action| !action.is_empty()).enumerate() {
        table.play(action).map_err(|error| match error {
            PageError::Move(action) => PageError::Link { index, action },
            other => other,
        })?;
    }
    Ok(Box::new(table))
}
