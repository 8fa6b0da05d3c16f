//! The extent of the measurements: full or quick.

use crate::report::Part;
use ramure_lab::Failure;
use ramure_lab::contest::Conditions;
use ramure_lab::pictures::Picture;
use ramure_lab::ranks::on_first;
use std::path::{Path, PathBuf};

/// The settings of all experiments.
pub struct Setting {
    /// Whether to finish in two minutes, with wide intervals.
    pub quick: bool,
    pub threads: usize,
    pub seed: u64,
    /// The folder of the report; pictures go into `pictures/experiments` below it.
    pub folder: PathBuf,
    /// The path from the page of the report to `folder`: empty, or `../`.
    pub from_page: &'static str,
}

impl Setting {
    /// Returns `quick` in a quick run, and otherwise `full`.
    pub fn pick<T>(&self, full: T, quick: T) -> T {
        if self.quick { quick } else { full }
    }

    /// Returns the conditions for `full` games, or `quick` games in a quick run, on all threads.
    pub fn games(&self, full: u32, quick: u32) -> Conditions {
        Conditions::games(self.pick(full, quick)).seed(self.seed).threads(self.threads).progress()
    }

    /// Returns the path to which to save a picture of this name, and the part of the report that shows it.
    pub fn picture(&self, name: &str, shows: &str) -> Result<(PathBuf, Part), Failure> {
        let folder = self.folder.join("pictures/experiments");
        create_folder(&folder)?;
        let file = format!("{}pictures/experiments/{name}.svg", self.from_page);
        Ok((folder.join(format!("{name}.svg")), Part::Picture { file, shows: shows.to_owned() }))
    }
}

/// Creates a folder, on the first rank.
pub fn create_folder(folder: &Path) -> Result<(), Failure> {
    on_first("a folder", || {
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("cannot create {}: {error}", folder.display()).into())
    })
}

/// A picture that only the first rank saves.
pub trait SaveOnFirst: Picture {
    fn save_on_first(&self, path: PathBuf) -> Result<(), Failure> {
        on_first("a picture", || Ok(self.save(path)?))
    }
}

impl<T: Picture> SaveOnFirst for T {}
