//! Writes a page that shows a tree, to open in a browser.
//!
//! `cargo run --release --example explore` writes it to the folder for temporary files; `-- FILE` writes it
//! to a file of your choice.

use ramure::Every;
use ramure::prelude::*;
use ramure_explorer::{Explorer, RootHistory};
use ramure_games::Connect4;
use std::error::Error;
use std::path::PathBuf;

/// R plays.
const POSITION: &str = "\
0123456
.......
.......
...Y...
...R...
..YRY..
..RYR..";

const ITERATIONS: u64 = 100_000;

fn main() -> Result<(), Box<dyn Error>> {
    let path =
        std::env::args_os().nth(1).map_or_else(|| std::env::temp_dir().join("tree.html"), PathBuf::from);
    let state: Connect4 = POSITION.parse()?;
    let mut search = Mcts::new(state).seed(1);

    // The observer sees a report every 1000 iterations. The history keeps what the page draws over time.
    let mut history = RootHistory::new();
    let mut observe = |report: &_| history.record(report);
    let report = search.run_with(Budget::iterations(ITERATIONS), Every::Iterations(1_000), &mut observe)?;
    println!("{report}");

    let explorer = Explorer::new(search.tree()).title("Connect 4").players(["Red", "Yellow"]);
    explorer.pictures().statistics().history(&history).save(&path)?;
    println!("open {} in a browser", path.display());
    Ok(())
}
