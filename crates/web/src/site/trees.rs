//! Writes the trees of the site: searches of positions in which there is something to see.

use core::time::Duration;
use ramure_web::link::open;
use ramure_web::settings::{Effort, Settings};
use std::error::Error;
use std::fs;
use std::path::Path;

/// The names of the files, and the positions.
const TREES: [(&str, &str); 3] = [
    ("connect4", "connect4/2,3,4,2,3,4,3,3"),
    ("hex", "hex-5/b4,c3"),
    ("sudo-tic-tac-toe", "sudo-tic-tac-toe"),
];

/// Between two points of the curves over time.
const SLICE: Duration = Duration::from_millis(2);

/// Writes the pages into `folder`.
pub fn write(folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let settings = Settings { effort: Effort::Iterations(100_000), ..Settings::default() };
    for (name, link) in TREES {
        let mut table = open(link, [settings.clone(), settings.clone()])?;
        while !table.think(SLICE)? {}
        fs::write(folder.join(format!("{name}.html")), table.page())?;
    }
    Ok(())
}
