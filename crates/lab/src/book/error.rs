//! Why a book cannot be built or read.

use crate::contest::ContestError;
use core::fmt;
use ramure::search::SearchError;
use std::io;
use std::path::{Path, PathBuf};

/// Why a book cannot be built or read.
#[non_exhaustive]
pub enum BookError {
    /// The file exists already.
    Exists(PathBuf),
    /// Another program is writing to the file.
    InUse(PathBuf),
    /// The file cannot be read or written.
    File {
        /// The path of the file.
        path: PathBuf,
        /// The operation that failed.
        doing: &'static str,
        /// The error of the system.
        source: io::Error,
    },
    /// The file is not a book, or it is one in another format.
    NotABook(PathBuf),
    /// The file ends too early: it was copied only in part.
    Incomplete(PathBuf),
    /// A line was changed, removed or added after the file was written.
    Damaged {
        /// The path of the file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
    },
    /// The book is of another game, or was built in another way.
    Other {
        /// The path of the file.
        path: PathBuf,
        /// The setting that differs.
        what: &'static str,
        /// Its value in the file.
        file: String,
        /// The value that was asked for.
        asked: String,
    },
    /// An entry is not one that this construction writes here. The rules of the game, the search or the file have changed.
    Invalid {
        /// The path of the file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with the entry.
        why: &'static str,
    },
    /// Chance acts in the game. Books are for games without chance.
    Chance,
    /// A search failed.
    Search {
        /// The name of the position.
        position: String,
        /// The error of the search.
        source: SearchError,
    },
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookError::Exists(path) => {
                write!(f, "{} already exists; resume it, replace it, or choose another name", path.display())
            }
            BookError::InUse(path) => {
                write!(f, "another program is writing to {}; choose another file", path.display())
            }
            BookError::File { path, doing, .. } => write!(f, "cannot {doing} {}", path.display()),
            BookError::NotABook(path) => write!(
                f,
                "{} is not a book of this version: its first line does not describe one; choose another file",
                path.display()
            ),
            BookError::Incomplete(path) => {
                write!(f, "{} is incomplete: its last line does not end a book", path.display())
            }
            BookError::Damaged { path, line } => {
                write!(f, "{} is damaged: the checksum of line {line} is wrong", path.display())
            }
            BookError::Other { path, what, file, asked } => write!(
                f,
                "{} is another book ({what}: {file} in the file, {asked} asked for); choose another file, or ask for the same book",
                path.display()
            ),
            BookError::Invalid { path, line, why } => {
                write!(f, "line {line} of {} is not part of this book: {why}", path.display())
            }
            BookError::Chance => f.write_str("chance acts in this game; books are for games without chance"),
            BookError::Search { position, .. } => write!(f, "the search of position {position} failed"),
        }
    }
}

ramure::debug_as_sentence!(BookError);

impl core::error::Error for BookError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            BookError::File { source, .. } => Some(source),
            BookError::Search { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// Converts an error of the system.
pub(super) fn failure<'a>(path: &'a Path, doing: &'static str) -> impl FnOnce(io::Error) -> BookError + 'a {
    move |source| BookError::File { path: path.to_owned(), doing, source }
}

/// Converts an error of the functions that lock a file.
pub(super) fn of_claim(path: &Path) -> impl FnOnce(ContestError) -> BookError + '_ {
    move |error| match error {
        ContestError::FileExists(path) => BookError::Exists(path),
        ContestError::FileInUse(path) => BookError::InUse(path),
        ContestError::File { path, doing, source } => BookError::File { path, doing, source },
        other => failure(path, "lock")(io::Error::other(other.to_string())),
    }
}
