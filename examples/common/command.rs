//! Parses what a person types.

use super::Playable;
use super::console::printable;

/// A command that a person can type.
pub enum Command<A> {
    Play(A),
    Hint,
    Undo,
    Report,
    Help,
    New,
    Quit,
}

/// The list of commands that `help` prints.
pub const HELP: &str = "\
Instead of an action you may type
  hint     show what the search would play here
  undo     take back your last action and the reply to it
  report   show the last report of the search, as a table
  new      start another game
  quit     end the program; so does Ctrl-D
While a search thinks, Ctrl-C makes it move now; otherwise it ends the program.";

/// Returns the command or the action that `line` means in this state, or else an answer to the person.
pub fn understand<G: Playable>(state: &G, line: &str) -> Result<Command<G::Action>, String> {
    let text = line.to_lowercase();
    Ok(match text.as_str() {
        "hint" => Command::Hint,
        "undo" | "back" => Command::Undo,
        "report" => Command::Report,
        "help" | "?" | "h" => Command::Help,
        "new" | "restart" => Command::New,
        "quit" | "exit" | "q" => Command::Quit,
        "" => return Err(format!("Type {}, or help.", state.prompt())),
        action => {
            let action = state.read(action).ok_or_else(|| {
                let (text, prompt) = (printable(line), state.prompt());
                format!("\"{text}\" is not an action here. Type {prompt}; or hint, undo, report, new, help or quit.")
            })?;
            state.clone().try_play(action.clone()).map_err(|error| format!("{action}: {error}."))?;
            Command::Play(action)
        }
    })
}
