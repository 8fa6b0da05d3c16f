//! Why a book cannot be built or read.

use crate::lines::FileError;
use core::error::Error;
use core::fmt;
use ramure::search::SearchError;
use std::path::PathBuf;

/// Why a book cannot be built or read.
#[non_exhaustive]
pub enum BookError {
    /// The file cannot be opened, read or written.
    File(FileError),
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
    /// An entry is not one that this construction writes here. The rules of the game, the search or the file
    /// have changed.
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
            BookError::File(error) => error.fmt(f),
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

impl Error for BookError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            BookError::File(error) => error.source(),
            BookError::Search { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl From<FileError> for BookError {
    fn from(error: FileError) -> Self {
        BookError::File(error)
    }
}
