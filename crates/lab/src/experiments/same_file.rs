//! Whether two paths lead to one file, which may or may not exist.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The most links to follow; a longer chain is taken for a cycle.
const MOST_LINKS: usize = 40;

/// The place to which a path leads.
pub struct Place {
    path: PathBuf,
    number: Option<(u64, u64)>,
}

impl Place {
    /// Follows the path and its links.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no current folder, in which relative paths start.
    pub fn of(path: &Path) -> io::Result<Self> {
        let path = resolved(path)?;
        Ok(Place { number: number(&path), path })
    }

    /// Whether both lead to one file, by the same path or by two names.
    pub fn is(&self, other: &Place) -> bool {
        let same_number = self.number.is_some() && self.number == other.number;
        same_number || name(&self.path) == name(&other.path)
    }
}

/// Returns the path without links, `.` and `..`. A file that does not exist has the path at which it would be created.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if let Ok(found) = fs::canonicalize(&path) {
            return Ok(found);
        }
        // A link to a file that does not exist yet.
        let Ok(target) = fs::read_link(&path) else { break };
        path.pop();
        path.push(target);
    }
    let absolute = std::path::absolute(&path)?;
    let (Some(folder), Some(name)) = (absolute.parent(), absolute.file_name()) else { return Ok(absolute) };
    Ok(fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned()).join(name))
}

/// The form in which paths are compared: in lower case on systems that usually ignore case.
fn name(path: &Path) -> PathBuf {
    match cfg!(any(windows, target_os = "macos")) {
        true => path.to_string_lossy().to_lowercase().into(),
        false => path.to_owned(),
    }
}

/// The numbers by which the file system identifies a file, whatever its name; `None` if the file does not exist.
#[cfg(unix)]
fn number(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|data| (data.dev(), data.ino()))
}

/// The standard library does not provide these numbers here.
#[cfg(not(unix))]
fn number(_: &Path) -> Option<(u64, u64)> {
    None
}
