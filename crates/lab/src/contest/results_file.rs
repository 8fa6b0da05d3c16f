//! The file to which a contest writes its games, and from which it resumes.

use crate::lines::IfThere;
use core::fmt;
use std::io;
use std::path::PathBuf;

/// The file to which a contest writes its games, and what to do if it already exists.
///
/// The first line describes the contest; every other line is a [`Record`](super::Record). Games are appended
/// as they end, so a crash loses none of the completed games. When the contest ends, the games are sorted.
/// With a seed and agents that do not look at the clock, the file is the same for any number of threads,
/// except for the `seconds`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResultsFile {
    pub(super) path: PathBuf,
    pub(super) if_there: IfThere,
}

impl ResultsFile {
    /// Creates a new file; it is an error if the file already exists.
    pub fn create(path: impl Into<PathBuf>) -> Self {
        ResultsFile { path: path.into(), if_there: IfThere::Refuse }
    }

    /// Resumes the contest in this file, or starts it if the file does not exist. Lines that cannot be read,
    /// for example after a crash, are set aside in another file and reported, and their games are played
    /// again. The contest must be the same, but may have more games.
    ///
    /// Every game of the file is [replayed](super::Record::replay): its actions must be legal and lead to its
    /// rewards, the players must have chosen as many times as recorded after an opening as long as the
    /// contest's, and times must not be negative. Anything else is an error. The check cannot detect a
    /// changed action of an opening or of chance, or a changed time.
    pub fn resume(path: impl Into<PathBuf>) -> Self {
        ResultsFile { path: path.into(), if_there: IfThere::Resume }
    }

    /// Creates a new file, and replaces an existing one.
    pub fn replace(path: impl Into<PathBuf>) -> Self {
        ResultsFile { path: path.into(), if_there: IfThere::Replace }
    }
}

/// A results file that has all games, but in the order in which they ended, because they could not be sorted
/// at the end of the contest, for example on a full disk. Resuming the contest sorts them.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Unsorted {
    /// The path of the file.
    pub path: PathBuf,
    /// The error of the system.
    pub kind: io::ErrorKind,
}

impl fmt::Display for Unsorted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "warning: {} has all games, but they could not be sorted ({}); resume the contest to sort them",
            self.path.display(),
            self.kind
        )
    }
}

/// Lines of a results file that could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SetAside {
    /// The number of lines.
    pub lines: usize,
    /// The file in which they were set aside.
    pub path: PathBuf,
}

impl fmt::Display for SetAside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = if self.lines == 1 { "a line".to_owned() } else { format!("{} lines", self.lines) };
        write!(f, "{lines} of the results file could not be read; set aside in {}", self.path.display())
    }
}
