//! Why a book cannot be built or read.

use crate::lines::FileError;
use ramure::SearchError;
use std::path::PathBuf;

/// Why a book cannot be built or read.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// The file cannot be opened, read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is not a book, or it is one in another format.
    #[error(
        "{} is not a book of this version: its first line does not describe one; choose another file",
        .0.display()
    )]
    NotABook(PathBuf),
    /// The file ends too early: it was copied only in part.
    #[error("{} is incomplete: its last line does not end a book", .0.display())]
    Incomplete(PathBuf),
    /// A line was changed, removed or added after the file was written.
    #[error("{} is damaged: the checksum of line {line} is wrong", .path.display())]
    Damaged {
        /// The path of the file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
    },
    /// The book is of another game, or was built in another way.
    #[error(
        "{} is another book ({what}: {file} in the file, {asked} asked for); choose another file, or ask for \
         the same book",
        .path.display()
    )]
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
    #[error("line {line} of {} is not part of this book: {why}", .path.display())]
    Invalid {
        /// The path of the file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The fault of the entry.
        why: &'static str,
    },
    /// Chance acts in the game. Books are for games without chance.
    #[error("chance acts in this game; books are for games without chance")]
    Chance,
    /// A search failed.
    #[error("the search of position {position} failed")]
    Search {
        /// The name of the position.
        position: String,
        /// The error of the search.
        source: SearchError,
    },
}

ramure::debug_as_sentence!(BookError);
