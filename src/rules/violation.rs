//! What is told of a broken law.

use super::law::Law;
use super::look::list;
use crate::game::GameState;
use core::fmt;

/// A broken law, with the shortest line of play that was found to break it.
///
/// `Display` tells it to a person; here is a Tic-Tac-Toe that forgets one diagonal, compared with a plain twin:
///
/// ```text
/// broken: the twin agrees (Law::Agreement)
/// ...
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Violation<G: GameState> {
    /// Which law.
    pub law: Law,
    /// The actions that lead from the initial state to where it shows.
    pub actions: Vec<G::Action>,
    /// The state before the last of them; `None` if there are none.
    pub before: Option<G>,
    /// The state after all of them; `None` if the last one could not be played, or already the initial state could not be
    /// looked at.
    pub after: Option<G>,
    /// What is wrong there, in words.
    pub what: String,
    /// How it was found.
    pub found: Found,
}

/// How a line of play that breaks a law was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Found {
    /// While going through all lines, the short ones first: no shorter line breaks the law.
    BreadthFirst,
    /// In a random game. Its line was then shortened.
    Game {
        /// Which game, counted from 0.
        number: u32,
        /// The seed of the check.
        seed: u64,
        /// How many actions it took before it was shortened.
        length: usize,
    },
    /// Over all games together, see [`Law::RandomFair`]; or before any was played.
    Together,
}

impl<G: GameState + fmt::Debug> core::error::Error for Violation<G> {}

impl<G: GameState + fmt::Debug> fmt::Display for Violation<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "broken: {} (Law::{:?})", self.law, self.law)?;
        match &self.actions[..] {
            [] => writeln!(f, "in the initial state")?,
            [action] => writeln!(f, "after one action: {action:?}")?,
            actions => writeln!(f, "after {} actions: {}", actions.len(), list(actions))?,
        }
        writeln!(f, "\n{}\n", Indented(&self.what))?;
        if let Some(before) = &self.before {
            writeln!(f, "before the last action:\n{}", Indented(&format!("{before:?}")))?;
        }
        if let Some(after) = &self.after {
            let last = self.actions.last();
            let when = last.map_or("the initial state:".to_owned(), |last| format!("after {last:?}:"));
            writeln!(f, "{when}\n{}", Indented(&format!("{after:?}")))?;
        }
        match self.found {
            Found::BreadthFirst => f.write_str("\nAll shorter lines of play are right."),
            Found::Game { number, seed, length } if length > self.actions.len() => {
                write!(f, "\nFound in game {number} of seed {seed}, and shortened from {length} actions.")
            }
            Found::Game { number, seed, .. } => write!(f, "\nFound in game {number} of seed {seed}."),
            Found::Together => Ok(()),
        }
    }
}

/// Each line four spaces to the right.
struct Indented<'a>(&'a str);

impl fmt::Display for Indented<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, line) in self.0.lines().enumerate() {
            if number > 0 {
                f.write_str("\n")?;
            }
            if !line.is_empty() {
                write!(f, "    {line}")?;
            }
        }
        Ok(())
    }
}
