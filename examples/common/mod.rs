//! The parts shared by the four games that you can play at a terminal: the options, the players, the commands
//! and the course of the game. Each game implements [`Playable`], which says how to draw its board, how to
//! type its actions and which search plays it well.
//!
//! | file         | its job                                                        |
//! |--------------|----------------------------------------------------------------|
//! | `options.rs` | the options of the command line                                |
//! | `session.rs` | one game from start to end: turns, commands, undo              |
//! | `command.rs` | parses what a person types                                     |
//! | `thinker.rs` | a search that plays, its opinion as text, Ctrl-C               |
//! | `console.rs` | reads lines, writes text                                       |
//! | `pen.rs`     | colours and brackets                                           |

mod command;
mod console;
mod options;
mod pen;
mod session;
mod thinker;

pub use options::{Common, KEYS};
pub use pen::{Pen, Shade};

use console::Console;
use ramure::prelude::*;
use ramure_games::IllegalAction;
use std::fmt::Display;
use std::io;
use std::process::ExitCode;
use std::str::FromStr;

/// A two-player game that you can play at a terminal.
pub trait Playable: GameState<Action: Display + FromStr> + Display + 'static {
    /// The name of the game.
    const TITLE: &'static str;

    /// The players' letters on the board and their colours, the first player's first.
    const PLAYERS: [(&'static str, Shade); 2];

    /// The aim of the game and how to type actions: a paragraph for `help`.
    fn rules(&self) -> String;

    /// What a person may type now, in a few words for the prompt.
    fn prompt(&self) -> String;

    /// Draws the board, and highlights the winning line or, if there is none, the action `last`.
    fn draw(&self, last: Option<Self::Action>, pen: &Pen) -> String;

    /// Plays `action`, or says why it is illegal.
    fn try_play(&mut self, action: Self::Action) -> Result<(), IllegalAction<Self::Action>>;

    /// Returns a search that plays this game well.
    fn search(self, seed: u64) -> Box<dyn Search<Space = Self>>;

    /// Returns the action that `text` means in this state, if it means one. \[Default: as the game reads it\]
    fn read(&self, text: &str) -> Option<Self::Action> {
        text.parse().ok()
    }
}

/// Plays from `start` as the options say, and returns the exit code for `main`.
pub fn play<G: Playable>(start: G, common: &Common) -> ExitCode {
    match session::Session::new(start, common, Console::new()).play() {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has closed the pipe, as `head` does. That is not an error.
        Err(Failure::Console(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Console(error)) => complain(&error),
        Err(Failure::Search(error)) => complain(&error),
    }
}

fn complain(error: &dyn Display) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::FAILURE
}

/// Why a game could not be played to its end.
enum Failure {
    Console(io::Error),
    Search(SearchError),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Console(error)
    }
}

impl From<SearchError> for Failure {
    fn from(error: SearchError) -> Self {
        Failure::Search(error)
    }
}
