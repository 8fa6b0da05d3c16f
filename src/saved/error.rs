//! Why a search cannot be saved or loaded.

use crate::custom_error::{BoxError, CustomError};
use crate::run::error::SearchError;
use crate::saved::sections::Tag;
use crate::tree::Flaw;
use core::fmt;
use std::io;

/// Why a search cannot be [saved](crate::Mcts::save) or [loaded](crate::Mcts::load). A file that was there
/// before and a search that should have loaded one are unchanged.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::saved::FileError;
/// use ramure_games::TicTacToe;
///
/// let mut file = Vec::new();
/// Mcts::new(TicTacToe::new()).tree_policy(Ucb1::new(0.5)).save_to(&mut file)?;
///
/// let error = Mcts::new(TicTacToe::new()).load_from(&file[..]).expect_err("the constant is another one");
/// assert!(matches!(&error, FileError::Different { setting, .. } if setting == "tree policy"));
/// assert_eq!(
///     error.to_string(),
///     "the file is of a search with another tree policy: `Ucb1 { c: 0.5 }`; this search has `Ucb1 { c: 1.0 deviations }`"
/// );
///
/// let full: &mut [u8] = &mut [0; 10]; // a device with room for ten bytes
/// assert!(matches!(Mcts::new(TicTacToe::new()).save_to(full), Err(FileError::Write { .. })));
///
/// let half = &file[..file.len() / 2];
/// let error = Mcts::new(TicTacToe::new()).load_from(half).expect_err("it ends too early");
/// assert!(matches!(error, FileError::Incomplete { .. }));
/// # Ok::<(), ramure::saved::FileError>(())
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum FileError {
    /// The file cannot be written.
    Write {
        /// The error of the operating system, a [`std::io::Error`].
        error: CustomError,
    },
    /// The `Serialize` implementation of a type returned an error.
    Value {
        /// The part that cannot be written.
        part: &'static str,
        /// The error.
        error: CustomError,
    },
    /// The file cannot be read.
    Read {
        /// The error of the operating system, a [`std::io::Error`].
        error: CustomError,
    },
    /// The file is not a saved search.
    Foreign,
    /// The file has another format: an older or a newer version of this crate wrote it.
    Version {
        /// The format of the file.
        found: u32,
        /// The format that this version reads and writes.
        supported: u32,
    },
    /// The file ends too early: it was not completely written, or not completely copied.
    Incomplete {
        /// The part of the file in which it ends.
        part: &'static str,
    },
    /// The checksum of a part is wrong: the file was damaged after it was written.
    Checksum {
        /// The part.
        part: &'static str,
    },
    /// The search that was saved has another game or other settings, or is another kind of search.
    Different {
        /// The setting.
        setting: String,
        /// The value in the saved search.
        saved: String,
        /// The value in the search that should load it.
        search: String,
    },
    /// A part has content that no search can have saved.
    Invalid {
        /// The part.
        part: &'static str,
        /// The fault.
        error: CustomError,
    },
    /// The tree does not fit into the memory limit of the search that should load it, together with the tree
    /// that this search already has.
    MemoryLimit {
        /// The limit in bytes.
        limit: usize,
    },
    /// The game [failed](crate::fail) with an error of its own, which is the
    /// [`source`](core::error::Error::source) of this one. Nothing is known about the file.
    Failed {
        /// The error.
        error: CustomError,
    },
    /// The search that was saved has another root state. [`Mcts::resume`](crate::Mcts::resume) takes the root
    /// state from the file.
    OtherState,
}

impl FileError {
    pub(crate) fn value(part: &'static str, error: impl Into<BoxError>) -> Self {
        FileError::Value { part, error: CustomError::new(error) }
    }

    /// Returns the error for a search that failed before it was saved, or while it was loaded.
    pub(crate) fn search(error: SearchError) -> Self {
        let error =
            if let SearchError::Failed { error, .. } = error { error } else { CustomError::new(error) };
        FileError::Failed { error }
    }

    pub(crate) fn invalid(part: Tag, error: impl Into<BoxError>) -> Self {
        FileError::Invalid { part: part.name, error: CustomError::new(error) }
    }
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        FileError::Write { error: CustomError::new(error) }
    }
}

impl From<Flaw> for FileError {
    fn from(Flaw(flaw): Flaw) -> Self {
        FileError::invalid(crate::saved::sections::BLOCKS, flaw)
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Write { error } => write!(f, "the search cannot be saved: {error}"),
            FileError::Value { part, error } => {
                write!(f, "the search cannot be saved: {part} cannot be serialized: {error}")
            }
            FileError::Read { error } => write!(f, "the file cannot be read: {error}"),
            FileError::Foreign => f.write_str("the file is not a saved search"),
            FileError::Version { found, supported } => {
                let by = if found < supported { "an older" } else { "a newer" };
                write!(
                    f,
                    "the file has format {found} and is from {by} version of ramure; this version reads format {supported}"
                )
            }
            FileError::Incomplete { part } => write!(f, "the file is incomplete: it ends in {part}"),
            FileError::Checksum { part } => write!(f, "the file is damaged: the checksum of {part} is wrong"),
            FileError::Different { setting, saved, search } => {
                write!(
                    f,
                    "the file is of a search with another {setting}: `{saved}`; this search has `{search}`"
                )
            }
            FileError::Invalid { part, error } => write!(f, "the file is invalid, in {part}: {error}"),
            FileError::MemoryLimit { limit } => {
                write!(
                    f,
                    "the tree in the file and the tree of this search do not both fit into the memory limit of {limit} bytes; raise the limit"
                )
            }
            FileError::Failed { .. } => f.write_str("the game failed while a search was saved or loaded"),
            FileError::OtherState => f.write_str(
                "the file is of a search with another root state; to take the root state from the file, use `resume`",
            ),
        }
    }
}

crate::debug_as_sentence!(FileError);

impl core::error::Error for FileError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            FileError::Write { error }
            | FileError::Value { error, .. }
            | FileError::Read { error }
            | FileError::Invalid { error, .. }
            | FileError::Failed { error } => Some(error.get_ref()),
            _ => None,
        }
    }
}
