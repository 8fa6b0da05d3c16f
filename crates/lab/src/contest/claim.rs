//! A results file for one contest alone.

use super::error::{ContestError, failure};
use super::results_file::{IfThere, ResultsFile};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// How often a file is opened again because another one took its place in the meantime.
const ATTEMPTS: u32 = 100;

/// Opens the results file and locks it. The lock is of no use on a file that lost its name before the lock was there, as when
/// another contest ends at this moment and puts its games in order. So the name is looked up again, and if it is another file's, that
/// one is opened. `opened` is called each time before the lock. Returns the path without links.
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
        // So that a link stays one, and the file it leads to is replaced.
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

/// Keeps other contests away from the file.
pub fn lock(path: &Path, file: &File) -> Result<(), ContestError> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(ContestError::FileInUse(path.to_owned())),
        // Where a file system knows no locks, we do without.
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

/// Whether the path still leads to this file, which is locked: if a second handle can be locked as well, it is of another file. (One
/// that yet another contest has locked is taken for this one; the window is that between `open` and `lock`.)
#[cfg(not(unix))]
fn is_at(path: &Path, _: &File) -> io::Result<bool> {
    match OpenOptions::new().read(true).append(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        named => Ok(named?.try_lock().is_err()),
    }
}

/// A file beside another one, under a name that nobody had, which is to take its place at once. If it does not, it is removed.
pub struct Replacement {
    path: PathBuf,
    is_placed: bool,
}

impl Replacement {
    /// Creates an empty one, to be written.
    pub fn create(beside: &Path) -> io::Result<(Self, File)> {
        let (path, file) = create_beside(beside, |number| format!(".new-{number}"))?;
        Ok((Replacement { path, is_placed: false }, file))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Lets it take the place of `path`.
    pub fn place(mut self, path: &Path) -> io::Result<()> {
        fs::rename(&self.path, path)?;
        self.is_placed = true;
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.is_placed {
            // If even that fails, there is nobody to tell.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The most names that are tried.
const NAMES: u32 = 10_000;

/// A new file whose name is that of `path` and an `end`, the first of 1, 2, ... that is not there. It follows no link.
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
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "no free name is left for a file beside it"))
}

#[cfg(test)]
mod tests {
    use super::claim;
    use crate::contest::ResultsFile;
    use std::fs::{self, File};
    use std::io::Read;

    /// What happens if two contests resume a file in the same instant: one opens it, the other ends and replaces it.
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
            .expect("nobody holds it now");
            let mut text = String::new();
            file.read_to_string(&mut text).expect("text");
            assert_eq!((&text[..], times), ("new 2", 3));
            // What holds the lock is what the name leads to.
            assert!(File::open(&path).expect("it is there").try_lock().is_err());
        }
        fs::remove_dir_all(&folder).expect("it is ours");
    }
}
