//! Where a contest writes its games, and from where it resumes.

use core::fmt;
use std::io;
use std::path::PathBuf;

/// Where a contest writes its games, and what to do with a file that is there already.
///
/// The first line says which contest it is, every other line is a [`Record`](super::Record). Games are appended as they end, so a crash
/// loses none that was over; when the contest ends, they are put in order. With a seed and agents that do not look
/// at the clock, the file is then the same for any number of threads, but for the `seconds`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResultsFile {
    pub(super) path: PathBuf,
    pub(super) if_there: IfThere,
}

/// What to do with a file that is there already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IfThere {
    Refuse,
    Resume,
    Replace,
}

impl ResultsFile {
    /// A new file; that it is there already is an error.
    pub fn create(path: impl Into<PathBuf>) -> Self {
        ResultsFile { path: path.into(), if_there: IfThere::Refuse }
    }

    /// Goes on with the contest in this file, or begins it if there is none. Lines that cannot be read, as after a crash,
    /// are set aside and reported, and their games are played again. The contest must be the same, but may have more
    /// games.
    ///
    /// Every game of the file is [replayed](super::Record::replay): its actions must be legal and lead to its rewards, the players must have
    /// chosen as often as it says after an opening as long as the contest's, and times must not be negative. Anything else is
    /// an error. Nothing tells whether another action was drawn in an opening or by chance, or whether a time is the true one.
    pub fn resume(path: impl Into<PathBuf>) -> Self {
        ResultsFile { path: path.into(), if_there: IfThere::Resume }
    }

    /// A new file in the place of the one that may be there.
    pub fn replace(path: impl Into<PathBuf>) -> Self {
        ResultsFile { path: path.into(), if_there: IfThere::Replace }
    }
}

/// A results file that has all games, but in the order in which they ended: at the end of the contest they could not be put in order,
/// as on a full disk. To resume the contest puts them in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsorted {
    /// Which file.
    pub path: PathBuf,
    /// Why.
    pub kind: io::ErrorKind,
}

impl fmt::Display for Unsorted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "warning: {} has all games, but not in their order ({}); resume the contest to put them in order",
            self.path.display(),
            self.kind
        )
    }
}

/// Lines of a results file that could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetAside {
    /// How many.
    pub lines: usize,
    /// The file they were moved to.
    pub path: PathBuf,
}

impl fmt::Display for SetAside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = if self.lines == 1 { "a line".to_owned() } else { format!("{} lines", self.lines) };
        write!(f, "{lines} of the results file could not be read; set aside in {}", self.path.display())
    }
}
