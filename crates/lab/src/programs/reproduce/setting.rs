//! How thoroughly everything is measured.

use crate::programs::reproduce::report::Part;
use ramure_lab::contest::Conditions;
use ramure_lab::experiments::Failure;
use std::path::PathBuf;

/// What all experiments are run with.
pub struct Setting {
    /// Whether to be done in two minutes, with wide intervals.
    pub quick: bool,
    pub threads: usize,
    pub seed: u64,
    /// The folder of the report; pictures go into `pictures/experiments` below it.
    pub folder: PathBuf,
}

impl Setting {
    /// One or the other.
    pub fn pick<T>(&self, full: T, quick: T) -> T {
        if self.quick { quick } else { full }
    }

    /// So many games on all threads.
    pub fn games(&self, full: u32, quick: u32) -> Conditions {
        Conditions::games(self.pick(full, quick)).seed(self.seed).threads(self.threads).progress()
    }

    /// Where a picture of this name is to be saved, and what shows it in the report.
    pub fn picture(&self, name: &str, shows: &str) -> Result<(PathBuf, Part), Failure> {
        let folder = self.folder.join("pictures/experiments");
        std::fs::create_dir_all(&folder)
            .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        let file = format!("pictures/experiments/{name}.svg");
        Ok((folder.join(format!("{name}.svg")), Part::Picture { file, shows: shows.to_owned() }))
    }
}
