//! What the four games to be played at a terminal share: the options, the players, the commands, the game itself. A game
//! adds what only it knows, by [`Playable`]: how its board is drawn, how its actions are typed, and which search plays it
//! well.
//!
//! | file         | its job                                                        |
//! |--------------|----------------------------------------------------------------|
//! | `options.rs` | what is said on the command line                               |
//! | `session.rs` | one game from start to end: turns, commands, taking back       |
//! | `command.rs` | what a person types, understood                                |
//! | `thinker.rs` | a search that plays, what it says of it, Ctrl-C                |
//! | `console.rs` | reading lines, writing text                                    |
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
use ramure::games::IllegalAction;
use ramure::prelude::*;
use std::fmt::Display;
use std::io;
use std::process::ExitCode;
use std::str::FromStr;

/// A game for two that can be played at a terminal.
pub trait Playable: GameState<Action: Display + FromStr<Err: Display>> + Display + 'static {
    /// What it is called.
    const TITLE: &'static str;

    /// The players' letters on the board and their colours, the first player's first.
    const PLAYERS: [(&'static str, Shade); 2];

    /// The aim, and how actions are typed: a paragraph for `help`.
    fn rules(&self) -> String;

    /// What may be typed now, in a few words for the prompt.
    fn prompt(&self) -> String;

    /// The board, with `last` brought out, or the winning line if there is one.
    fn draw(&self, last: Option<Self::Action>, pen: &Pen) -> String;

    /// Plays, or says why that is not possible.
    fn try_play(&mut self, action: Self::Action) -> Result<(), IllegalAction>;

    /// The search that plays this game well.
    fn search(self, seed: u64) -> Box<dyn Search<Game = Self>>;

    /// The action that `text` means here. \[Default: as the game reads it\]
    fn read(&self, text: &str) -> Result<Self::Action, String> {
        text.parse().map_err(|error: <Self::Action as FromStr>::Err| error.to_string())
    }
}

/// Plays from `start` as the options say; what `main` returns.
pub fn play<G: Playable>(start: G, common: &Common) -> ExitCode {
    match session::Session::new(start, common, Console::new()).play() {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads our output has seen enough, as `head` does.
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
