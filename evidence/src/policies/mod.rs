//! The evidence that policies do what their papers say, which is the part of
//! `docs/evidence/policies.md` below its marker.

mod changing;
mod few_iterations;
mod graph;
mod learning;
mod matches;
mod mechanism;
mod one_player;
mod regret;
mod trees;

use crate::Experiment;

/// The sections by their letters.
pub const SECTIONS: [(&str, Experiment); 4] =
    [("F", regret::section), ("G", trees::section), ("H", mechanism::section), ("I", graph::section)];

/// The line of the page below which the program writes everything.
const MARKER: &str = "<!-- Below this line: written by `evidence/run.sh --policies`. -->";

/// Returns the page with `report` below its marker, with the headings one level lower. Returns `report` alone
/// if `page` is `None` or has no marker.
pub fn splice(page: Option<&str>, report: &str) -> String {
    let Some((by_hand, _)) = page.and_then(|page| page.split_once(MARKER)) else {
        return report.to_owned();
    };
    let lower = |line: &str| if line.starts_with('#') { format!("#{line}\n") } else { format!("{line}\n") };
    format!("{by_hand}{MARKER}\n\n{}", report.lines().map(lower).collect::<String>())
}
