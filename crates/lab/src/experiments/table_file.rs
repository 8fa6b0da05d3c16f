//! Tables as CSV.

use super::Failure;
use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A CSV file that is written row by row: each row is on the disk before the next is measured.
pub struct TableFile {
    path: PathBuf,
    writer: csv::Writer<File>,
}

impl TableFile {
    /// Creates the file with these columns. If `force` is set, replaces an existing file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file exists already and `force` is not set, or if it cannot be written.
    pub fn create(path: &Path, force: bool, columns: &[&str]) -> Result<Self, Failure> {
        let mut how = OpenOptions::new();
        let how = how.write(true).create(true).truncate(true).create_new(!force);
        let file = how.open(path).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                format!("{} exists already; name another file, or replace it with --force", path.display())
            }
            _ => format!("{} cannot be written: {error}", path.display()),
        })?;
        let mut table = TableFile { path: path.into(), writer: csv::Writer::from_writer(file) };
        table.write(columns)?;
        Ok(table)
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn write<T: AsRef<[u8]>>(&mut self, row: impl IntoIterator<Item = T>) -> Result<(), Failure> {
        let written = self.writer.write_record(row).and_then(|()| Ok(self.writer.flush()?));
        written.map_err(|error| format!("{} cannot be written: {error}", self.path.display()).into())
    }
}
