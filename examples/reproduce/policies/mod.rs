//! The evidence that policies do what their papers say: what `docs/policies.md` shows below its marker.

mod matches;
mod mechanism;
mod regret;
mod trees;

use crate::experiments::Failure;
use crate::report::Section;
use crate::setting::Setting;

/// The sections by their letters.
pub const SECTIONS: [(&str, fn(&Setting) -> Result<Section, Failure>); 3] =
    [("F", regret::section), ("G", trees::section), ("H", mechanism::section)];

/// Everything below this line of the chapter is written by the program.
const MARKER: &str = "<!-- Below this line: written by `reproduce --policies`. -->";

/// The chapter with `report` below its marker, or `report` alone if there is no chapter with one.
pub fn splice(chapter: Option<&str>, report: &str) -> String {
    match chapter.and_then(|chapter| chapter.split_once(MARKER)) {
        Some((by_hand, _)) => format!("{by_hand}{MARKER}\n\n{report}"),
        None => report.to_owned(),
    }
}
