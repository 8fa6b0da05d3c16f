//! Files of lines of JSON that survive a crash at any moment: the games of a contest, a book, the figures of
//! a training.
//!
//! [`Lines::append`] writes a line at once, so a process that is killed leaves at most the last line
//! unfinished. [`Lines::replace`] puts a new file in the place of the old one, so a complete file is there at
//! every moment. While a [`Lines`] lives, no other one can open its file.
//!
//! ```
//! use ramure_lab::lines::{IfThere, Lines, split};
//!
//! # let path = std::env::temp_dir().join(format!("ramure-lines-{}.jsonl", std::process::id()));
//! # std::fs::write(&path, "[1,2]\n[3,4]\n[5,")?; // the process was killed here
//! # let resume = || -> Result<Vec<[u32; 2]>, Box<dyn std::error::Error>> {
//! let mut lines = Lines::open(&path, IfThere::Resume)?;
//! let bytes = lines.read()?;
//! let whole: Vec<[u32; 2]> = split(&bytes).filter_map(|(_, line)| serde_json::from_slice(line).ok()).collect();
//! lines.replace(|file| whole.iter().try_for_each(|pair| ramure_lab::lines::write(file, pair)))?;
//! lines.append(&[5, 6])?;
//! # Ok(whole)
//! # };
//! # assert_eq!(resume()?, [[1, 2], [3, 4]]);
//! # assert_eq!(std::fs::read_to_string(&path)?, "[1,2]\n[3,4]\n[5,6]\n");
//! # std::fs::remove_file(&path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use serde::Serialize;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The treatment of a file that already exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IfThere {
    /// It is an error.
    Refuse,
    /// Go on with it.
    Resume,
    /// Put a new one in its place.
    Replace,
}

/// A file of lines that this process alone writes.
#[derive(Debug)]
pub struct Lines {
    path: PathBuf,
    file: File,
    /// The file that was replaced last. Its lock is kept, because another program may have opened it just
    /// before.
    _replaced: Option<File>,
}

impl Lines {
    /// Opens the file and locks it. If it does not exist, creates an empty one.
    ///
    /// # Errors
    ///
    /// Returns a [`FileError`] if the file exists and must not, if another program writes to it, or if it
    /// cannot be opened.
    pub fn open(path: &Path, if_there: IfThere) -> Result<Self, FileError> {
        open(path, if_there, || ())
    }

    /// The path of the file, with links resolved.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns all bytes of the file; see [`split`]. Call it before the file is changed.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub fn read(&mut self) -> Result<Vec<u8>, FileError> {
        let mut bytes = Vec::new();
        self.file.read_to_end(&mut bytes).map_err(failure(&self.path, "read"))?;
        Ok(bytes)
    }

    /// Adds a line.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub fn append(&mut self, value: &impl Serialize) -> Result<(), FileError> {
        // One write, so that a crash leaves at most the last line unfinished.
        let mut line = Vec::new();
        let written = write(&mut line, value).and_then(|()| self.file.write_all(&line));
        written.map_err(failure(&self.path, "write to"))
    }

    /// Replaces the file by a new one, with what `lines` writes. If that fails, the old file stays.
    ///
    /// # Errors
    ///
    /// Returns the error of `lines`, and that of the system.
    pub fn replace(&mut self, lines: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), FileError> {
        let (new, file) = create_beside(&self.path, |number| format!(".new-{number}"))
            .map_err(failure(&self.path, "write a new file beside"))?;
        let placed = self.place(&new, &file, lines);
        if placed.is_err() {
            // If this fails too, the error cannot be reported.
            let _ = fs::remove_file(&new);
        }
        placed?;
        self._replaced = Some(core::mem::replace(&mut self.file, file));
        Ok(())
    }

    /// Writes the new file, and moves it to the place of the old one.
    fn place(
        &self,
        new: &Path,
        file: &File,
        lines: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), FileError> {
        let mut writer = BufWriter::new(file);
        // The lines must be on the disk before the name is.
        let written = lines(&mut writer).and_then(|()| writer.flush()).and_then(|()| file.sync_all());
        written.map_err(failure(new, "write to"))?;
        lock(&self.path, file)?;
        fs::rename(new, &self.path).map_err(failure(&self.path, "replace"))
    }

    /// Writes lines that cannot be read to a new file beside this one, and returns its path.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub fn set_aside(&self, lines: &[u8]) -> Result<PathBuf, FileError> {
        let end = |number| if number == 1 { ".aside".to_owned() } else { format!(".aside-{number}") };
        let (path, mut file) =
            create_beside(&self.path, end).map_err(failure(&self.path, "set aside lines of"))?;
        file.write_all(lines).map_err(failure(&path, "write to"))?;
        Ok(path)
    }
}

/// Writes a value as a line.
///
/// # Errors
///
/// Returns an error if the value cannot be written as JSON, and the error of the writer.
pub fn write(writer: &mut (impl Write + ?Sized), value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    writer.write_all(&line)
}

/// Returns the lines of a file that are not empty, with their numbers from 1. After a crash, the last one may
/// be cut off.
pub fn split(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    (1..).zip(bytes.split(|&byte| byte == b'\n')).filter(|(_, line)| !line.is_empty())
}

/// Why a file cannot be opened, read or written.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file already exists.
    #[error("{} already exists; resume it, replace it, or choose another name", .0.display())]
    Exists(PathBuf),
    /// Another program is writing to the file.
    #[error("another program is writing to {}; choose another file", .0.display())]
    InUse(PathBuf),
    /// The system refuses.
    #[error("cannot {doing} {}", .path.display())]
    System {
        /// The path of the file.
        path: PathBuf,
        /// The operation that failed.
        doing: &'static str,
        /// The error of the system.
        source: io::Error,
    },
}

ramure::debug_as_sentence!(FileError);

/// Converts an error of the system.
pub(crate) fn failure<'a>(path: &'a Path, doing: &'static str) -> impl FnOnce(io::Error) -> FileError + 'a {
    move |source| FileError::System { path: path.to_owned(), doing, source }
}

/// The most times that a file is opened again because another file replaced it in the meantime.
const ATTEMPTS: u32 = 100;

/// Opens the file and locks it. The file may lose its name before it is locked, for example if another
/// contest ends at this moment and sorts its games; the lock is then useless. So the name is looked up again,
/// and if it leads to another file, that file is opened. `opened` is called each time before the lock is
/// taken.
fn open(path: &Path, if_there: IfThere, mut opened: impl FnMut()) -> Result<Lines, FileError> {
    let mut options = OpenOptions::new();
    options.read(true).append(true);
    match if_there {
        IfThere::Refuse => options.create_new(true),
        IfThere::Resume | IfThere::Replace => options.create(true),
    };
    for _ in 0..ATTEMPTS {
        let file = options.open(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => FileError::Exists(path.to_owned()),
            _ => failure(path, "open")(error),
        })?;
        opened();
        // Resolves links, so that a link is kept and the file it leads to is replaced.
        let path = match fs::canonicalize(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            found => found.map_err(failure(path, "open"))?,
        };
        if !file.metadata().is_ok_and(|data| data.is_file()) {
            return Err(failure(&path, "write lines to")(io::Error::other("it is not a regular file")));
        }
        lock(&path, &file)?;
        if is_at(&path, &file).map_err(failure(&path, "open"))? {
            return Ok(Lines { path, file, _replaced: None });
        }
    }
    Err(FileError::InUse(path.to_owned()))
}

/// Locks the file against other programs. Tries for 100 ms: while another thread starts a program, the new
/// process holds copies of all files that were open, and of their locks.
fn lock(path: &Path, file: &File) -> Result<(), FileError> {
    for _ in 0..20 {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
            // If the file system does not support locks, the program runs without one.
            _ => return Ok(()),
        }
    }
    Err(FileError::InUse(path.to_owned()))
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

/// Whether the path still leads to this file, which is locked. If a second handle can be locked too, it
/// belongs to another file. (A file that yet another program has locked is mistaken for this one; that can
/// happen only between `open` and `lock`.)
#[cfg(not(unix))]
fn is_at(path: &Path, _: &File) -> io::Result<bool> {
    match OpenOptions::new().read(true).append(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        named => Ok(named?.try_lock().is_err()),
    }
}

/// The greatest number of names that are tried.
const NAMES: u32 = 10_000;

/// Creates a file whose name is that of `path` and an `end`, the first of 1, 2, ... that is unused. Follows
/// no link.
fn create_beside(path: &Path, end: impl Fn(u32) -> String) -> io::Result<(PathBuf, File)> {
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
    use super::{FileError, IfThere, Lines, open, split, write};
    use std::fs::{self, File};
    use std::io;
    use std::path::PathBuf;

    /// Creates an empty folder with this name.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("ramure-lines-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    #[test]
    fn whatever_byte_a_crash_cuts_off_whole_lines_stay() {
        let folder = folder("torn");
        let path = folder.join("a.jsonl");
        let text = "[1]\n[22]\n[333]\n";
        for end in 0..=text.len() {
            fs::write(&path, &text[..end]).expect("a file");
            let mut lines = Lines::open(&path, IfThere::Resume).expect("it can be opened");
            let bytes = lines.read().expect("it can be read");
            let parsed = |(_, line)| serde_json::from_slice::<[u32; 1]>(line).ok();
            let whole: Vec<_> = split(&bytes).filter_map(parsed).collect();
            // A line is whole without its line feed, too.
            let expected = [3, 8, 14].iter().filter(|&&length| end >= length).count();
            assert_eq!(whole, [[1], [22], [333]][..expected], "{end}");
            lines.replace(|file| whole.iter().try_for_each(|line| write(file, line))).expect("a new file");
            lines.append(&[4]).expect("it can be written");
            let (text, last) = (fs::read_to_string(&path).expect("text"), expected + 1);
            assert_eq!((text.lines().count(), text.lines().last()), (last, Some("[4]")), "{text}");
        }
        assert_eq!(split(b"a\n\nb").collect::<Vec<_>>(), [(1, &b"a"[..]), (3, b"b")]);
        fs::remove_dir_all(&folder).expect("it is ours");
    }

    #[test]
    fn a_replacement_that_fails_leaves_the_old_file_alone() {
        let folder = folder("fails");
        let path = folder.join("a.jsonl");
        fs::write(&path, "[1]\n").expect("a file");
        let mut lines = Lines::open(&path, IfThere::Resume).expect("it can be opened");
        let error = lines.replace(|file| write(file, &[2]).and(Err(io::Error::other("the disk is full"))));
        assert!(error.expect_err("a full disk").to_string().contains("a.jsonl.new-1"));
        lines.append(&[3]).expect("it can be written");
        assert_eq!(fs::read_to_string(&path).expect("text"), "[1]\n[3]\n");
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1);
        fs::remove_dir_all(&folder).expect("it is ours");
    }

    #[test]
    fn a_file_has_one_writer() {
        let folder = folder("one");
        let path = folder.join("a.jsonl");
        let mut lines = Lines::open(&path, IfThere::Refuse).expect("a new file");
        for replaces in [false, true] {
            if replaces {
                lines.replace(|file| write(file, &[1])).expect("a new file");
            }
            for if_there in [IfThere::Resume, IfThere::Replace] {
                assert!(matches!(Lines::open(&path, if_there), Err(FileError::InUse(_))));
            }
            assert!(matches!(Lines::open(&path, IfThere::Refuse), Err(FileError::Exists(_))));
        }
        drop(lines);
        assert!(Lines::open(&path, IfThere::Resume).is_ok());
        fs::remove_dir_all(&folder).expect("it is ours");
    }

    /// Two programs may resume a file at the same instant: one opens it, the other ends and replaces it.
    #[test]
    fn a_file_that_is_replaced_before_it_is_locked_is_opened_again() {
        let folder = folder("again");
        let (path, other) = (folder.join("games.jsonl"), folder.join("other"));
        fs::write(&path, "old").expect("a file");
        for if_there in [IfThere::Resume, IfThere::Replace] {
            let mut times = 0;
            let mut lines = open(&path, if_there, || {
                times += 1;
                if times < 3 {
                    fs::write(&other, format!("new {times}")).expect("a file");
                    fs::rename(&other, &path).expect("the other program ends");
                }
            })
            .expect("no program holds it now");
            assert_eq!((&lines.read().expect("text")[..], times), (&b"new 2"[..], 3));
            // The locked file is the one that the name leads to.
            assert!(File::open(&path).expect("it is there").try_lock().is_err());
        }
        fs::remove_dir_all(&folder).expect("it is ours");
    }
}
