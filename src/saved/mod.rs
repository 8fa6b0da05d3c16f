//! Saved searches, behind the feature `save`: writes what a search has found to a file, and reads it back.
//!
//! `sections` is the format, `file` replaces a file completely or not at all, `rules` checks a tree against
//! the rules of its game, and `loading` has the methods that load any kind of search. `mcts` has those of
//! `Mcts`, `one_tree` what a file has of each tree, and `window` and `seats` the rest of each engine. What is
//! saved of a policy, `persist` says. The store writes and checks the blocks of the tree. Uses `search`, and all
//! layers below it.

mod error;
pub(crate) mod file;
mod loading;
mod mcts;
mod one_tree;
mod rules;
mod seats;
pub(crate) mod sections;
#[cfg(test)]
mod tests;
mod window;

pub use error::FileError;
pub(crate) use loading::loading_methods;
pub(crate) use mcts::Save;
pub(crate) use one_tree::{Loaded, RootState};

use crate::game::take_failure;
use sections::Tag;
use serde::Serialize;

/// Returns whether two values serialize to the same bytes.
pub(crate) fn are_same<T: Serialize>(state: &T, other: &T) -> Result<bool, FileError> {
    let bytes = |state: &T| {
        postcard::to_allocvec(state).map_err(|error| FileError::invalid(sections::POSITION, error))
    };
    Ok(bytes(state)? == bytes(other)?)
}

/// Calls `read`, which asks the game. If the game has failed, returns its error in place of what follows from
/// it.
pub(crate) fn reading<T>(read: impl FnOnce() -> Result<T, FileError>) -> Result<T, FileError> {
    take_failure(); // of a call outside of searches
    let loaded = read();
    take_failure().map_or(loaded, |error| Err(FileError::Failed { error: error.into() }))
}

pub(crate) fn unless(holds: bool, part: Tag, flaw: &'static str) -> Result<(), FileError> {
    if holds { Ok(()) } else { Err(FileError::invalid(part, flaw)) }
}

/// Returns the name of a type without the modules, which may move.
pub(crate) fn short_name(name: &str) -> String {
    let is_of_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let mut short = String::new();
    for piece in name.split_inclusive(|c: char| !is_of_path(c)) {
        short.push_str(piece.rsplit("::").next().unwrap_or(piece));
    }
    short
}

#[cfg(test)]
mod name_tests {
    use super::short_name;

    #[test]
    fn modules_are_no_part_of_the_name_of_a_game() {
        let long = "ramure::search::information_set::InformationSet<cards::whist::Whist<[u8; 4], (a::B, C)>>";
        assert_eq!(short_name(long), "InformationSet<Whist<[u8; 4], (B, C)>>");
        assert_eq!(short_name("Plain"), "Plain");
    }
}
