//! Section G: how often each policy is wrong on P-games, over its iterations.

use crate::experiments::Failure;
use crate::experiments::p_games::{self, Kind};
use crate::report::{Part, Section, Table};
use crate::setting::Setting;

/// Searches by text: the policies of each phase, the others as they are by default.
const SEARCHES: [(&str, &[&str]); 2] = [
    ("Selection", &["ucb1", "ucb1:c=0.7", "ucb1-tuned", "thompson"]),
    (
        "Backpropagation",
        &["ucb1:c=0.7,backprop=average", "ucb1:c=0.7,backprop=discounted", "ucb1:c=0.7,solver=yes"],
    ),
];

/// Measures all of them.
pub fn section(setting: &Setting) -> Result<Section, Failure> {
    let iterations: &[u32] = setting.pick(&[100, 1_000, 10_000, 50_000], &[100, 1_000]);
    let settings = p_games::Settings {
        trees: setting.pick(p_games::PUBLISHED_TREES, 20),
        iterations: iterations.to_vec(),
        seed: setting.seed,
        threads: setting.threads,
    };
    let mut section = Section {
        title: "Wrong actions on P-games".into(),
        about: format!(
            "Of {} trees with 8 actions in every state and 8 plies (Kocsis and Szepesvári 2006) that have both good and bad actions \
             at the root, the share in which a search by this text chose a bad one after so many iterations; 95 % intervals are ±.07 at \
             one half, ±.03 at .05. A policy that converges comes to 0.",
            settings.trees
        ),
        findings: Vec::new(),
        parts: Vec::new(),
    };
    for (phase, searches) in SEARCHES {
        let head = iterations.iter().map(u32::to_string);
        let mut table = Table::new(std::iter::once(format!("{phase}, iterations")).chain(head));
        for search in searches {
            let row = p_games::measure(&Kind::new(8, 8, *search), &settings)?;
            let cells = row.cells.iter().map(|cell| format!("{:.3}", cell.share.value));
            table.row(std::iter::once(format!("`{search}`")).chain(cells));
        }
        section.parts.push(Part::Table(table));
    }
    Ok(section)
}
