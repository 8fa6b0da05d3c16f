//! What a person types, understood.

use super::Playable;
use super::console::printable;

/// What a person wants.
pub enum Command<A> {
    Play(A),
    Hint,
    Undo,
    Report,
    Help,
    New,
    Quit,
}

/// What `help` says of the commands.
pub const HELP: &str = "\
Instead of an action you may type
  hint     what the search would play here
  undo     takes back your last action and the reply to it
  report   all that the search found when it last thought, as a table
  new      starts another game
  quit     ends the program; so does Ctrl-D
Ctrl-C makes a search that thinks move now; otherwise it ends the program.";

/// The command or the action that `line` means in this state, or what to say to whoever typed it.
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
            let action = state.read(action).map_err(|error| {
                format!("\"{}\": {error}. Or type hint, undo, report, new, help or quit.", printable(line))
            })?;
            state.clone().try_play(action).map_err(|error| format!("{action}: {error}."))?;
            Command::Play(action)
        }
    })
}
