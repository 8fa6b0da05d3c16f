//! Whether two paths lead to one file, there already or not.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Links lead on at most so often; more are a circle.
const MOST_LINKS: usize = 40;

/// Where a path leads.
pub struct Place {
    path: PathBuf,
    number: Option<(u64, u64)>,
}

impl Place {
    /// Follows the path and its links.
    ///
    /// # Errors
    ///
    /// There is no folder that paths begin in.
    pub fn of(path: &Path) -> io::Result<Self> {
        let path = resolved(path)?;
        Ok(Place { number: number(&path), path })
    }

    /// Whether both are one file: the same path, or two names of one file.
    pub fn is(&self, other: &Place) -> bool {
        let same_number = self.number.is_some() && self.number == other.number;
        same_number || name(&self.path) == name(&other.path)
    }
}

/// The path without links, `.` and `..`. What is not there yet is where it would be made.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if let Ok(found) = fs::canonicalize(&path) {
            return Ok(found);
        }
        // A link to a file that is not there yet.
        let Ok(target) = fs::read_link(&path) else { break };
        path.pop();
        path.push(target);
    }
    let absolute = std::path::absolute(&path)?;
    let (Some(folder), Some(name)) = (absolute.parent(), absolute.file_name()) else { return Ok(absolute) };
    Ok(fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned()).join(name))
}

/// The path as it is compared: where upper and lower case usually name one file, they do so here.
fn name(path: &Path) -> PathBuf {
    match cfg!(any(windows, target_os = "macos")) {
        true => path.to_string_lossy().to_lowercase().into(),
        false => path.to_owned(),
    }
}

/// The number by which the file system knows a file, whatever its name; none if it is not there.
#[cfg(unix)]
fn number(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|data| (data.dev(), data.ino()))
}

/// The standard library does not tell it.
#[cfg(not(unix))]
fn number(_: &Path) -> Option<(u64, u64)> {
    None
}
