//! Files that are replaced completely or not at all.

use crate::saved::FileError;
use crate::saved::sections::{ends, io_error};
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufReader, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The end of the names of unfinished files.
const UNFINISHED: &str = ".tmp";

/// Writes a new file beside `path`, and gives it this name when it is complete and on the disk. If `path` is
/// a symbolic link, this happens where it leads. Removes the unfinished files that killed processes left
/// over.
pub(crate) fn replace(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&File>) -> Result<(), FileError>,
) -> Result<(), FileError> {
    let path = &destination(path)?;
    remove_unfinished(path);
    let (file, temporary) = create_beside(path)?;
    let written = write_all(&file, write).and_then(|()| Ok(fs::rename(&temporary, path)?));
    match written {
        Ok(()) => sync_folder(path),
        // Report the first error, not one of the removal.
        Err(_) => drop(fs::remove_file(&temporary)),
    }
    written
}

/// Writes a file to the disk.
fn write_all(
    file: &File,
    write: impl FnOnce(&mut BufWriter<&File>) -> Result<(), FileError>,
) -> Result<(), FileError> {
    let mut writer = BufWriter::with_capacity(1 << 18, file);
    write(&mut writer)?;
    writer.flush()?;
    Ok(file.sync_all()?)
}

/// Returns where a symbolic link leads, and any other path as it is.
fn destination(path: &Path) -> io::Result<PathBuf> {
    if !fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink()) {
        return Ok(path.to_owned());
    }
    fs::canonicalize(path).map_err(|error| {
        let path = path.display();
        io::Error::new(error.kind(), format!("the symbolic link `{path}` leads to no file: {error}"))
    })
}

/// Creates a new file whose name begins with `path`, and locks it for as long as it is open.
fn create_beside(path: &Path) -> io::Result<(File, PathBuf)> {
    let name = path.file_name().ok_or(io::Error::new(ErrorKind::InvalidInput, "the path names no file"))?;
    loop {
        // No other process and no other thread has this number.
        let number = RandomState::new().hash_one(name);
        let mut temporary = name.to_owned();
        temporary.push(format!(".{number:016x}{UNFINISHED}"));
        let temporary = path.with_file_name(temporary);
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            // Some systems have no locks. There, nobody removes an unfinished file.
            Ok(file) if file.lock().is_err() || temporary.exists() => return Ok((file, temporary)),
            // Another process took the file for one that was left over.
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Removes the files beside `path` that [`create_beside`] made for processes that were killed: those that
/// nobody has locked.
fn remove_unfinished(path: &Path) {
    let (Some(name), Ok(files)) = (path.file_name(), fs::read_dir(folder_of(path))) else { return };
    let name = name.as_encoded_bytes();
    for file in files.flatten() {
        let found = file.file_name();
        let number = found.as_encoded_bytes().strip_prefix(name).and_then(|rest| rest.strip_prefix(b"."));
        let number = number.and_then(|rest| rest.strip_suffix(UNFINISHED.as_bytes()));
        let is_number = |number: &[u8]| number.len() == 16 && number.iter().all(u8::is_ascii_hexdigit);
        if number.is_some_and(is_number)
            && let Ok(open) = File::open(file.path())
            && open.try_lock().is_ok()
        {
            // A process that locks the file later sees that it is gone.
            let _ = fs::remove_file(file.path());
        }
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes the new name of a file to the disk, on systems that can synchronize folders. On others, the old
/// file may come back after a power failure.
fn sync_folder(path: &Path) {
    if let Ok(folder) = File::open(folder_of(path)) {
        let _ = folder.sync_all();
    }
}

/// Reads a file to its end.
pub(crate) fn read<T>(
    path: &Path,
    read: impl FnOnce(&mut BufReader<File>) -> Result<T, FileError>,
) -> Result<T, FileError> {
    let file = File::open(path).map_err(io_error)?;
    let mut reader = BufReader::with_capacity(1 << 18, file);
    let value = read(&mut reader)?;
    ends(&mut reader)?;
    Ok(value)
}
