//! A person as an agent.

use crate::commands::{AnyAction, AnyGame};
use crate::watch::{Colors, board};
use ramure::{CustomError, GameState, SearchError};
use ramure_agents::Agent;
use std::io::{self, Write};

/// The person at the terminal: sees the board on standard error and types actions on standard input.
#[derive(Default)]
pub struct Human {
    last: Option<AnyAction>,
}

impl Agent<AnyGame> for Human {
    fn name(&self) -> String {
        "human".into()
    }

    fn choose(&mut self, state: &AnyGame) -> Result<AnyAction, SearchError> {
        let mut out = io::stderr();
        let legal: Vec<String> = state.actions().into_iter().map(|action| action.to_string()).collect();
        let _ = write!(out, "\n{}\n", board(state, self.last, (0, 0), Colors::No));
        loop {
            let _ = write!(out, "your action ({}): ", shortened(&legal));
            let _ = out.flush();
            let mut line = String::new();
            match io::stdin().read_line(&mut line) {
                Ok(0) => return Err(SearchError::Agent("left the table".into())),
                Ok(_) => {}
                Err(error) => return Err(SearchError::Agent(CustomError::new(error))),
            }
            match state.read_action(line.trim()) {
                Ok(action) if state.is_legal(action) => return Ok(action),
                Ok(action) => {
                    let _ = writeln!(out, "{action} is not legal here.");
                }
                Err(error) => {
                    let _ = writeln!(out, "{error}.");
                }
            }
        }
    }

    fn played(&mut self, action: AnyAction) {
        self.last = Some(action);
    }

    fn new_game(&mut self, _: u64) {
        self.last = None;
    }
}

/// Returns the first few legal actions, as a hint for the person.
fn shortened(legal: &[String]) -> String {
    const MOST: usize = 9;
    let mut text = legal.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(" ");
    if legal.len() > MOST {
        text += " ...";
    }
    text
}
