//! Section D: minimax, alpha-beta and the search, compared as in the lecture slides.

mod against_alpha_beta;
mod blind;
mod curve;
mod nodes;
mod worst_first;

use crate::report::Section;
use crate::setting::Setting;
use ramure_lab::Failure;

/// Tests the claims.
pub fn section(setting: &Setting) -> Result<Section, Failure> {
    let mut section = Section {
        title: "D. Minimax, alpha-beta and MCTS (lecture slides)".into(),
        about: "The slides compare minimax with a horizon and a static evaluation, alpha-beta, and Monte-Carlo tree search. They \
                give no figures, so each of their sentences is tested here on our games."
            .into(),
        findings: Vec::new(),
        parts: Vec::new(),
    };
    nodes::measure(setting, &mut section)?;
    curve::measure(setting, &mut section)?;
    against_alpha_beta::over_time(setting, &mut section)?;
    against_alpha_beta::over_actions(setting, &mut section)?;
    blind::measure(setting, &mut section)?;
    Ok(section)
}
