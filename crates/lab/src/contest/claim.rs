//! Exclusive access of a contest to its results file.

use super::error::{ContestError, failure};
use super::results_file::{IfThere, ResultsFile};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The most times that a file is opened again because another file replaced it in the meantime.
const ATTEMPTS: u32 = 100;

/// Opens the results file and locks it. The file may lose its name before it is locked, for example if another contest
/// ends at this moment and sorts its games; the lock is then useless. So the name is looked up again, and if it leads
/// to another file, that file is opened. `opened` is called each time before the lock is taken. Returns the path with
/// links resolved.
pub fn claim(results: &ResultsFile, mut opened: impl FnMut()) -> Result<(PathBuf, File), ContestError> {
    let path = &results.path;
    let mut options = OpenOptions::new();
    options.read(true).append(true);
    match results.if_there {
        IfThere::Refuse => options.create_new(true),
        IfThere::Resume | IfThere::Replace => options.create(true),
    };
    for _ in 0..ATTEMPTS {
        let file = options.open(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => ContestError::FileExists(path.clone()),
            _ => failure(path, "open")(error),
        })?;
        opened();
        // Resolves links, so that a link is kept and the file it leads to is replaced.
        let path = match fs::canonicalize(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            found => found.map_err(failure(path, "open"))?,
        };
        if !file.metadata().is_ok_and(|data| data.is_file()) {
            return Err(failure(&path, "write games to")(io::Error::other("it is not a regular file")));
        }
        lock(&path, &file)?;
        if is_at(&path, &file).map_err(failure(&path, "open"))? {
            return Ok((path, file));
        }
    }
    Err(ContestError::FileInUse(path.clone()))
}

/// Locks the file against other contests.
pub fn lock(path: &Path, file: &File) -> Result<(), ContestError> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(ContestError::FileInUse(path.to_owned())),
        // If the file system does not support locks, the contest runs without one.
        _ => Ok(()),
    }
}

/// Whether the path still leads to this file, which is locked.
#[cfg(unix)]
fn is_at(path: &Path, file: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let number = |data: fs::Metadata| (data.dev(), data.ino());
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        named => Ok(number(named?) == number(file.metadata()?)),
    }
}

/// Whether the path still leads to this file, which is locked. If a second handle can be locked too, it belongs to
/// another file. (A file that yet another contest has locked is mistaken for this one; that can happen only between
/// `open` and `lock`.)
#[cfg(not(unix))]
fn is_at(path: &Path, _: &File) -> io::Result<bool> {
    match OpenOptions::new().read(true).append(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        named => Ok(named?.try_lock().is_err()),
    }
}

/// A new file beside another one, under an unused name, that will replace it atomically. It is removed if it does not.
pub struct Replacement {
    path: PathBuf,
    is_placed: bool,
}

impl Replacement {
    /// Creates an empty file to write to.
    pub fn create(beside: &Path) -> io::Result<(Self, File)> {
        let (path, file) = create_beside(beside, |number| format!(".new-{number}"))?;
        Ok((Replacement { path, is_placed: false }, file))
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Moves the file to `path`.
    pub fn place(mut self, path: &Path) -> io::Result<()> {
        fs::rename(&self.path, path)?;
        self.is_placed = true;
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.is_placed {
            // If this fails too, the error cannot be reported.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The greatest number of names that are tried.
const NAMES: u32 = 10_000;

/// Creates a file whose name is that of `path` and an `end`, the first of 1, 2, ... that is unused. Follows no link.
pub fn create_beside(path: &Path, end: impl Fn(u32) -> String) -> io::Result<(PathBuf, File)> {
    for number in 1..=NAMES {
        let mut name = path.to_owned().into_os_string();
        name.push(end(number));
        let path = PathBuf::from(name);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            file => return Ok((path, file?)),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "all names for a file beside it are taken"))
}

#[cfg(test)]
mod tests {
    use super::claim;
    use crate::contest::ResultsFile;
    use std::fs::{self, File};
    use std::io::Read;

    /// Two contests may resume a file at the same instant: one opens it, the other ends and replaces it.
    #[test]
    fn a_file_that_is_replaced_before_it_is_locked_is_opened_again() {
        let folder = std::env::temp_dir().join(format!("ramure-claim-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let (path, other) = (folder.join("games.jsonl"), folder.join("other"));
        fs::write(&path, "old").expect("a file");
        for results in [ResultsFile::resume(&path), ResultsFile::replace(&path)] {
            let mut times = 0;
            let (_, mut file) = claim(&results, || {
                times += 1;
                if times < 3 {
                    fs::write(&other, format!("new {times}")).expect("a file");
                    fs::rename(&other, &path).expect("the other contest ends");
                }
            })
            .expect("no contest holds it now");
            let mut text = String::new();
            file.read_to_string(&mut text).expect("text");
            assert_eq!((&text[..], times), ("new 2", 3));
            // The locked file is the one that the name leads to.
            assert!(File::open(&path).expect("it is there").try_lock().is_err());
        }
        fs::remove_dir_all(&folder).expect("it is ours");
    }
}
