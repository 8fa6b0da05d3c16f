//! The files that a command writes: the paths on its command line, and tables that are written row by row.

use super::output::write;
use crate::Failure;
use crate::ranks::on_first;
use clap::Args;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The files that a command writes.
#[derive(Clone, Args)]
pub struct Files {
    /// Write the table to this CSV file
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,

    /// Draw a picture to this file, SVG or PNG by its ending
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,

    /// Replace existing files
    #[arg(long)]
    pub force: bool,
}

impl Files {
    /// Checks that all files can be written, including `pictures` pictures and the `others`, as far as that
    /// is known before the work.
    ///
    /// # Errors
    ///
    /// Returns an error if a file exists already or has no folder, if two paths (equal or not) lead to one
    /// file, or if the picture is neither SVG nor PNG.
    pub fn check(&self, pictures: usize, others: impl IntoIterator<Item = PathBuf>) -> Result<(), Failure> {
        on_first("the files to write", || self.check_here(pictures, others))
    }

    fn check_here(&self, pictures: usize, others: impl IntoIterator<Item = PathBuf>) -> Result<(), Failure> {
        let pictures_of = || (1..=pictures).filter_map(|number| self.picture(number, pictures));
        check_paths_are_distinct(self.csv.iter().cloned().chain(pictures_of()).chain(others))?;
        self.csv.iter().try_for_each(|path| self.check_one_here(path))?;
        let kind =
            self.plot.as_ref().map(|path| path.extension().and_then(|end| end.to_str()).unwrap_or_default());
        if !matches!(kind.map(str::to_ascii_lowercase).as_deref(), None | Some("svg" | "png")) {
            return Err("the name of a picture must end in .svg or .png".into());
        }
        pictures_of().try_for_each(|path| self.check_one_here(&path))
    }

    /// Checks that this file can be written.
    ///
    /// # Errors
    ///
    /// Returns an error if the file exists already, or if its folder does not exist.
    pub fn check_one(&self, path: &Path) -> Result<(), Failure> {
        on_first("a file to write", || self.check_one_here(path))
    }

    fn check_one_here(&self, path: &Path) -> Result<(), Failure> {
        let name = path.display();
        if path.exists() && !self.force {
            return Err(
                format!("{name} exists already; name another file, or replace it with --force").into()
            );
        }
        match path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
            Some(folder) => Err(format!(
                "cannot write {name}: the folder {} does not exist; create it first",
                folder.display()
            )
            .into()),
            None => Ok(()),
        }
    }

    /// Writes the whole table at once.
    pub fn csv(&self, text: impl FnOnce() -> String) -> Result<(), Failure> {
        self.csv.as_ref().map_or(Ok(()), |path| write(path, text()))
    }

    /// Starts a table that is written row by row. Ranks other than the first have none.
    pub fn table(&self, columns: &str) -> Result<Option<TableFile>, Failure> {
        let mut table = None;
        on_first("the table", || {
            table = self.csv.as_ref().map(|path| TableFile::create(path, columns)).transpose()?;
            Ok::<_, Failure>(())
        })?;
        Ok(table)
    }

    pub fn plot(&self, draw: impl FnOnce(&Path) -> Result<(), Failure>) -> Result<(), Failure> {
        self.plot.as_ref().map_or(Ok(()), |path| on_first("the picture", || draw(path)))
    }

    /// Returns the path of picture `number` (from 1) out of `pictures`: `name.svg` if there is only one, else
    /// `name-1.svg`.
    pub fn picture(&self, number: usize, pictures: usize) -> Option<PathBuf> {
        let path = self.plot.clone()?;
        let (Some(name), Some(kind), 2..) = (path.file_stem(), path.extension(), pictures) else {
            return Some(path);
        };
        let [name, kind] = [name, kind].map(|part| part.to_string_lossy());
        Some(path.with_file_name(format!("{name}-{number}.{kind}")))
    }
}

/// Checks that no two of the paths lead to one file.
fn check_paths_are_distinct(paths: impl Iterator<Item = PathBuf>) -> Result<(), Failure> {
    let mut known: Vec<(PathBuf, Place)> = Vec::new();
    for path in paths {
        let place = Place::of(&path)?;
        if let Some((other, _)) = known.iter().find(|(_, other)| place.is(other)) {
            let (path, other) = (path.display(), other.display());
            return Err(format!(
                "{other} and {path} are one file, which would be written twice; give each output its own file"
            )
            .into());
        }
        known.push((path, place));
    }
    Ok(())
}

/// Returns the path of the file, beside the results, to which a contest moves lines that it cannot read.
pub fn aside(results: &Path) -> PathBuf {
    let mut name = results.to_owned().into_os_string();
    name.push(".aside");
    name.into()
}

/// A CSV file that is written row by row: each row is on the disk before the next is measured.
pub struct TableFile {
    path: PathBuf,
    writer: csv::Writer<File>,
}

impl TableFile {
    /// Creates the file with these columns, separated by spaces, and replaces an existing file: see
    /// [`Files::check`].
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn create(path: &Path, columns: &str) -> Result<Self, Failure> {
        let file =
            File::create(path).map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
        let mut table = TableFile { path: path.into(), writer: csv::Writer::from_writer(file) };
        table.write(columns.split(' '))?;
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
    /// Returns an error if the path is relative and the current folder cannot be read.
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

/// Returns the path without links, `.` and `..`. A file that does not exist has the path at which it would be
/// created.
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

/// The numbers by which the file system identifies a file, whatever its name; `None` if the file does not
/// exist.
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
