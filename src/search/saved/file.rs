//! Files that are replaced completely or not at all.

use super::sections::ends;
use super::{LoadError, SaveError};
use crate::custom_error::CustomError;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Writes a new file beside `path`, and gives it this name when it is complete and on the disk.
pub(crate) fn replace(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&File>) -> Result<(), SaveError>,
) -> Result<(), SaveError> {
    let (file, temporary) = create_beside(path)?;
    let written = write_all(file, write).and_then(|()| Ok(fs::rename(&temporary, path)?));
    match written {
        Ok(()) => sync_folder(path),
        // Report the first error, not one of the removal.
        Err(_) => drop(fs::remove_file(&temporary)),
    }
    written
}

/// Writes a file to the disk and closes it.
fn write_all(
    file: File,
    write: impl FnOnce(&mut BufWriter<&File>) -> Result<(), SaveError>,
) -> Result<(), SaveError> {
    let mut writer = BufWriter::with_capacity(1 << 18, &file);
    write(&mut writer)?;
    writer.flush()?;
    drop(writer);
    Ok(file.sync_all()?)
}

/// Creates a new file whose name begins with `path`.
fn create_beside(path: &Path) -> io::Result<(File, PathBuf)> {
    let name = path.file_name().ok_or(io::Error::new(ErrorKind::InvalidInput, "the path names no file"))?;
    let mut number = 0;
    loop {
        let mut temporary = name.to_owned();
        temporary.push(format!(".{}-{number}.tmp", process()));
        let temporary = path.with_file_name(temporary);
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Ok(file) => return Ok((file, temporary)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Returns the number of this process. Where there are no processes, there are no files either.
fn process() -> u32 {
    if cfg!(target_family = "wasm") { 0 } else { std::process::id() }
}

/// Writes the new name of a file to the disk, on systems that can synchronize folders. On others, the old file may come back after a
/// power failure.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// Reads a file to its end.
pub(crate) fn read<T>(
    path: &Path,
    read: impl FnOnce(&mut BufReader<File>) -> Result<T, LoadError>,
) -> Result<T, LoadError> {
    let file = File::open(path).map_err(|error| LoadError::Io { error: CustomError::new(error) })?;
    let mut reader = BufReader::with_capacity(1 << 18, file);
    let value = read(&mut reader)?;
    ends(&mut reader)?;
    Ok(value)
}
