//! A full screen that shows a search while it thinks: [`watch`], behind `ramure-lab watch`.
//!
//! A [`Session`] holds the search and what the viewer looks at. It knows nothing of terminals: keys come in
//! as [`Command`]s, and [`draw`] paints it on any backend of `ratatui`.

mod board;
mod draw;
mod session;

pub use board::board;
pub use draw::{Colors, draw};
pub use session::{Bars, Command, Session};

use crate::Failure;
use core::time::Duration;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::io::{IsTerminal, stdin, stdout};

/// How long the search thinks between two looks at the keyboard.
const SLICE: Duration = Duration::from_millis(40);
/// How long the program waits for a key if the search does not think.
const IDLE: Duration = Duration::from_millis(500);

/// Shows a search on the terminal until the viewer quits.
///
/// # Errors
///
/// Returns an error if the input or the output is not a terminal, or if the terminal fails. Errors of the
/// search are shown on the screen.
pub fn watch(mut session: Session) -> Result<(), Failure> {
    if !stdin().is_terminal() || !stdout().is_terminal() {
        let why = "watch draws on the whole screen, so its input and its output must be a terminal; for a pipe or a file, use \
                   `ramure-lab compare`, or print the report of a search";
        return Err(why.into());
    }
    // It gives the terminal back at the end, and also after a panic.
    let mut terminal = ratatui::try_init()?;
    let result = converse(&mut terminal, &mut session);
    ratatui::try_restore()?;
    result
}

fn converse(terminal: &mut ratatui::DefaultTerminal, session: &mut Session) -> Result<(), Failure> {
    let colors = Colors::of_environment();
    loop {
        terminal.draw(|frame| draw(frame, session, colors))?;
        let mut wait = if session.thinks() { Duration::ZERO } else { IDLE };
        while event::poll(wait)? {
            wait = Duration::ZERO;
            if let Event::Key(key) = event::read()?
                && let Some(command) = command(key, session)
            {
                if command == Command::Quit {
                    return Ok(());
                }
                session.obey(command);
            }
        }
        session.think(SLICE);
    }
}

/// Returns what a key asks for, if it asks for anything. Esc closes the help if the screen shows it.
pub fn command(key: KeyEvent, session: &Session) -> Option<Command> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
    Some(match key.code {
        KeyCode::Char('c') if is_control => Command::Quit,
        KeyCode::Up | KeyCode::Char('k') => Command::Up,
        KeyCode::Down | KeyCode::Char('j') => Command::Down,
        KeyCode::Right | KeyCode::Enter | KeyCode::Char('l') => Command::Into,
        KeyCode::Left | KeyCode::Backspace | KeyCode::Char('h') => Command::Out,
        KeyCode::Home | KeyCode::Char('r') => Command::Root,
        KeyCode::Char('p') => Command::Play,
        KeyCode::Char('u') => Command::Undo,
        KeyCode::Char(' ') => Command::Pause,
        KeyCode::Char('m') => Command::Bars,
        KeyCode::Char('?') => Command::Help,
        KeyCode::Esc if session.shows_help => Command::Help,
        KeyCode::Char('q') | KeyCode::Esc => Command::Quit,
        _ => return None,
    })
}
