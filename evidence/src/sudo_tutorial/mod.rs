//! Section C: the search of the Python tutorial, on Sudo Tic-Tac-Toe.

mod players;
mod speed;
mod strength;

use crate::report::Section;
use crate::setting::Setting;
use ramure_games::sudo_tic_tac_toe::Mode;
use ramure_lab::Failure;

/// The two games on the 81 cells.
const MODES: [(&str, Mode); 2] = [("mode 1", Mode::LocalWin), ("mode 2", Mode::Ultimate)];

/// Tests the claims.
pub fn section(setting: &Setting) -> Result<Section, Failure> {
    let mut section = Section {
        title: "C. MCTS for Sudo Tic-Tac-Toe (Python tutorial)".into(),
        about: "The tutorial has a generic search: UCB1 with c = 0.1 on wins minus losses (c = 0.0707 on our rewards in [0, 1]), \
                100 iterations, the final action by its mean, and a new tree for every action. A published game uses it in two \
                modes. Unless a claim says otherwise, this search is used here, but with our backup. Games begin with four \
                random actions, and each opening is played from both sides."
            .into(),
        findings: Vec::new(),
        parts: Vec::new(),
    };
    speed::measure(setting, &mut section)?;
    strength::against_random(setting, &mut section)?;
    strength::heavy_rollouts(setting, &mut section)?;
    strength::backups(setting, &mut section)?;
    Ok(section)
}
