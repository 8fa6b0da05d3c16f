//! The four games by name, for programs that play any of them.

use super::Failure;
use ramure::agents::{Registry, WithEvaluation, WithNumbers};
use ramure::games::sudo_tic_tac_toe::{Mode, SudoTicTacToe};
use ramure::games::{Connect4, Hex, TicTacToe};
use ramure::{ActionIndex, GameState, StaticEvaluation};
use std::fmt::Display;

/// A registry for a game that has all abilities.
pub type Everything<G> = Registry<G, WithNumbers<WithEvaluation>>;

/// A game that every agent can play, and also a person.
pub trait Contestable:
    GameState<Action: Display + Send> + StaticEvaluation + ActionIndex + Display + Send + Sync + 'static
{
    /// Reads an action as a person types it.
    fn read_action(text: &str) -> Result<Self::Action, String>;

    /// The registry of all agents that a text can name.
    fn registry() -> Everything<Self> {
        Registry::new().with_evaluation().with_numbers()
    }
}

macro_rules! contestable {
    ($($game:ty),*) => {
        $(impl Contestable for $game {
            fn read_action(text: &str) -> Result<Self::Action, String> {
                text.parse().map_err(|error: <Self::Action as std::str::FromStr>::Err| error.to_string())
            }
        })*
    };
}

contestable!(TicTacToe, Connect4, Hex, SudoTicTacToe);

/// A task to run on any of the games.
pub trait WithGame {
    /// Runs the task from the start of a game.
    fn with<G: Contestable>(self, start: G) -> Result<(), Failure>;
}

/// The names of the games.
pub const GAMES: &str = "tic-tac-toe, connect4, hex:SIZE (hex is hex:7), sudo:1 or sudo:2 (sudo is sudo:1)";

/// Runs a task on the game that `text` names.
///
/// # Errors
///
/// Returns an error if no game has this name, or if the task fails.
pub fn with_game(text: &str, action: impl WithGame) -> Result<(), Failure> {
    let (name, parameter) =
        text.split_once(':').map_or((text, None), |(name, parameter)| (name, Some(parameter)));
    match (name, parameter) {
        ("tic-tac-toe", None) => action.with(TicTacToe::new()),
        ("connect4", None) => action.with(Connect4::new()),
        ("hex", size) => {
            let size = size.unwrap_or("7");
            let number =
                size.parse().map_err(|_| format!("\"{size}\" is not a size of a Hex board; write hex:7"))?;
            action.with(Hex::new(number)?)
        }
        ("sudo", None | Some("1")) => action.with(SudoTicTacToe::new(Mode::LocalWin)),
        ("sudo", Some("2")) => action.with(SudoTicTacToe::new(Mode::Ultimate)),
        _ => Err(format!("no game is called \"{text}\"; choose from {GAMES}").into()),
    }
}
